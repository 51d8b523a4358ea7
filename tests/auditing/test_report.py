"""What an audit's report says where nothing is left, and of how the releases were read."""

from typing import cast

import pytest

from apigap.auditing.report import library_audit, notes_of, of_few_tasks, why_no_task
from apigap.gates.library_run import LibraryRun
from apigap.gates.record import GateRecord
from apigap.records.candidate import Candidate
from apigap.records.configuration import load_settings
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
KNOWN = GateRecord(
    task_id="t", api_name="lib.f", gate="c2", status="failed", reason="the model passes 1 of 8 times without knowledge",
    evidence={"samples": 8, "passed": 1},
)  # fmt: skip
OLD = GateRecord(
    task_id="t", api_name="lib.f", gate="c2", status="failed", reason="it may be older than the model's cutoff: a day",
    evidence={"samples": 0, "passed": 0},
)  # fmt: skip
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
        (run([NEW], [SHOWN], [TASK], [PASSED, KNOWN]), "the model passes 1 of 1 task that it was asked without"),
        (
            run([NEW], [SHOWN], [TASK], [PASSED, OLD]),
            "the model was asked 0 of 1 valid task: 1 because it may be older",
        ),
        (run([NEW], [SHOWN], [TASK] * 2, [PASSED, KNOWN, OLD]), "Not asked: 1 because it may be older than the"),
    ],
)
def test_the_stage_that_came_up_empty_is_named(left: LibraryRun, words: str) -> None:
    first, last = notes_of([left], "the model")
    assert first == "lib: read elsewhere"
    assert words in last


def test_where_a_task_is_left_only_the_reading_is_told() -> None:
    asked = PASSED.model_copy(update={"gate": "c2"})
    assert notes_of([run([NEW], [SHOWN], [TASK], [PASSED, asked])], "the model") == ("lib: read elsewhere",)


@pytest.mark.parametrize(("worth_asking", "told"), [("true", 1), ("false", 0)])
def test_few_tasks_worth_asking_are_told_with_what_gives_more(worth_asking: str, told: int) -> None:
    settings = load_settings(overrides=[f"tasks.worth_asking={worth_asking}"])
    other = NEW.model_copy(update={"api_name": "lib.g"})
    third = NEW.model_copy(update={"api_name": "lib.h"})
    notes = of_few_tasks([run([NEW, other, third, MOVED], [SHOWN], [TASK], [])], settings)
    assert len(notes) == told and all(note.startswith("1 of 3 APIs have a task") for note in notes)
    assert of_few_tasks([run([NEW, other], [SHOWN], [TASK], [])], settings) == ()


ASKED = KNOWN.model_copy(update={"status": "passed", "reason": None, "evidence": {"samples": 8, "passed": 0}})
INVALID = PASSED.model_copy(update={"status": "failed", "reason": "a no-op passes"})
UNSOLVED = PASSED.model_copy(update={"gate": "c3", "status": "failed", "reason": "the solver passes 0 of 3 times"})


@pytest.mark.parametrize(
    ("tasks", "gates", "reason", "asked"),
    [
        ([], [], "no task could be made of it", 0),
        ([TASK], [INVALID], "C1: a no-op passes", 0),
        ([TASK], [PASSED], "beyond this run's limit of tasks (audit.max_tasks)", 0),
        ([TASK], [PASSED, OLD], "it may be older than the model's cutoff: a day", 0),
        ([TASK], [PASSED, ASKED, UNSOLVED], "the solver passes 0 of 3 times", 0),
        ([TASK], [PASSED, ASKED], None, 1),
        ([TASK], [PASSED, KNOWN], None, 1),  # the model passes it: that is no reason to leave it out
    ],
)
def test_tasks_that_were_asked_and_why_others_were_not(
    tasks: list[Task], gates: list[GateRecord], reason: str | None, asked: int
) -> None:
    found = run([NEW], [SHOWN], tasks, gates)
    assert why_no_task(found).get("lib.f") == reason
    assert len(found.asked()) == asked


UNFIT = PASSED.model_copy(update={"gate": "reading", "status": "failed", "reason": "it asks for something old"})


@pytest.mark.parametrize(("gates", "left"), [([PASSED], None), ([PASSED, UNFIT], 0)])
def test_the_tasks_that_a_reader_refused_have_their_row(gates: list[GateRecord], left: int | None) -> None:
    audit = library_audit(run([NEW], [SHOWN], [TASK], gates))
    assert (audit.c1, audit.reading) == (1, left)
    of_reading = [drop.reason for drop in audit.drops if drop.stage == "reading"]
    assert of_reading == [UNFIT.reason] * (left == 0)
