"""`python -m bench.explorer`: how quick the explorer is with ten thousand APIs and ten models, in Chromium.

The runs are files as `apigap score` leaves them: a task of the starter benchmark for each API, with other names, and a
verdict of each model on each. Times are those of the page itself: from the start of the navigation to the first frame
with a table, and from a choice in a filter to the first frame with the new rows. They are of pages that are served on
this machine and of the same pages opened as files. They grow with what else the machine does: the least says what
the page itself takes, and `slowest filter` is the choice whose least is the most.
"""

import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from apigap.explorer.dataset import read_dataset
from apigap.explorer.site import write_site
from apigap.records.errors import InfrastructureError
from apigap.records.progress import Unseen
from apigap.records.result import FAILURE_LABELS, Judged, Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.reporting.local_server import LocalServer
from apigap.tasks.starter_files import starter_files

_LIBRARIES = 40
_WHEN_SHOWN = """
  const look = () => {
    const is_drawn = document.querySelector("main table tbody tr");
    requestAnimationFrame(is_drawn ? () => { window.shown = performance.now(); } : look);
  };
  look();
"""
_SHOWN = "async () => { while (!window.shown) await new Promise(requestAnimationFrame); return window.shown; }"
_CHOOSE = """async ([label, value]) => {
  const labels = [...document.querySelectorAll("label.choice")];
  const field = labels.find(one => one.querySelector("span").textContent === label).querySelector("select, input");
  const told = () => document.querySelector("main").textContent;
  const before = told(), start = performance.now();
  field.value = value;
  field.dispatchEvent(new Event(field.tagName === "INPUT" ? "input" : "change", {bubbles: true}));
  while (told() === before) {
    if (performance.now() - start > 10000) throw new Error(`nothing changed by ${label} ${value}`);
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
_CHOICES = (
    ("library", "library07"), ("library", ""), ("how it fails", "WrongParam"), ("how it fails", ""),
    ("order", "best"), ("order", "name"), ("order", ""), ("name", "api_12"), ("name", ""), ("change", "modified"),
    ("change", ""), ("help", "open"), ("help", ""),
)  # fmt: skip


def run(
    apis: Annotated[int, typer.Option(min=100, help="New APIs.")] = 10_000,
    models: Annotated[int, typer.Option(min=2, help="Models.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, help="Turns.")] = 5,
    json_: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Time the first view and the filters of the explorer."""
    with tempfile.TemporaryDirectory(prefix="apigap-bench-") as folder:
        figures: dict[str, Any] = {"apis": apis, "models": models, **_written(Path(folder), apis, models)}
        pages = Path(folder) / "site"
        figures["files"] = _timed((pages / "index.html").as_uri(), repeats)
        with LocalServer(pages, (), 0) as server:
            thread = threading.Thread(target=server.serve)
            thread.start()
            try:
                figures["server"] = _timed(f"{server.page}index.html", repeats)
            finally:
                server.stop()
                thread.join()
    print(json.dumps(figures, indent=2) if json_ else "\n".join(_lines(figures)))


def _written(folder: Path, apis: int, models: int) -> dict[str, Any]:
    write_runs(folder / "runs", apis, models)
    start = time.process_time()
    found = read_dataset([folder / "runs"], draws=1000, progress=Unseen())
    read = time.process_time() - start
    write_site(found, folder / "site", Unseen())
    files = [path for path in (folder / "site").rglob("*") if path.is_file()]
    return {
        "seconds to read": round(read, 1),
        "seconds to write": round(time.process_time() - start - read, 1),
        "answers": sum(one.answers for one in found.subjects),
        "written files": len(files),
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
    }


def write_runs(folder: Path, apis: int, models: int) -> None:
    """Tasks, and the answers of each model with their verdicts; the same counts give the same files."""
    chance = random.Random(0)  # noqa: S311 - no secret
    tasks = list(_tasks(apis))
    write_records(folder / "raw" / "stage3_tasks.bench.jsonl", tasks)
    for number in range(models):
        name = f"model-{number:02}"
        cell = folder / "results" / name / "baseline"
        results = [_result(task, chance, (number + 1) / (models + 1)) for task in tasks]
        write_records(cell / "results.jsonl", results)
        answers = (Prediction(task_id=one.task_id, samples=(str(one.judged),)) for one in results)
        write_records(cell / "predictions.jsonl", answers)


def _tasks(count: int) -> Iterator[Task]:
    starter = [task for path in starter_files() for task in load_records(path, Task) if not task.harness.spy.needed]
    for number in range(count):
        one = starter[number % len(starter)].model_dump(mode="json")
        library = f"library{number % _LIBRARIES:02}"
        names = {"api_name": f"{library}.module.api_{number}", "library": library, "task_id": "", "since": None}
        yield Task.model_validate({**one, **names})


def _result(task: Task, chance: random.Random, strength: float) -> Result:
    passes = chance.random() < strength
    return Result(
        task_id=task.task_id, sample=0, outcome="pass" if passes else "fail", passed=passes, score=float(passes),
        label=None if passes else chance.choice(FAILURE_LABELS), detail={} if passes else {"why": "another value"},
        evaluator="bench", seconds=0.1, judged=Judged.of(task.masked_region),
    )  # fmt: skip


def _timed(address: str, repeats: int) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise InfrastructureError("the bench needs a Chromium; run: apt-get install chromium")
    views: dict[str, list[float]] = {"first view": [], "table of APIs": [], "page of an API": []}
    filters: dict[tuple[str, str], list[float]] = {choice: [] for choice in _CHOICES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(repeats):
            for view, path in zip(views, ("", "#/apis", "#/api/library07/library07.module.api_7"), strict=True):
                page = browser.new_context().new_page()  # nothing is kept from the turn before
                page.add_init_script(_WHEN_SHOWN)
                page.goto(f"{address}{path}")
                views[view].append(page.evaluate(_SHOWN))
                for choice in _CHOICES if view == "table of APIs" else ():
                    filters[choice].append(page.evaluate(_CHOOSE, choice))
                page.context.close()
        browser.close()
    every = {**views, "filter": [took for times in filters.values() for took in times]}
    slowest = max(filters.values(), key=min)
    return {name: _spread(times) for name, times in {**every, "slowest filter": slowest}.items()}


def _spread(times: list[float]) -> dict[str, int]:
    return {"least": round(min(times)), "median": round(median(times)), "most": round(max(times)), "times": len(times)}


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{figures['apis']:,} APIs, {figures['models']} models, {figures['answers']:,} answers: read in "
        f"{figures['seconds to read']} s of a processor, written in {figures['seconds to write']} s as "
        f"{figures['written files']} files of {figures['megabytes']} MB"
    )
    for way in ("files", "server"):
        for name, spread in figures[way].items():
            yield f"{way}: {name}: {spread['median']} ms (of {spread['times']}: {spread['least']} to {spread['most']})"


if __name__ == "__main__":
    typer.run(run)
