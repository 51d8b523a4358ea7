"""A gap closed with a scripted model, on real tasks: what is chosen, what is asked again, and what is reported."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.closing.run import Closed, Closing, close
from apigap.cluster.engines import engine_of
from apigap.evaluation.model_pool import MakeGenerator
from apigap.exports.llms_reader import LlmsPages
from apigap.models.batch.folder import BatchFolder
from apigap.models.generate import Generator
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import load_settings
from apigap.records.errors import AnswersAwaited
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.progress import Unseen
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.reporting.closing_page import aside, headline
from apigap.reporting.render import render_closing
from apigap.sandbox.engine import Engine
from apigap.tasks.starter_files import tasks_path
from tests.auditing.conftest import APIGAP, run
from tests.closing.scripted import Scripted
from tests.knowledge.test_conditions import bundle

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
TASKS = load_records(tasks_path(Path("starter/more-itertools")), Task)
NEEDS = {
    "more_itertools.subfactorial": [],
    "more_itertools.random_ordered_range": ["Parameters:"],
    "more_itertools.serialize.send": ["Example:"],
    "more_itertools.serialize.close": ["Parameters:", "Example:"],
    "more_itertools.serialize.throw": ["what no page says"],
    "more_itertools.numeric_range": ["Parameters:"],
    "more_itertools.seekable": ["Parameters:"],
}
TEXTS = {
    "more_itertools.subfactorial": ("closes", "name alone"),
    "more_itertools.random_ordered_range": ("closes", "signature"),
    "more_itertools.serialize.send": ("closes", "example"),
    "more_itertools.serialize.close": ("closes", "signature + example"),
    "more_itertools.serialize.throw": ("open", "signature + example + more examples + prose + source code"),
}


def own_bundle(api: str) -> KnowledgeBundle:
    surface = bundle().surface.model_copy(update={"s_name": api})
    return bundle(api_name=api, library="more-itertools", version="11.2.1", old_version="11.0.2", surface=surface)


BUNDLES = [own_bundle(api) for api in sorted(NEEDS)]
PLAN = Closing("e2e", "mockllm/model", TASKS, BUNDLES, longest=2)
PASSED = {"smallest": 4, "whole": 6, "llms": 6, "mcp": 4}
"""Of seven tasks: nothing closes one of them, and two have no task to choose by and get the name alone."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    settings = load_settings()
    with engine_of(settings.execution, packages=settings.packages) as found:
        yield found


def closed(root: Path, engine: Engine, make: MakeGenerator, plan: Closing = PLAN) -> Closed:
    return close(plan, root, load_settings(), engine, Unseen(), make)


@pytest.fixture(scope="module")
def scripted() -> Scripted:
    return Scripted(TASKS, NEEDS)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, engine: Engine, scripted: Scripted) -> Closed:
    return closed(tmp_path_factory.mktemp("closing"), engine, scripted.make)


def test_the_smallest_text_is_found_for_each_api(done: Closed) -> None:
    rows = {row.api_name: row for row in done.report.texts}
    assert {name: (rows[name].state, rows[name].text) for name in TEXTS} == TEXTS
    alone = set(rows) - set(TEXTS)
    assert {rows[name].state for name in alone} == {"no task to choose by"}
    assert rows["more_itertools.serialize.send"].characters < rows["more_itertools.serialize.send"].whole
    tried = [text for text, _, _ in rows["more_itertools.serialize.close"].tried]
    assert tried[0] == "name alone"
    assert "signature + example" in tried


def test_each_way_is_measured_on_tasks_that_did_not_choose(done: Closed) -> None:
    ways = {way.way: way for way in done.report.ways}
    assert list(ways) == ["baseline", "smallest", "whole", "llms", "mcp"]
    asked = ways["baseline"].passed.of
    chosen = {task.task_id for task in load_records(done.files.teaching, Task)}
    held = {prediction["task_id"] for prediction in rows_of(done.files.way("smallest") / "predictions.jsonl")}
    assert not chosen & held
    assert (len(held), ways["baseline"].passed.right) == (asked, 0)
    assert {way: ways[way].passed.right for way in PASSED} == PASSED
    for way in PASSED:
        assert ways[way].closed == ways[way].passed
        assert ways[way].gain == pytest.approx(PASSED[way] / asked)
    assert ways["mcp"].calls == 1
    assert ways["baseline"].read < ways["smallest"].read < ways["whole"].read < ways["mcp"].read  # type: ignore[operator]


def rows_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_closes_the_gap_is_written(done: Closed) -> None:
    page = LlmsPages(done.files.llms).read("more_itertools.serialize.send")
    assert "Example:" in page
    assert "Parameters:" not in page
    index = (done.files.llms / "llms.txt").read_text()
    assert "- [more_itertools.subfactorial](apis/more_itertools.subfactorial.md): " in index
    assert "name alone is enough" in index
    assert f"## What {done.report.model} cannot use without help" in index
    assert json.loads(done.files.record.read_text())["title"] == "Closing e2e"
    assert any("apigap export sft --tasks" in note for note in done.report.notes)


def test_the_page_says_it_in_words(done: Closed) -> None:
    page = render_closing(done.report)
    assert headline(done.report) in page
    assert "it passes 0 without help and" in headline(done.report)
    assert f"A text was found for 4 of {len(done.report.texts)} APIs." in aside(done.report)
    assert page.count('data-kind="open"') == 2


def test_a_run_that_was_ended_goes_on_without_asking_again(done: Closed, engine: Engine, scripted: Scripted) -> None:
    asked = len(scripted.asked)
    (done.files.way("mcp") / "predictions.jsonl").unlink()
    again = closed(done.files.root, engine, scripted.make)
    assert len(scripted.asked) == asked
    assert again.report == done.report


def test_a_folder_gets_all_requests_of_a_round(tmp_path: Path, engine: Engine) -> None:
    """Whoever answers the files answers as the scripted model does; the same command goes on, round by round."""
    folder, model = tmp_path / "queue", Scripted(TASKS, NEEDS)
    two = [task for task in TASKS if task.api_name.endswith((".send", ".subfactorial"))]
    plan = Closing("files", f"batch/{folder}", two, BUNDLES, longest=1)
    rounds = 0
    while True:
        try:
            found = closed(tmp_path / "data", engine, Generator, plan)
            break
        except AnswersAwaited:
            rounds += 1
            answer(folder, model, rounds)
    assert rounds == 5  # without help, the name alone, one piece, every way at once, and after a call of a tool
    assert {row.api_name: row.text for row in found.report.texts}["more_itertools.serialize.send"] == "example"
    assert {way.way: way.passed.right for way in found.report.ways}["mcp"] > 0


def answer(folder: Path, model: Scripted, number: int) -> None:
    """Answer the open requests of a folder by what they say."""
    rows: list[dict[str, str]] = []
    for line in BatchFolder(f"batch/{folder}").open_requests():
        messages = tuple(Message.model_validate(message) for message in line["body"]["messages"])
        said = "\n".join(message.content for message in messages)
        task = next(task for task in TASKS if task.description in said)
        text = model.text(GenerationRequest(key=f"{task.task_id}/x", prompt=messages))
        rows.append({"id": line["custom_id"], "answer": text})
    assert rows
    (folder / f"answers-{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_command_closes_an_experiment(tmp_path: Path) -> None:
    write_records(tmp_path / "bundles.jsonl", BUNDLES)
    given = ["--knowledge", str(tmp_path / "bundles.jsonl"), "--data", str(tmp_path / "data"), "--mock-llm"]
    first = [
        "run",
        "--experiment",
        "x",
        "--tasks",
        "starter/more-itertools",
        "--cells",
        "baseline",
        "--steps",
        "run,eval",
    ]
    asked = run([*APIGAP, *first, *given])
    assert asked.returncode == 0, asked.stderr
    killed = subprocess.Popen([*APIGAP, "close", "x", *given], stderr=subprocess.DEVNULL)
    while killed.poll() is None and not list(tmp_path.glob("data/closing/x/tries/*/*/predictions.jsonl")):
        time.sleep(0.05)
    killed.kill()
    assert killed.wait() == -signal.SIGKILL
    done = run([*APIGAP, "close", "x", *given])
    assert done.returncode == 0, done.stderr
    assert "it passes 0 without help and" in " ".join(done.stdout.split())
    assert "next: apigap mcp" in done.stdout
    assert (tmp_path / "data" / "closing" / "x" / "report.html").exists()
    told = json.loads(run([*APIGAP, "close", "x", *given, "--json"]).stdout)
    assert {row["text"] for row in told["texts"]} == {"name alone"}
    wrong = run([*APIGAP, "close", "x", *given, "--form", "sung"])
    assert (wrong.returncode, "none of text, native" in wrong.stderr) == (2, True)
