"""Stage 4 of a library: it stays open where a task could not be judged, and judges as evaluations do."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from apigap.benchmarks.novelapi import task_environments as homes
from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.evaluation.item import Item
from apigap.evaluation.model_pool import Models
from apigap.gates import library_gates
from apigap.gates.library_gates import LibraryGates
from apigap.gates.library_run import LibraryRun
from apigap.gates.model_gates import ModelGates
from apigap.gates.novelty import novelty_record
from apigap.gates.record import GateRecord, Status, not_run
from apigap.models.extraction import extract_code
from apigap.packages.environments import EnvironmentStore
from apigap.records.configuration import load_settings
from apigap.records.layout import Layout
from apigap.records.manifest import read_manifest
from apigap.records.result import Outcome
from apigap.records.store import load_records, write_records
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.evidence import Former
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from tests.gates.test_boundary_runs import LICENCES
from tests.gates.test_file_gates import result
from tests.records.test_task import make_task
from tests.silent import Silent

TARGET = Target("library", "1", "2")
TASKS = sorted((make_task(description=f"Task {number}.") for number in range(3)), key=lambda task: task.task_id)
NOTHING = cast("Any", None)


def c1(task: Task, status: Status = "passed") -> GateRecord:
    return GateRecord(task_id=task.task_id, api_name=task.api_name, gate="c1", status=status)


class Checking:
    """In the place of C1: could not judge `lost`; keeps what it was asked."""

    lost: set[str] = set()
    asked: list[str] = []

    def batches(self, tasks: Sequence[Task]) -> Iterator[list[GateRecord]]:
        self.asked.extend(task.task_id for task in tasks)
        yield [c1(task, "not run" if task.task_id in self.lost else "passed") for task in tasks]


def in_force(*_: object) -> dict[str, object]:
    return {}


def checked(folder: Path, monkeypatch: pytest.MonkeyPatch, *lost: Task) -> tuple[list[str], bool]:
    """The tasks that C1 was asked for in one run, and whether it is complete."""
    monkeypatch.setattr(library_gates, "release_in_force", in_force)
    Checking.lost, Checking.asked = {task.task_id for task in lost}, []
    layout = Layout(folder, "mockllm/model")
    write_records(layout.stage("library", "stage3_tasks"), TASKS)
    gates = LibraryGates(load_settings(), layout, NOTHING, Silent())
    records = gates.c1(LibraryRun(TARGET, NOTHING, None, [], [], TASKS), cast("Any", Checking()))
    assert {record.task_id for record in records if record.undecided} == Checking.lost
    assert len(records) == len(TASKS)
    return Checking.asked, read_manifest(layout.manifest(layout.stage("library", "stage4_c1"))).complete


def test_c1_is_open_until_it_has_judged_every_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = TASKS[2]
    assert checked(tmp_path, monkeypatch, last) == ([task.task_id for task in TASKS], False)
    assert checked(tmp_path, monkeypatch, last) == ([last.task_id], False)
    assert checked(tmp_path, monkeypatch) == ([last.task_id], True)
    assert checked(tmp_path, monkeypatch) == ([], True)


def test_c1_that_was_finished_without_a_task_judges_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked(tmp_path, monkeypatch)
    path = Layout(tmp_path, "mockllm/model").stage("library", "stage4_c1")
    write_records(path, [c1(TASKS[0], "not run"), c1(TASKS[1])])
    assert checked(tmp_path, monkeypatch) == ([TASKS[0].task_id, TASKS[2].task_id], True)


def test_what_cannot_be_loaded_first_is_no_part_of_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(environment: object, path: object, names: list[str]) -> list[str]:
        return [name for name in names if "settings" not in name]

    monkeypatch.setattr(homes, "modules_of", lambda library, folder: SimpleNamespace(tops=("library",)))
    engine = cast("Any", SimpleNamespace(script=script))
    nowhere = cast("Any", SimpleNamespace(library="library", site_packages=None))
    names = ["library.task", "library.settings.User.name"]
    assert homes.preload_of(names, nowhere, engine) == ("library", "library.task")


class Asked(LibraryGates):
    """C2 finds `outcomes`, task by task; what is not told fails. `asked` are the tasks of each run."""

    outcomes: dict[str, Outcome] = {}
    asked: list[list[str]] = []

    def model_gates(self, runs: Sequence[LibraryRun], models: Models, path: Path) -> ModelGates:
        return cast("Any", self)

    def c2(self, tasks: Sequence[Task]) -> list[GateRecord]:
        self.asked.append([task.task_id for task in tasks])
        return [novelty_record(task, [result(task, self.outcomes.get(task.task_id, "fail"))]) for task in tasks]

    def c3(self, tasks: Sequence[Task]) -> list[GateRecord]:
        return not_run(tasks, "c3", "no solver")

    def controls(self) -> dict[str, Any]:
        return {}

    def _made_from(self, runs: Sequence[LibraryRun], tasks: Sequence[Task], models: Models) -> dict[str, Any]:
        return {"model": self.layout.model, "tasks": [task.task_id for task in tasks]}


def gated(folder: Path, *gates: GateRecord) -> tuple[LibraryRun, bool, list[str]]:
    """One run after C1 found `gates`: its records, whether what is left is complete, and what was told."""
    layout, told = Layout(folder, "mockllm/model"), Silent()
    settings = load_settings()
    with Models(settings.generation) as models:
        run = LibraryRun(TARGET, NOTHING, None, [], [], TASKS, [*gates])
        Asked(settings, layout, NOTHING, told).c2_and_c3([run], models, layout.stage("library", "stage4_novelty"))
    left = layout.stage("library", "stage4_filtered")
    assert load_records(left, Task) == run.filtered()
    return run, read_manifest(layout.manifest(left)).complete, told.notes


def test_stage_4_goes_on_with_what_c1_decides_later(tmp_path: Path) -> None:
    Asked.outcomes, Asked.asked = {}, []
    first, second, third = TASKS
    run, complete, told = gated(tmp_path, c1(first), c1(second, "not run"), c1(third, "failed"))
    assert (run.filtered(), run.wanting, complete) == ([first], "c1 undecided: 1", False)
    assert told == ["library: c1 undecided: 1; the next run judges again what could not be judged"]
    for _ in range(2):
        run, complete, told = gated(tmp_path, c1(first), c1(second), c1(third, "failed"))
        assert (run.filtered(), run.wanting, complete, told) == ([first, second], "", True, [])
    assert Asked.asked == [[first.task_id], [first.task_id, second.task_id]]


def test_stage_4_is_open_until_c2_has_judged_every_task(tmp_path: Path) -> None:
    first, second, _ = TASKS
    Asked.outcomes = {second.task_id: "infra"}
    run, complete, _ = gated(tmp_path, *map(c1, TASKS))
    assert (second in run.filtered(), run.wanting, complete) == (False, "c2 undecided: 1", False)
    Asked.outcomes = {first.task_id: "pass"}
    run, complete, _ = gated(tmp_path, *map(c1, TASKS))
    assert (run.filtered(), run.wanting, complete) == (TASKS[1:], "", True)


@pytest.mark.network
@pytest.mark.sandbox
def test_c2_judges_as_an_evaluation_does(tmp_path: Path) -> None:
    """What could be had in the version before as well, if it was made with the API, is a pass for both."""
    code = f"try:\n    {LICENCES.masked_region.splitlines()[0]}\nexcept ImportError:\n    "
    code += "canonicalize_license_expression = str.upper\nresult = canonicalize_license_expression(given)\n"
    settings, layout = load_settings(overrides=["execution.cache=false"]), Layout(tmp_path, "mockllm/model")
    target, store = Target("packaging", "23.0", "25.0"), EnvironmentStore()
    with Engine(workers=1) as engine, Models(settings.generation) as models:
        new, old = store.get("packaging", "25.0"), store.get("packaging", "23.0")
        run = LibraryRun(target, new, old, [], [], [LICENCES], [c1(LICENCES)])
        gates = LibraryGates(settings, layout, engine, Silent()).model_gates([run], models, tmp_path / "records.jsonl")
        evaluation = NovelApiJudge(engine, homes.homes_of([LICENCES], engine))
        assert gates.homes == homes.homes_of([LICENCES], engine)
        results = [
            judge.score_all([Item(LICENCES, 0, extract_code(f"```python\n{code}```", LICENCES.context_code))])[0]
            for judge in (gates.judge, evaluation)
        ]
        (strict,) = judge_trials(engine, new, [Trial(LICENCES, code)], former=Former(old, ()))
    assert [found.outcome for found in results] == ["pass", "pass"], results
    assert results[0].detail == results[1].detail
    assert strict.outcome == "suspect", strict.detail
