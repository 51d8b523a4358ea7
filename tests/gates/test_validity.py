"""C1 on a real library: what a harness must tell from the reference, and what is no mutant at all."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from apigap.gates.battery.signature import neighbours, read_signatures
from apigap.gates.discrimination import JudgedMutant, Subject, evidence_of, mark_symmetric
from apigap.gates.record import GateRecord
from apigap.gates.validity import REPEATS, ValidityGate
from apigap.packages.environments import EnvironmentStore
from apigap.records.run import CallRecord, RunRecord
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import Verdict, judge_runs
from apigap.tasks.finish import finish
from apigap.tasks.hand_written import WrittenTask, WrittenTasks
from apigap.tasks.mutants import Facts, Kind, Mutant
from tests.records.test_task import make_task

RELEASES: dict[str, object] = {
    "api": "packaging.specifiers.SpecifierSet.filter",
    "change": "added",
    "difficulty": "easy",
    "description": "`fit` is the list of the releases that are wanted, those to come included",
    "context": "from packaging.specifiers import SpecifierSet\nwanted = SpecifierSet('>=1.0')\n"
    "found = ['1.0', '2.0rc1', '0.9', '2.0']\n",
    "solution": "fit = list(wanted.filter(found, prereleases=True))\n",
    "observe": ["fit"],
    "scenario": [
        {"name": "later", "replace": [["'1.0', '2.0rc1'", "'1.5', '3.0b1'"]]},
        {"name": "exactly", "replace": [["'>=1.0'", "'~=2.0.dev0'"]]},
    ],
}
DISTANCE: dict[str, object] = {
    "observe": ["short"],
    "api": "math.dist",
    "context": "import math\na, b = (0, 0), (3, 4)\n",
    "solution": "short = math.dist(a, b)\n",
    "scenario": [
        {"name": "nearer", "replace": [["(3, 4)", "(0, 1)"]]},
        {"name": "farther", "replace": [["(3, 4)", "(6, 8)"]]},
    ],
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=1) as made:
        yield made


def checked(engine: Engine, **changed: object) -> GateRecord:
    """C1's record of a task for packaging 25.0."""
    written = WrittenTasks(
        library="packaging", version="25.0", domain="test", task=(WrittenTask.model_validate({**RELEASES, **changed}),)
    )
    environment = EnvironmentStore().get("packaging", "25.0")
    (made,) = finish(written, engine, environment, [])
    assert made.task is not None, made.problem
    return record_of(engine, made.task)


def record_of(engine: Engine, task: Task) -> GateRecord:
    environment = EnvironmentStore().get("packaging", "25.0")
    candidates = neighbours("packaging", "25.0", read_signatures(engine, environment, [task.api_name]))
    (record,) = ValidityGate(engine, environment, None, [], candidates).check([task])
    return record


@pytest.mark.network
@pytest.mark.sandbox
def test_a_task_that_kills_its_mutants_passes_with_its_score(engine: Engine) -> None:
    record = checked(engine)
    assert (record.status, record.evidence["score"], record.evidence["survivors"]) == ("passed", 1.0, [])
    kinds = record.evidence["kinds"]
    assert {kind: counts[1] for kind, counts in kinds.items()} == {
        "no-op": 1, "omitted argument": 2, "default written": 1, "changed argument": 2, "result not used": 2,
        "call omitted": 2, "wrong API": 1,
    }  # fmt: skip
    assert checked(engine) == record


@pytest.mark.network
@pytest.mark.sandbox
def test_a_task_that_does_not_look_at_an_argument_is_rejected(engine: Engine) -> None:
    record = checked(engine, observe=["fit[0]", "wanted"])
    assert record.status == "failed"
    assert record.reason is not None
    assert "less than 90%" in record.reason
    assert {one["what"] for one in record.evidence["survivors"]} == {
        "without prereleases", "prereleases=None", "iterable: found[:-1]",
    }  # fmt: skip
    assert all("wanted.filter" in one["code"] for one in record.evidence["survivors"])


@pytest.mark.network
@pytest.mark.sandbox
def test_the_order_of_arguments_of_a_symmetric_function_is_nothing_to_be_killed(engine: Engine) -> None:
    record = checked(engine, **DISTANCE)
    assert record.status == "passed", record.reason
    assert [one["kind"] for one in record.evidence["equivalent"]] == ["swapped arguments"]


def tried(kind: Kind, fate: str, *places: tuple[int, int]) -> JudgedMutant:
    return JudgedMutant(Mutant(kind, kind, "y", places=places), fate, "so")


@pytest.mark.parametrize(
    ("others", "fate"),
    [
        ([tried("changed argument", "killed", (0, 0)), tried("changed argument", "killed", (0, 1))], "equivalent"),
        ([tried("changed argument", "killed", (0, 0)), tried("changed argument", "survived", (0, 1))], "survived"),
        ([tried("changed argument", "killed", (0, 0))], "survived"),
        ([tried("omitted argument", "killed", (0, 0)), tried("omitted argument", "killed", (0, 1))], "survived"),
    ],
)
def test_a_function_is_symmetric_only_where_both_arguments_matter(others: list[JudgedMutant], fate: str) -> None:
    row = mark_symmetric([*others, tried("swapped arguments", "survived", (0, 0), (0, 1))])
    assert row[-1].fate == fate


def test_only_what_was_judged_and_is_no_reference_in_other_words_counts() -> None:
    row = [tried("no-op", fate) for fate in ("killed", "survived", "equivalent", "infra", "killed")]
    evidence = evidence_of(row)
    assert (evidence["mutants"], evidence["killed"], evidence["score"]) == (3, 2, 2 / 3)
    assert evidence["kinds"] == {"no-op": [2, 3]}
    assert [len(evidence[key]) for key in ("survivors", "equivalent", "not_judged")] == [1, 1, 1]
    assert evidence_of([])["score"] is None


RIGHT = RunRecord(status="completed", phase="report", observations={"y": 2})
SEEN = RIGHT.model_copy(update={"calls": (CallRecord(target="library.thing", caller="candidate", completed=True),)})
LOST = RunRecord(status="infra", phase="start", reason="cannot fork")
ABSENT = RunRecord(status="raised", phase="completion")
UNWATCHED = RunRecord(status="infra", phase="completion", reason="the target library.thing cannot be watched")
NO_CONTEXT = RunRecord(status="raised", phase="context")


def verdict(plain: RunRecord, recorded: RunRecord | None = None) -> Verdict:
    return judge_runs(make_task(), [plain], recorded, "bubblewrap")


class Judged(ValidityGate):
    """Its references have the verdicts that it is given; the only mutant of each is killed."""

    def __init__(self, references: Sequence[Verdict], old: Verdict) -> None:
        nothing = cast("Any", None)
        super().__init__(nothing, nothing, nothing, (), ())
        self._given, self._given_old = references, old
        self._discrimination = cast("Any", self)

    def learn(self, tasks: Sequence[Task]) -> None:
        pass

    def measure(self, subjects: Sequence[Subject]) -> list[list[JudgedMutant]]:
        return [[tried("no-op", "killed")] for _ in subjects]

    def _facts(self, task: Task) -> Facts:
        return Facts()

    def _references(self, tasks: Sequence[Task]) -> list[list[Verdict]]:
        return [[*self._given] for _ in tasks]

    def _in_old_version(self, tasks: Sequence[Task]) -> list[Verdict | None]:
        return [self._given_old for _ in tasks]


PASS = verdict(RIGHT, SEEN)


@pytest.mark.parametrize(
    ("change", "old", "status", "words"),
    [
        ("added", verdict(ABSENT, UNWATCHED), "passed", ""),  # the API is not there, so nothing of it can be watched
        ("added", verdict(NO_CONTEXT), "passed", ""),
        ("added", verdict(LOST), "not run", "cannot fork"),
        ("added", verdict(ABSENT, LOST), "not run", "cannot fork"),
        ("added", PASS, "failed", "passes in the old version too"),
        ("modified", verdict(NO_CONTEXT), "failed", "its context does not run in the old version"),
        ("modified", verdict(LOST), "not run", "cannot fork"),
    ],
)
def test_what_the_machine_kept_from_running_in_the_old_version_shows_nothing(
    change: str, old: Verdict, status: str, words: str
) -> None:
    (record,) = Judged([PASS] * REPEATS, old).check([make_task(change=change)])
    assert (record.status, record.undecided) == (status, status == "not run")
    assert words in (record.reason or "")


@pytest.mark.parametrize(
    ("references", "status"),
    [
        ([PASS] * 4 + [verdict(LOST)], "not run"),
        ([PASS] * 4 + [verdict(NO_CONTEXT)], "not run"),
        ([verdict(LOST)] * REPEATS, "not run"),
        ([verdict(NO_CONTEXT)] * REPEATS, "failed"),  # no later run would tell anything else
        ([PASS] * 4 + [verdict(ABSENT, SEEN)], "failed"),
    ],
)
def test_a_reference_that_never_gets_to_a_verdict_is_decided_where_the_machine_is_not_to_blame(
    references: Sequence[Verdict], status: str
) -> None:
    (record,) = Judged(references, verdict(LOST)).check([make_task()])
    assert record.status == status, record.reason
