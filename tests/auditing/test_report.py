"""What an audit's report says where nothing is left, and of how the releases were read."""

from typing import cast

import pytest

from apigap.auditing.report import notes_of
from apigap.gates.library_run import LibraryRun
from apigap.gates.record import GateRecord
from apigap.records.candidate import Candidate
from apigap.records.knowledge import Exemplar, KnowledgeBundle, Surface
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.sandbox.environment import Environment

TARGET = Target("lib", "1.0", "2.0")
NEW = Candidate(
    api_name="lib.f", kind="function", library="lib", old_version="1.0", new_version="2.0", change="added",
    signature="()", import_module="lib",
)  # fmt: skip
MOVED = NEW.model_copy(update={"change": "moved"})
BUNDLE = KnowledgeBundle(
    api_name="lib.f", library="lib", version="2.0", change="added",
    surface=Surface(s_name="lib.f", kind="function", signature="()"),
)  # fmt: skip
SHOWN = BUNDLE.model_copy(update={"exemplars": (Exemplar(code="f()", status="executed", source="a.md"),)})
TASK = cast("Task", Task.model_construct(task_id="t", api_name="lib.f"))
PASSED = GateRecord(task_id="t", api_name="lib.f", gate="c1", status="passed")


def run(
    candidates: list[Candidate], bundles: list[KnowledgeBundle], tasks: list[Task], gates: list[GateRecord]
) -> LibraryRun:
    nothing = cast("Environment", None)
    return LibraryRun(TARGET, nothing, None, candidates, bundles, tasks, gates, notes=["read elsewhere"])


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (run([], [], [], []), "Discovery (stage 1) found 0 candidates"),
        (run([MOVED], [], [], []), "Discovery (stage 1) found 0 candidates"),
        (run([NEW], [BUNDLE], [], []), "Knowledge (stage 2) found 0 usages that run, of 1 candidate."),
        (run([NEW, NEW], [SHOWN], [], []), "Tasks (stage 3) could be made of 0 of 2 candidates."),
        (run([NEW], [SHOWN], [TASK], []), "Validity (stage 4, C1) was passed by 0 of 1 task."),
        (run([NEW], [SHOWN], [TASK], [PASSED]), "the model passes every task"),
    ],
)
def test_the_stage_that_came_up_empty_is_named(left: LibraryRun, words: str) -> None:
    first, last = notes_of([left], "the model")
    assert first == "lib: read elsewhere"
    assert words in last


def test_where_a_task_is_left_only_the_reading_is_told() -> None:
    asked = PASSED.model_copy(update={"gate": "c2"})
    assert notes_of([run([NEW], [SHOWN], [TASK], [PASSED, asked])], "the model") == ("lib: read elsewhere",)
