"""A command whose gates are not through says so, by library and by its exit code."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from apigap.auditing.driver import Audit
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.gates.library_gates import LibraryGates
from apigap.gates.library_run import LibraryRun
from apigap.gates.novelty import novelty_record
from apigap.gates.record import GateRecord
from apigap.records.configuration import load_settings
from apigap.records.errors import InfrastructureError
from apigap.records.result import Outcome
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.stages import driver, pipeline
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.pipeline import LibraryPipeline, PipelineRow
from tests.gates.test_file_gates import result
from tests.records.test_task import make_task
from tests.silent import Silent

TASK = make_task()
TARGET = Target("library", "1", "2")
NOTHING = cast("Any", SimpleNamespace(store=None))
EMPTY = cast("Any", SimpleNamespace(generate=lambda *_: None, evaluate=lambda *_: {}))  # pyright: ignore
PASSED = GateRecord(task_id=TASK.task_id, api_name=TASK.api_name, gate="c1", status="passed")


class Chain:
    """Stages 1 to 3, which leave one task. `authors` are those of the last one made."""

    authors = NOBODY
    new, old = NOTHING, None
    left_out = ()

    def __init__(self, *given: object) -> None:
        type(self).authors = cast("Authors", given[-1])

    def prepare(self) -> None:
        pass

    def discover(self) -> list[object]:
        return []

    def retired(self) -> list[object]:
        return []

    def notes(self) -> tuple[str, ...]:
        return ()

    def extract(self, candidates: object) -> list[object]:
        return []

    def generate(self, candidates: object) -> list[Task]:
        return [TASK]

    def without_task(self) -> dict[str, str]:
        return {}

    def validity_gate(self, candidates: object) -> object:
        return NOTHING


class Gates(LibraryGates):
    """C1, which the task passes, and C2, which finds `outcome`."""

    outcome: Outcome = "fail"

    def c1(self, run: LibraryRun, gate: object) -> list[GateRecord]:
        return [PASSED]

    def c2_and_c3(self, runs: Sequence[LibraryRun], models: object, path: Path) -> None:
        for run in runs:
            run.gates.append(novelty_record(TASK, [result(TASK, self.outcome)]))


@pytest.fixture(params=["infra", "fail"])
def outcome(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    monkeypatch.setattr(Gates, "outcome", request.param)
    monkeypatch.setattr(driver, "LibraryGates", Gates)
    monkeypatch.setattr(driver, "LibraryChain", Chain)
    monkeypatch.setattr(driver, "environment_store", lambda engine, packages: NOTHING)  # pyright: ignore
    return request.param


def test_a_library_with_an_undecided_task_is_not_done(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def target(*_: object, **__: object) -> Target:
        return TARGET

    tried: list[tuple[str | None, int | None]] = []
    monkeypatch.setattr(pipeline, "resolve_versions", target)
    monkeypatch.setattr(pipeline, "try_models", lambda models, progress: tried.extend(models))
    authors = Authors("openai/gpt-4o", "openai/o3")
    run = LibraryPipeline("mockllm/model", tmp_path, load_settings(), NOTHING, Silent(), NOTHING, authors=authors).run
    (row,) = run(["library"], [1, 2, 3, 4])
    expected = ("undecided", 0, "c2 undecided: 1") if outcome == "infra" else ("done", 1, None)
    assert (row.status, row.filtered, row.error) == expected
    assert (row.valid, Chain.authors) == (1, authors)
    assert tried == [("mockllm/model", None), (None, None), ("openai/gpt-4o", 16384), ("openai/o3", 16384)]


def test_an_audit_reports_when_every_task_is_decided(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[object] = []
    monkeypatch.setattr(Audit, "_experiment", lambda self, runs: evaluated.append(runs) or EMPTY)  # pyright: ignore
    monkeypatch.setattr(Audit, "_write", lambda self, runs, experiment, ladder: experiment)  # pyright: ignore
    settings = load_settings(overrides=["audit.items=0"])
    made = Audit([TARGET], "mockllm/model", settings, tmp_path, NOTHING, Silent(), NOTHING)
    if outcome == "infra":
        with pytest.raises(InfrastructureError, match="library: c2 undecided: 1"):
            made.run()
    else:
        made.run()
    assert len(evaluated) == (outcome == "fail")


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (("done", "undecided"), "0 of 2 libraries failed, 1 have tasks that could not be judged"),
        (("undecided", "failed"), "first: httpx: why failed"),
        (("done", "done"), ""),
    ],
)
def test_the_exit_code_tells_what_is_left(
    statuses: Sequence[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(*_: object) -> Iterator[PipelineRow]:
        for library, status in zip(("flask", "httpx"), statuses, strict=True):
            yield PipelineRow.model_validate({"library": library, "status": status, "error": f"why {status}"})

    monkeypatch.setattr(LibraryPipeline, "run", rows)
    command = ["pipeline", "--library", "flask", "--library", "httpx", "--data", str(tmp_path), "--json"]
    done = CliRunner().invoke(application(VERBS), command)
    if not words:
        assert (done.exit_code, done.exception) == (0, None)
        return
    assert isinstance(done.exception, InfrastructureError), done.exception
    assert (done.exception.exit_code, words in str(done.exception)) == (3, True), done.exception
