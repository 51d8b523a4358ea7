"""What an audit's report says of candidates and tasks that were not asked: each is counted, with the reason."""

from pathlib import Path

from apigap.auditing.report import library_audit
from apigap.gates.library_run import LibraryRun
from apigap.gates.record import GateRecord
from apigap.records.candidate import Candidate, Importance
from apigap.records.target import Target
from apigap.reporting.model import Drop
from apigap.sandbox.environment import Environment
from tests.records.test_task import make_task


def candidate(name: str, score: float, family: str = "", minor: str = "") -> Candidate:
    return Candidate(
        api_name=f"library.{name}", kind="function", library="library", old_version="1", new_version="2",
        change="added", signature="()", import_module="library",
        importance=Importance(score=score, family=f"library.{family or name}", minor=minor),
    )  # fmt: skip


def environment() -> Environment:
    nowhere = Path("env")
    return Environment(
        library="library", version="2", root=nowhere, python=nowhere, base_prefix=nowhere, site_packages=nowhere,
        packages=(), lock="0",
    )  # fmt: skip


def test_nothing_is_left_out_without_a_reason() -> None:
    known = [candidate("best", 0.9), candidate("like", 0.8, family="best"), candidate("hook", 0.7, minor="a hook")]
    out = [candidate("plumbing", 0.5, minor="a private name"), candidate("low", 0.1)]
    tasks = [
        make_task(api_name=one.api_name, description=f"{number} of {one.leaf}.") for one in known for number in range(2)
    ]
    passed = [GateRecord.of(task, "c1", "passed") for task in tasks]
    asked = [GateRecord.of(tasks[0], "c2", "passed")]
    run = LibraryRun(Target("library", "1", "2"), environment(), None, known, (), tasks, [*passed, *asked], out)
    audit = library_audit(run)
    limit = "beyond this run's limit of tasks (audit.max_tasks)"
    left = "left out by the settings of `selection`"
    assert sorted(audit.drops, key=lambda drop: (drop.stage, drop.reason)) == [
        Drop(stage="c2", reason=f"{limit}: minor: a hook", count=2),
        Drop(stage="c2", reason=f"{limit}: of an API that is asked", count=1),
        Drop(stage="c2", reason=f"{limit}: told by another member of their family", count=2),
        Drop(stage="knowledge", reason=f"{left}: minor: a private name", count=1),
        Drop(stage="knowledge", reason=f"{left}: of lower rank", count=1),
    ]
    assert audit.added == len(known) + len(out)
    assert run.in_rank_order == ["library.best", "library.like", "library.hook"]


def test_apis_without_a_task_are_counted_by_reason() -> None:
    run = LibraryRun(Target("library", "1", "2"), environment(), None, [candidate("best", 0.9)])
    words = [*(["its data are placeholders ('x')", "its data are placeholders ('a')"]), "no usage", *map(str, range(6))]
    run.without_task = {f"library.f{number}": reason for number, reason in enumerate(words)}
    drops = {drop.reason: drop.count for drop in library_audit(run).drops if drop.stage == "tasks"}
    assert drops["an API: its data are placeholders"] == 2
    assert drops["an API: another reason"] == 3
    assert sum(drops.values()) == len(words)
