"""Runs that are sound are found so; each way to tamper with one is found, hidden or not."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apigap.benchmarks.novelapi.judge import CodeItem, NovelApiJudge
from apigap.evaluation.item import OnResult
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.verification import rejudging
from apigap.verification.rejudging import Again, rejudge
from apigap.verification.submission import read_submission
from apigap.verification.verify import verify
from tests.silent import Silent
from tests.verification import tampering
from tests.verification.conftest import TERMS, Runs, checked, states
from tests.verification.tampering import edit, edit_rows, rows_of, seal

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
KINDS = ["scored", "cell"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_as_the_commands_leave_it_is_sound(kind: str, runs: Runs, engine: Engine, tasks: list[Task]) -> None:
    found = checked(getattr(runs, kind), engine)
    assert (found.state, states(found)) == ("sound", {})
    assert found.judged_again == len(tasks) and found.wrong_at_most == 0
    assert (found.model, found.condition, found.rank) == ("mockllm/model", "baseline", None)
    assert found.pass_at_1 == pytest.approx(len(tasks[::2]) / len(tasks))
    assert found.interval and found.interval[0] < len(tasks[::2]) / len(tasks) < found.interval[1]


def test_of_an_empty_file_nobody_knows_the_evaluator(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "results.jsonl").touch()
    found = checked(tmp_path / "results.jsonl", engine)
    assert found.state == "wrong"
    assert states(found)["evaluator"] == "nothing says which evaluator judged"


FORGED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a verdict": (tampering.forge_verdict, "judged again", "fail"),
    "a verdict, blamed on a limit": (tampering.blame_a_limit, "verdicts", "passed and met a limit"),
    "tasks left out": (tampering.leave_out_failures, "tasks", "have no verdict"),
    "an answer": (tampering.forge_answer, "verdicts", "not what the answer holds"),
    "an answer and what was judged": (lambda run: tampering.forge_answer(run, True), "judged again", "pass there"),
    "rows twice": (tampering.double_passes, "verdicts", "there are 2 verdicts on task"),
    "a second sample of some": (tampering.sample_passes_twice, "tasks", "has 1 of 2 samples"),
    "evaluator of the manifest": (lambda run: tampering.name_evaluator(run, False), "evaluator", "the manifest names"),
    "keys of requests": (tampering.swap_answers, "prompts", "the key of another request"),
    "a condition": (tampering.name_condition, "prompts", "its manifest says full"),
    "prompts": (tampering.show_solutions, "prompts", "was not asked as its condition asks it"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_found_although_all_hashes_agree(name: str, kind: str, runs: Runs, engine: Engine) -> None:
    forge, check, told = FORGED[name]
    folder = getattr(runs, kind)
    forge(folder)
    seal(folder)
    found = checked(folder, engine)
    assert found.state == "wrong"
    assert told in states(found)[check]
    assert "hashes" not in states(found), "the seal of this test is not what the manifests ask for"
    assert found.rank is None


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_new_seal_the_hashes_tell_it(kind: str, runs: Runs, engine: Engine) -> None:
    tampering.forge_verdict(getattr(runs, kind))
    assert "results.jsonl has been changed" in states(checked(getattr(runs, kind), engine))["hashes"]


def _without(path: str, *keys: str) -> Callable[[Path], None]:
    def take_away(folder: Path) -> None:
        def change(told: dict[str, Any]) -> None:
            place = told
            for key in keys[:-1]:
                place = place[key]
            place.pop(keys[-1])

        edit(folder / path, change)

    return take_away


def _unsafe(folder: Path) -> None:
    edit(folder / "results.manifest.json", lambda told: told["made_from"]["isolation"].update(backend="none"))


def _unfinished(folder: Path) -> None:
    edit(folder / "results.manifest.json", lambda told: told.update(complete=False))


def _praised(folder: Path) -> None:
    edit(folder / "summary.json", lambda told: told.update(pass_at_1=0.9))


LACKING: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no manifest of answers": (lambda run: (run / "answers.manifest.json").unlink(), "answers named", "who answered"),
    "nothing on prompts": (lambda run: (run / "answers.manifest.json").unlink(), "prompts", "no manifest says which"),
    "no manifest of verdicts": (lambda run: (run / "results.manifest.json").unlink(), "verdicts named", "was judged"),
    "a broken manifest": (lambda run: (run / "results.manifest.json").write_text("{"), "files", "is not a manifest"),
    "no model": (_without("answers.manifest.json", "made_from", "model"), "answers named", "names no model"),
    "no prompts": (_without("answers.manifest.json", "made_from", "generation"), "answers named", "which prompts"),
    "no environments": (_without("results.manifest.json", "counts", "environments"), "verdicts named", "environment"),
    "no limits": (_without("results.manifest.json", "made_from", "limits"), "verdicts named", "names no limits"),
    "no isolation": (_unsafe, "verdicts named", "without isolation"),
    "not complete": (_unfinished, "verdicts named", "wanting"),
    "no summary": (lambda run: (run / "summary.json").unlink(), "summary", "no summary.json"),
    "another summary": (_praised, "summary", "has pass_at_1 0.9"),
    "no answers": (lambda run: (run / "answers.jsonl").unlink(), "answers named", "not beside the verdicts"),
    "a line that is none": (lambda run: (run / "results.jsonl").write_text("nothing\n"), "files", "line 1"),
    "no verdict at all": (lambda run: (run / "results.jsonl").write_text(""), "verdicts", "there is no verdict"),
}  # fmt: skip


@pytest.mark.parametrize("name", LACKING)
def test_what_is_not_there_speaks_against_a_run(name: str, runs: Runs, engine: Engine) -> None:
    lose, check, told = LACKING[name]
    lose(runs.scored)
    found = checked(runs.scored, engine)
    assert found.state == "wrong"
    assert told in states(found)[check]


def test_other_tasks_than_those_that_had_to_be_answered_are_told(runs: Runs, engine: Engine) -> None:
    told = states(checked(runs.cell, engine, replace(TERMS, tasks=Path("starter/typer"))))
    assert "is none of the" in told["tasks"]


def test_an_evaluator_that_is_not_here_cannot_be_checked(runs: Runs, engine: Engine) -> None:
    tampering.name_evaluator(runs.scored, True)
    seal(runs.scored)
    found = checked(runs.scored, engine)
    assert found.state == "unchecked" and found.judged_again == 0
    assert "judge the answers again here" in states(found)["evaluator"]


def test_dates_of_tasks_are_held_against_the_cutoff(runs: Runs, engine: Engine, tasks: list[Task]) -> None:
    none = replace(TERMS, sample=1)
    assert (
        "give the day with --cutoff"
        in states(checked(runs.scored, engine, replace(none, cutoff=None)))["contamination"]
    )
    days = sorted(task.since.released for task in tasks if task.since and task.since.released)
    one = checked(runs.scored, engine, replace(none, cutoff=days[len(days) // 2]))
    found = one.contamination
    assert found is not None and (one.judged_again, one.seed) == (1, TERMS.seed)
    assert found.after.tasks == sum(day > days[len(days) // 2] for day in days)
    assert found.after.tasks + found.before.tasks + found.undated.tasks == len(tasks)
    assert found.before.tasks and found.before.interval


def test_calling_failures_cut_wins_nothing(runs: Runs, engine: Engine) -> None:
    """An answer that was ended before it was whole is no fail in a run; on a board it is none that passes."""
    before = checked(runs.scored, engine).pass_at_1
    failed = {row["task_id"] for row in rows_of(runs.scored / "results.jsonl") if row["outcome"] == "fail"}

    def cut(rows: tampering.Rows) -> None:
        for row in rows:
            if row["task_id"] in failed:
                row.update(outcome="cut", label=None, detail={**row["detail"], "ended": "filtered"})

    edit_rows(runs.scored / "results.jsonl", cut)
    endings = lambda rows: [row.update(stop_reasons=["filtered"]) for row in rows if row["task_id"] in failed]  # noqa: E731
    edit_rows(runs.scored / "answers.jsonl", endings)
    seal(runs.scored)
    found = checked(runs.scored, engine)
    assert found.state == "sound"
    assert json.loads((runs.scored / "summary.json").read_text())["pass_at_1"] == 1
    assert found.pass_at_1 == before


def test_sound_runs_are_ranked_and_others_are_not(runs: Runs, engine: Engine, tmp_path: Path) -> None:
    forged = Path(shutil.copytree(runs.scored, tmp_path / "forged"))
    tampering.forge_verdict(forged)
    seal(forged)
    found = verify([runs.scored, runs.cell, forged], TERMS, engine, Silent())
    assert [one.state for one in found] == ["sound", "sound", "wrong"]
    ranks = [one.rank for one in found]
    assert ranks[0] is not None and str(ranks[0]) == "1 to 2 of 2" == str(ranks[1])
    assert ranks[2] is None


@pytest.mark.parametrize(
    ("forge", "code", "told"),
    [
        (lambda run: None, 0, ""),
        (tampering.forge_verdict, 1, "1 of 1 runs are not sound"),
        (lambda run: tampering.name_evaluator(run, True), 3, "1 of 1 runs could not be checked"),
    ],
    ids=["sound", "wrong", "unchecked"],
)
def test_the_command_says_it_by_its_exit_code(
    forge: Callable[[Path], object], code: int, told: str, runs: Runs
) -> None:
    forge(runs.scored)
    seal(runs.scored)
    words = ["verify", str(runs.scored), "--tasks", "starter/click", "--cutoff", "2025-01-01", "--all", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "apigap.cli.main", *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    (row,) = json.loads(done.stdout)
    assert row["state"] == {0: "sound", 1: "wrong", 3: "unchecked"}[code]


def test_what_there_was_no_time_for_is_no_agreement(runs: Runs, engine: Engine) -> None:
    told = states(checked(runs.scored, engine, replace(TERMS, minutes=0.0)))
    assert "answers were not read: the 0 minutes of --judging-minutes were over" in told["verdicts"]
    assert told["judged again"] == "no answer was judged again, since the check before it is unchecked: verdicts"


def test_judging_ends_in_time_and_says_what_it_left(runs: Runs, engine: Engine, tasks: list[Task]) -> None:
    run, by_id = read_submission(runs.scored / "results.jsonl"), {task.task_id: task for task in tasks}
    found = rejudge(run, by_id, Again(None, 0, 1e-9), engine, Silent())
    assert (found.check.state, found.at_most) == ("unchecked", None)
    assert f"of {len(tasks)} answers were not judged" in found.check.told
    assert rejudge(run, by_id, Again(None, 0, 10.0), engine, Silent()).count == len(tasks)


def test_what_was_judged_before_the_time_was_over_counts(
    runs: Runs, engine: Engine, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged verdict is found among those that are there, although all of them were told when the time was over."""
    tampering.blame_a_limit(runs.scored)
    seal(runs.scored)
    forged = read_submission(runs.scored / "results.jsonl")
    by_id = {task.task_id: task for task in tasks}
    true = {row.task_id: row for row in read_submission(runs.cell / "results.jsonl").results}
    now = [0.0]
    monkeypatch.setattr(rejudging, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(rejudging, "_TOGETHER", 8)

    def slowly(judge: object, items: Sequence[CodeItem], on_result: OnResult) -> None:
        now[0] += 100.0
        for item in items:
            on_result(true[item.task.task_id])

    monkeypatch.setattr(NovelApiJudge, "score_all", slowly)
    found = rejudge(forged, by_id, Again(None, 0, 2.5), engine, Silent())
    assert (found.check.state, found.count) == ("wrong", 16)
    none = rejudge(forged, by_id, Again(None, 0, -1.0), engine, Silent())
    assert (none.check.state, none.count) == ("unchecked", 0)


@pytest.mark.parametrize(
    ("minutes", "forged", "state"), [(30, False, "sound"), (30, True, "wrong"), (0, False, "unchecked")]
)
def test_the_seed_of_a_sample_is_told_whatever_is_found(
    minutes: float, forged: bool, state: str, runs: Runs, engine: Engine, tasks: list[Task]
) -> None:
    """So whoever is accused can draw the same answers, and so can who had no time for all of them."""
    if forged:
        edit_rows(runs.scored / "results.jsonl", lambda rows: [tampering.passes(row) for row in rows])
        seal(runs.scored)
    run, by_id = read_submission(runs.scored / "results.jsonl"), {task.task_id: task for task in tasks}
    count = len(tasks) - 1
    found = rejudge(run, by_id, Again(count, 7, minutes), engine, Silent())
    assert (found.check.state, found.seed) == (state, 7)
    assert found.check.told.endswith(f"; drawn with --sample {count} --seed 7")
    all_of_them = rejudge(run, by_id, Again(None, 7, 0), engine, Silent())
    assert all_of_them.seed is None and "--seed" not in all_of_them.check.told


def test_a_folder_as_the_commands_suggest_its_names_is_found(runs: Runs, engine: Engine) -> None:
    for name in ("results.jsonl", "results.manifest.json", "summary.json"):
        (runs.scored / name).rename(runs.scored / f"answers.{'results.' if name == 'summary.json' else ''}{name}")
    edit(
        runs.scored / "answers.results.manifest.json",
        lambda told: told["files"].update({"answers.results.jsonl": told["files"].pop("results.jsonl")}),
    )
    found = checked(runs.scored, engine)
    assert (found.run, found.state) == (str(runs.scored / "answers.results.jsonl"), "sound")
