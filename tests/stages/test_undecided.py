"""A command whose gates are not through says so, by library and by its exit code."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from apigap.audit import driver as audit
from apigap.audit import libraries as library_pipeline
from apigap.audit.driver import Audit
from apigap.audit.libraries import LibraryPipeline, PipelineRow
from apigap.audit.report import LibraryRun
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.gates.novelty import novelty_record
from apigap.gates.record import GateRecord
from apigap.records.configuration import load_settings
from apigap.records.errors import InfrastructureError
from apigap.records.result import Outcome
from apigap.records.task import Task
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.chain import Target
from tests.audit.test_gate_file import result
from tests.records.test_task import make_task
from tests.silent import Silent

TASK = make_task()
TARGET = Target("library", "1", "2")
NOTHING = cast("Any", SimpleNamespace(store=None))
PASSED = GateRecord(task_id=TASK.task_id, api_name=TASK.api_name, gate="c1", status="passed")


class Chain:
    """Stages 1 to 3 and C1, which leave one task. `authors` are those of the last one made."""

    authors = NOBODY

    def __init__(self, *given: object) -> None:
        type(self).authors = cast("Authors", given[-1])

    def home(self, tasks: object) -> object:
        return NOTHING

    def prepare(self) -> None:
        pass

    def discover(self) -> list[object]:
        return []

    def extract(self, candidates: object) -> list[object]:
        return []

    def generate(self, candidates: object) -> list[Task]:
        return [TASK]

    def check(self, candidates: object, tasks: object) -> list[GateRecord]:
        return [PASSED]


class Gates:
    """C2, which finds `outcome`."""

    outcome: Outcome = "fail"

    def __init__(self, *_: object) -> None:
        pass

    def run(self, runs: Sequence[LibraryRun], path: Path) -> None:
        for run in runs:
            run.gates.append(novelty_record(TASK, [result(TASK, self.outcome)]))


@pytest.fixture(params=["infra", "fail"])
def outcome(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    monkeypatch.setattr(Gates, "outcome", request.param)
    for module in (audit, library_pipeline):
        monkeypatch.setattr(module, "Gating", Gates)
        monkeypatch.setattr(module, "LibraryChain", Chain)
    return request.param


def test_a_library_with_an_undecided_task_is_not_done(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def target(*_: object, **__: object) -> Target:
        return TARGET

    monkeypatch.setattr(library_pipeline, "resolve_versions", target)
    authors = Authors("openai/gpt-4o", "openai/o3")
    pipeline = LibraryPipeline("mockllm/model", tmp_path, load_settings(), NOTHING, Silent(), NOTHING, authors=authors)
    (row,) = pipeline.run(["library"], [1, 2, 3, 4])
    expected = ("undecided", 0, "c2 undecided: 1") if outcome == "infra" else ("done", 1, None)
    assert (row.status, row.filtered, row.error) == expected
    assert (row.valid, Chain.authors) == (1, authors)


def test_an_audit_reports_when_every_task_is_decided(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[object] = []
    monkeypatch.setattr(Audit, "_evaluate", lambda self, runs, gating: evaluated.append(runs))  # pyright: ignore
    made = Audit([TARGET], "mockllm/model", load_settings(), tmp_path, NOTHING, Silent(), NOTHING)
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
