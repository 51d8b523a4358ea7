"""Runs to hand in: real answers to the starter's tasks on click, some right and some not, judged in sandboxes."""

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from apigap.benchmarks.novelapi.benchmark import NovelApi, NovelApiOptions
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.score import score
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.grid import parse_cells
from apigap.models.generate import Generator
from apigap.records.configuration import load_settings
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_files import load_tasks
from apigap.verification.verify import Terms, VerifiedRun, verify
from tests.knowledge.test_conditions import bundle
from tests.silent import Silent

TASKS = Path("starter/click")
CUTOFF = date(2025, 1, 1)
TERMS = Terms(TASKS, (), None, 0, CUTOFF)
MODEL = "mockllm/model"


class Runs(NamedTuple):
    """The same answers as results of `apigap score`, and as the cell of an experiment."""

    scored: Path
    cell: Path


@pytest.fixture(scope="session")
def tasks() -> list[Task]:
    return load_tasks(tasks_path(TASKS))


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with Engine.of(load_settings().execution) as found:
        yield found


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory, tasks: list[Task], engine: Engine) -> Runs:
    root = tmp_path_factory.mktemp("runs")
    known = {task.description: task for task in tasks[::2]}

    def reply(prompt: str) -> str:
        task = next((task for words, task in known.items() if words in prompt), None)
        return f"```python\n{task.masked_region if task else 'pass'}\n```"

    def make(model: str, decoding: object) -> Generator:
        return Generator(model, decoding, reply=reply)  # pyright: ignore[reportArgumentType]

    benchmark = NovelApi(NovelApiOptions.of(tasks=TASKS), load_settings())
    answers, results = root / "scored" / "answers.jsonl", root / "scored" / "results.jsonl"
    predict(benchmark, answers, Asking(MODEL), Silent(), make)
    score(benchmark, answers, results, Silent())

    bundles = [bundle(api_name=name, library="click") for name in sorted({task.api_name for task in tasks})]
    plan = Plan("study", "click", MODEL, tasks, bundles, parse_cells(["baseline"]))
    study = Experiment(plan, load_settings(), root / "data", Silent(), make)
    study.generate()
    study.evaluate(engine)
    return Runs(root / "scored", root / "data" / "results" / "study" / "baseline")


@pytest.fixture
def runs(originals: Runs, tmp_path: Path) -> Runs:
    """Copies of the runs, to be tampered with."""
    return Runs(*(Path(shutil.copytree(path, tmp_path / name)) for name, path in originals._asdict().items()))


def checked(folder: Path, engine: Engine, terms: Terms = TERMS) -> VerifiedRun:
    (found,) = verify([folder], terms, engine, Silent())
    return found


def states(found: VerifiedRun) -> dict[str, str]:
    """The checks that are not sound, with what they found."""
    return {check.name: check.told for check in found.checks if check.state != "sound"}
