"""Two runs side by side: alignment, flips, refusals, and the command."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apigap.analysis.compare import Compared, compare
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import Stage
from apigap.records.result import Outcome, Result
from apigap.records.store import write_records
from apigap.records.task import Task
from tests.records.test_task import make_task

OUTCOMES: dict[str, Outcome] = {"p": "pass", "f": "fail", "i": "infra", "s": "suspect", "w": "fail"}
TASKS = [make_task(api_name=f"lib.api{n // 2}", description=f"Number {n}.") for n in range(16)]


def rows(marks: str, tasks: list[Task] = TASKS, evaluator: str = "e") -> list[Result]:
    """One letter per task, in order; `w` is a fail by another label, `-` no row."""
    return [
        Result(
            task_id=task.task_id, sample=0, outcome=OUTCOMES[mark], passed=mark == "p", score=0.0, detail={},
            label={"f": "WrongLogic", "w": "WrongParam"}.get(mark), evaluator=evaluator, seconds=0.0,  # pyright: ignore
        )
        for task, mark in zip(tasks, marks, strict=False) if mark != "-"
    ]  # fmt: skip


class Folder:
    """A data folder with cells."""

    def __init__(self, root: Path) -> None:
        self.root = root
        write_records(root / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)

    def cell(self, name: str, marks: str, evaluator: str = "e", tasks: Any = "t") -> Path:
        folder = self.root / "results" / "x" / name
        write_records(folder / "results.jsonl", rows(marks, evaluator=evaluator))
        if tasks is not None:
            Stage(folder / "results.manifest.json", "results", {"tasks": tasks}).finish({})
        return folder


@pytest.fixture
def data(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


def test_by_hand(data: Folder) -> None:
    a, b = data.cell("a", "ppfffispff--"), data.cell("b", "pfpwpppi--pp")
    found = compare(a, b)
    assert found.shared == 8 and found.infra == 2 and found.unclear == 3
    assert [(flip.before, flip.after) for flip in sorted(found.flips, key=lambda f: f.before)] == [
        ("WrongLogic", "pass"), ("WrongLogic", "pass"), ("pass", "WrongLogic"), ("suspect", "pass"),
    ]  # fmt: skip
    assert {flip.api_name for flip in found.flips} == {"lib.api0", "lib.api1", "lib.api2", "lib.api3"}
    assert found.gain is not None and found.gain.n == 6  # infra on a side leaves the task out, it is no fail
    assert found.gain.difference == pytest.approx((0 - 1 + 1 + 0 + 1 + 1) / 6)
    assert found.relabelled == 1
    assert (len(found.only_a), len(found.only_b)) == (2, 2)
    assert found.lowest == pytest.approx((0 - 1 + 1 + 0 + 1 + 0 + 0 - 1) / 8)
    assert found.highest == pytest.approx((0 - 1 + 1 + 0 + 1 + 1 + 1 + 0) / 8)
    assert (found.a.infra, found.a.suspect, found.b.infra) == (1, 1, 1)


def test_swapping_the_sides_mirrors(data: Folder) -> None:
    a, b = data.cell("a", "ppfffisp"), data.cell("b", "pfpwpppi")
    there, back = compare(a, b), compare(b, a)
    assert there.gain and back.gain
    assert there.gain.difference == pytest.approx(-back.gain.difference)
    assert (there.lowest, there.highest) == pytest.approx((-back.highest, -back.lowest))
    assert there.mcnemar == back.mcnemar and there.gain.p_value == pytest.approx(back.gain.p_value)


def test_a_run_is_the_same_as_itself(data: Folder) -> None:
    cell = data.cell("a", "ppffspfp")
    found = compare(cell, cell / "results.jsonl")
    assert found.gain and (found.gain.difference, found.gain.p_value, found.mcnemar) == (0, 1, 1)
    assert not found.flips and not found.relabelled and not found.is_regression(1.0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"evaluator": "other"}, "different evaluators: e in .*, other in"), ({"tasks": "u"}, "different tasks")],
)
def test_what_must_not_be_compared_is_refused_unless_forced(data: Folder, change: dict[str, Any], reason: str) -> None:
    a, b = data.cell("a", "pf"), data.cell("b", "pf", **change)
    with pytest.raises(UsageError, match=f"{reason}.*--force"):
        compare(a, b)
    (note,) = compare(a, b, force=True).notes
    assert note.startswith(("the verdicts", "the sides"))


def test_results_of_nobody_knows_what_are_refused(tmp_path: Path) -> None:
    judged = [row.model_copy(update={"detail": {"reason": "another call"}}) for row in rows("pf")]
    for name in ("a", "b"):
        write_records(tmp_path / f"{name}.jsonl", judged)
    with pytest.raises(UsageError, match=r"a\.manifest\.json is missing"):
        compare(tmp_path / "a.jsonl", tmp_path / "b.jsonl")


def test_without_manifests_ids_alone_decide(data: Folder) -> None:
    assert compare(data.cell("a", "pf", tasks=None), data.cell("b", "pf")).shared == 2


def test_wrong_input_is_named(data: Folder, tmp_path: Path) -> None:
    a, b = data.cell("a", "pf--"), data.cell("b", "--pf")
    with pytest.raises(UsageError, match="no sample of the same task"):
        compare(a, b)
    with pytest.raises(UsageError, match="does not exist"):
        compare(a, tmp_path / "nothing")
    write_records(tmp_path / "alone.jsonl", rows("pf"))
    with pytest.raises(UsageError, match="--tasks FILE"):
        compare(tmp_path / "alone.jsonl", tmp_path / "alone.jsonl")
    write_records(tmp_path / "tasks.jsonl", TASKS)
    assert compare(tmp_path / "alone.jsonl", a, tasks=[tmp_path / "tasks.jsonl"]).shared == 2
    write_records(tmp_path / "twice.jsonl", [*rows("p"), *rows("f")])
    with pytest.raises(CorruptRecord, match="two verdicts"):
        compare(tmp_path / "twice.jsonl", a)
    write_records(tmp_path / "empty.jsonl", [])
    with pytest.raises(UsageError, match="holds no result"):
        compare(tmp_path / "empty.jsonl", a)


def test_infra_everywhere_is_no_difference(data: Folder) -> None:
    found: Compared = compare(data.cell("a", "iii"), data.cell("b", "ppp"))
    assert found.gain is None and not found.flips and not found.is_regression(1.0)
    assert (found.lowest, found.highest) == (0.0, 1.0)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "apigap.cli.main", "compare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env={"COLUMNS": "200", "PATH": ""})


def test_the_command_fails_on_a_significant_drop_alone(data: Folder) -> None:
    good, bad, mixed = data.cell("a", "p" * 16), data.cell("b", "f" * 16), data.cell("c", "f" + "p" * 15)
    worse = run(good, bad, "--fail-on-regression")
    assert worse.returncode == 1 and "worse" in worse.stderr and "p = 0.0078 < 0.05" in worse.stderr
    assert run(good, bad, "--fail-on-regression", "--alpha", "0.001").returncode == 0
    assert run(bad, good, "--fail-on-regression").returncode == 0
    slight = run(good, mixed, "--fail-on-regression", "--json")
    told = json.loads(slight.stdout)
    assert slight.returncode == 0 and told["regression"] is False and len(told["flips"]) == 1
    assert told["gain"]["low"] < 0 < told["gain"]["high"] and told["seed"] and told["draws"] == 10_000


def test_the_command_lists_the_flips_and_what_is_on_one_side(data: Folder) -> None:
    shown = run(data.cell("a", "pfi--"), data.cell("b", "fppp-"))
    assert shown.returncode == 0, shown.stderr
    assert "2 flips: 1 to pass, 1 from pass" in shown.stdout and TASKS[0].task_id in shown.stdout
    assert "1 samples are in B alone" in shown.stdout and f"{TASKS[3].task_id}#0" in shown.stdout
    assert "1 shared samples have no verdict" in shown.stdout
