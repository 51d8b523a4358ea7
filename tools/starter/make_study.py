"""The study of the starter benchmark on local models: asked, judged, kept under studies/starter, analysed.

    apigap starter bundles --edition 2026.04                            # once: what the models are shown
    .venv/bin/python -m tools.starter.make_study --steps run               # hours; goes on where it was ended
    .venv/bin/python -m tools.starter.make_study --steps c2                # gate C2 and the controls, both models (of
                                                                        # the 1.5B one: --tasks 24)
    .venv/bin/python -m tools.starter.make_study --steps eval keep         # verdicts; all of it to studies/starter
    .venv/bin/python -m tools.starter.make_study --steps analysis          # from studies/starter alone

`--only NAME` takes one of the three experiments, `--tasks N` fewer tasks of each: those that are answered so far. What
is kept has no prompts: they repeat the documentation of libraries, and the bundles' lock and the prompts' hashes say
which they were. Answers and verdicts are in `answers.tar.xz` (see `tools/kept.py`).
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.experiments.sources import read_source
from apigap.records.manifest import read_manifest
from apigap.records.store import write_records, write_text
from apigap.tasks.starter_files import tasks_path
from tools.kept import ANSWERS, RESULTS, drop_prompts, keep_tasks, pack, unpacked
from tools.starter.study import study_page, tables_page

ROOT = Path(__file__).resolve().parents[2]
ORACLE = ("baseline", "s_name", "s", "e", "m_prose", "m_code", "s_e", "full")
TASKS = "starter/2026.04"
CELLS = (*ORACLE, "rag.s", "rag.e", "rag.s_e", "rag.full")
FEW = 40
FILES = ("predictions.jsonl", "predictions.manifest.json", RESULTS, "results.manifest.json", "summary.json")


class Experiment(NamedTuple):
    """One model, one layout, so many tasks of the starter benchmark."""

    name: str
    model: str
    layout: str
    tasks: int
    cells: tuple[str, ...] = CELLS

    def cut(self, tasks: int) -> "Experiment":
        """The same on at most so many tasks (0: as many as there are)."""
        return self._replace(tasks=min(self.tasks, tasks or self.tasks))


EXPERIMENTS = (
    Experiment("starter-qwen2.5-coder-1.5b", "gguf/qwen2.5-coder-1.5b", "instructed", 100),
    Experiment("starter-published-qwen2.5-coder-1.5b", "gguf/qwen2.5-coder-1.5b", "published", FEW, ORACLE),
    Experiment("starter-qwen2.5-coder-0.5b", "gguf/qwen2.5-coder-0.5b", "instructed", FEW, ORACLE),
)


def main() -> None:
    """Take the steps that are asked for, in their order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", nargs="+", choices=("run", "eval", "c2", "keep", "analysis"), required=True)
    parser.add_argument("--only", choices=[one.name for one in EXPERIMENTS])
    parser.add_argument("--tasks", type=int, default=0, help="at most so many tasks of each experiment")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="where the runs are")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "starter", help="what is kept of them")
    parser.add_argument(
        "--page",
        type=Path,
        default=ROOT / "docs" / "starter-study.md",
        help="where the page goes, its tables beside it",
    )
    parser.add_argument("--connections", type=int, default=2, help="servers of the local model")
    given = parser.parse_args()
    chosen = [one.cut(given.tasks) for one in EXPERIMENTS if given.only in (None, one.name)]
    for step in ("run", "eval"):
        if step in given.steps:
            for one in chosen:
                _apigap(*_command(one, given.data, given.connections), "--steps", step)
    if "c2" in given.steps:
        for model in dict.fromkeys(one.model for one in chosen):
            _novelty(model, min(FEW, given.tasks or FEW), given.data / "novelty", given.connections)
    if "keep" in given.steps:
        _keep(chosen, given.data / "results", given.folder / ANSWERS)
        _keep_novelty(given.data / "novelty", given.folder / "novelty")
    if "analysis" in given.steps:
        analysis = given.folder / "analysis"
        _analyse(given.folder / ANSWERS, analysis)
        write_text(given.page, study_page(analysis / "analysis.md", given.folder / "novelty"))
        write_text(given.page.with_name(f"{given.page.stem}-tables.md"), tables_page(analysis / "analysis.md"))


def _command(one: Experiment, data: Path, connections: int) -> list[str]:
    return [
        "run", "--experiment", one.name, "--tasks", TASKS, "--model", one.model, "--layout", one.layout,
        "--limit", str(one.tasks), "--cells", *one.cells, "--connections", str(connections), "--data", str(data),
    ]  # fmt: skip


def _novelty(model: str, tasks_asked: int, folder: Path, connections: int) -> None:
    """Gate C2 on the first tasks of the experiments, with the control tasks that every model must know."""
    tasks = folder / f"tasks-{tasks_asked}.jsonl"
    write_records(tasks, read_source(tasks_path(Path(TASKS)), (), tasks_asked).tasks)
    out = folder / f"{model.rpartition('/')[2]}.jsonl"
    words = ("--tasks", str(tasks), "--gates", "c2", "--model", model, "--out", str(out))
    _apigap("filter", *words, "--set", "gates.controls=true", "--connections", str(connections))


def _analyse(answers: Path, folder: Path) -> None:
    """Analyse what is kept; of the analysis the page in Markdown and the tables in CSV stay."""
    with unpacked(answers) as data:
        kept = [one for one in EXPERIMENTS if any((data / "results" / one.name).glob(f"*/{RESULTS}"))]
        names = [word for one in kept for word in ("--experiment", one.name)]
        out = data / "analysis"
        _apigap("analyze", *names, "--data", str(data), "--output", str(out))
        for path in sorted([*out.glob("*.md"), *out.glob("*.csv")]):
            write_text(folder / path.name, path.read_text(encoding="utf-8"))


def _keep(experiments: Sequence[Experiment], runs: Path, answers: Path) -> None:
    with unpacked(answers) as data:
        for one in experiments:
            _keep_cells(runs / one.name, data / "results" / one.name)
        keep_tasks(data)
        pack(data, answers)


def _keep_cells(run: Path, folder: Path) -> None:
    """The cells that are judged in full, and nothing of an earlier time. Where Python is on this machine is left out:
    messages of a failed import name it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for cell in sorted(path.parent for path in run.glob("*/results.manifest.json") if read_manifest(path).complete):
        (folder / cell.name).mkdir(parents=True)
        for name in FILES:
            text = (cell / name).read_text(encoding="utf-8").replace(sys.base_prefix, "/python")
            write_text(folder / cell.name / name, text)
        drop_prompts(folder / cell.name / "predictions.jsonl")


def _keep_novelty(run: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(run.glob("*.gates.jsonl")):
        folder.mkdir(parents=True, exist_ok=True)
        manifest = path.with_name(path.name.replace(".gates.jsonl", ".manifest.json"))
        for kept in (path, manifest):
            shutil.copy(kept, folder / kept.name)


def _apigap(*words: str) -> None:
    done = subprocess.run([str(Path(sys.executable).with_name("apigap")), *words], cwd=ROOT)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
