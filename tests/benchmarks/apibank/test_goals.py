"""The state afterwards: what the recorded calls reach, what other calls do to it, and by which faults it is missed."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.apibank.dialogues import LEVELS, Bank, Turn, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.ending import Ending, ending_of, evaluator
from apigap.benchmarks.apibank.live.goals import Goal, GoalNote, NoGoal, all_goals, goal_notes, goal_of
from apigap.benchmarks.apibank.live.play import Play
from apigap.benchmarks.apibank.live.rows import differences, meant, same_row, same_words
from apigap.benchmarks.apibank.live.scripts import Script, scripts
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER, impose, make

OWN = ApiBankJudge(load_bank(Path("own")), "corrected")
SCRIPTS = {script.name: script for level in LEVELS for script in scripts(OWN.bank, level)}
RECORD = Read("RecordHealthData", {"user_id": "X9", "time": "2023-01-01 10:00:00", "health_data": [{"name": "pulse", "value": "60"}]})  # fmt: skip  # noqa: E501
MEETING = {"start_time": "2023-01-01 10:00:00", "end_time": "2023-01-01 11:00:00", "location": "hall", "attendees": []}
EXTRA = {"level-3": Read("AddMeeting", {"meeting_topic": "nothing", **MEETING})}
"""A call that changes the state of every dialogue, by level; `RECORD` at the others."""


def gold(script: Script) -> list[Read]:
    return [Read(turn.api_name, dict(turn.param_dict)) for turn in script.calls]


def played(script: Script, calls: list[Read], judge: ApiBankJudge = OWN, goal: Goal | None = None) -> Ending:
    wanted = goal or goal_of(script, judge)
    assert isinstance(wanted, Goal)
    play = Play(script, judge, wanted)
    for call in calls:
        play.call(call)
    return ending_of(play)


def with_goals(bank: Bank, judge: ApiBankJudge) -> list[tuple[Script, Goal]]:
    found = [(script, goal_of(script, judge)) for level in LEVELS for script in scripts(bank, level)]
    return [(script, goal) for script, goal in found if isinstance(goal, Goal)]


def check_laws(bank: Bank, judge: ApiBankJudge) -> int:
    """The laws that hold for every dialogue with a goal; how many those are."""
    chosen = with_goals(bank, judge)
    for script, goal in chosen:
        whole = played(script, gold(script), judge, goal)
        assert whole.reached, (script.name, str(whole))
        assert (whole.superfluous, whole.harmful, whole.faults) == ({}, {}, ())
        assert not played(script, [], judge, goal).reached, script.name
        spoilt = played(script, [*gold(script), EXTRA.get(script.level, RECORD)], judge, goal)
        assert not spoilt.reached, script.name
        assert sum(spoilt.harmful.values()) == 1
        assert spoilt.faults == ("superfluous call",)
    return len(chosen)


def test_the_laws_hold_for_all_own_dialogues() -> None:
    assert check_laws(OWN.bank, OWN) == len(SCRIPTS) == 21


def test_the_laws_hold_for_all_published_dialogues_with_a_goal(bank: Bank) -> None:
    judge = ApiBankJudge(bank, "corrected")
    goals = all_goals(bank, judge)
    none = [one for one in goals.values() if isinstance(one, NoGoal)]
    assert (len(goals), len(none)) == (314, 27)
    assert check_laws(bank, judge) == 287
    assert sum(isinstance(one, Goal) and one.changes for one in goals.values()) == 162


def test_every_note_is_about_a_recording_and_holds_no_data(bank: Bank) -> None:
    known = {(script.name, script.calls_hash): script for level in LEVELS for script in scripts(bank, level)}
    assert set(goal_notes()) <= set(known)
    for key, note in goal_notes().items():
        values = {str(value) for turn in known[key].calls for value in turn.param_dict.values() if len(str(value)) > 10}
        assert not any(value in note.reason for value in values), note
        assert bool(note.columns) == (note.treatment == "open")
    assert {script.name for script in SCRIPTS.values() if (script.name, script.calls_hash) in goal_notes()} == set()


def plain_state(script: Script, turns: Sequence[Turn], judge: ApiBankJudge) -> Any:
    """The oracle: what the databases and mails hold after some turns, as sorted texts; keys are no part of it."""
    system, mails = judge.system_of(script.first), []
    for turn in turns:
        result = make(script.registry, system, Read(turn.api_name, dict(turn.param_dict)))
        impose(turn, result, system)
        if turn.api_name in ("SendEmail", "EmailReminder") and not result["exception"]:
            mails.append(json.dumps(result["input"], sort_keys=True))
    (opened, memory), _ = system.snapshot()
    named = ("Account", "Bank", "Scenes", "HealthData", "TimeSwitch")
    rows = {
        name: sorted(json.dumps([key if name in named else "", row], sort_keys=True) for key, row in table.items())
        for name, table in opened.items()
    }
    fresh = {
        name: sorted(
            json.dumps([key if name in named else "", row], sort_keys=True)
            for key, row in system.databases.fresh(name).items()
        )
        for name in opened
    }
    kept = [memory.get(api) for api in ("OpenBankAccount", "PersonalInfoUpdate", "AddMeeting")]
    return {name: rows[name] for name in rows if rows[name] != fresh[name]}, sorted(mails), kept


@pytest.mark.parametrize("seed", range(3))
def test_another_order_passes_exactly_where_the_state_is_the_same(bank: Bank, seed: int) -> None:
    judge = ApiBankJudge(bank, "corrected")
    verdicts: Counter[bool] = Counter()
    for script, goal in with_goals(bank, judge):
        if goal.changes and len(script.calls) > 1:
            turns = list(script.calls)
            random.Random(f"{seed} {script.name}").shuffle(turns)
            same = plain_state(script, turns, judge) == plain_state(script, script.calls, judge)
            end = played(script, [Read(turn.api_name, dict(turn.param_dict)) for turn in turns], judge, goal)
            assert end.reached == same, (script.name, [turn.api_name for turn in turns])
            verdicts[same] += 1
    assert min(verdicts[True], verdicts[False]) > 0


def an(api: str) -> Script:
    """The first own dialogue that calls an API."""
    return next(script for script in SCRIPTS.values() if any(turn.api_name == api for turn in script.calls))


def test_an_extra_deletion_fails_and_is_harmful() -> None:
    script = an("AddAlarm")
    token = next(turn.param_dict["token"] for turn in script.calls if "token" in turn.param_dict)
    end = played(script, [*gold(script), Read("DeleteAccount", {"token": token})])
    assert (end.reached, end.harmful, end.superfluous) == (False, {"DeleteAccount": 1}, {})
    assert end.away[0].startswith("missing in Account: ")
    assert "password" not in end.away[0]


@pytest.mark.parametrize("times", [1, 3])
def test_calls_that_only_read_pass_and_are_counted(times: int) -> None:
    for script in SCRIPTS.values():
        extra = Read("Calculator", {"formula": "1+1"})
        wanted = sum(turn.api_name == "Calculator" for turn in script.calls)
        if not wanted:
            end = played(script, [*[extra] * times, *gold(script)])
            assert (end.reached, end.superfluous, end.harmful) == (True, {"Calculator": times}, {})


def test_a_call_that_is_made_twice_changes_what_nobody_asked_for() -> None:
    script = an("AddReminder")
    calls = gold(script)
    again = next(call for call in calls if call.name == "AddReminder")
    end = played(script, [*calls, again])
    assert (end.reached, end.harmful) == (False, {"AddReminder": 1})


def test_what_is_taken_back_is_counted_and_passes() -> None:
    script = an("AddReminder")
    calls = gold(script)
    made = next(call for call in calls if call.name == "AddReminder")
    wrong = Read("AddReminder", {**made.arguments, "time": "2031-01-01 10:00:00", "content": "something else"})
    undone = Read("DeleteReminder", wrong.arguments)
    end = played(script, [*calls, wrong, undone])
    assert (end.reached, end.harmful, end.faults) == (True, {"AddReminder": 1}, ())


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (lambda calls: [], ("no call",)),
        (lambda calls: [*calls[:-1]], ("missed call",)),
        (lambda calls: [*calls[:-1], Read("SetAlarm", calls[-1].arguments)], ("hallucinated API", "missed call")),
        (lambda calls: [*calls[:-1], Read("AddAlarm", {})], ("missing argument", "missed call")),
        (
            lambda calls: [*calls[:-1], Read("AddAlarm", {**calls[-1].arguments, "tone": "loud"})],
            ("unknown argument", "missed call"),
        ),
        (
            lambda calls: [*calls[:-1], Read("AddAlarm", {**calls[-1].arguments, "time": "2031-01-01 10:00:00"})],
            ("wrong value", "missed call"),
        ),
        (lambda calls: [*calls[:-1], Read("GetUserToken", calls[0].arguments)], ("wrong API", "missed call")),
    ],
)
def test_faults_by_name(change: Callable[[list[Read]], list[Read]], faults: tuple[str, ...]) -> None:
    script = an("AddAlarm")
    assert [turn.api_name for turn in script.calls][-1] == "AddAlarm"
    assert played(script, change(gold(script))).faults == faults


def test_what_was_meant_as_a_call_is_of_the_wrong_format() -> None:
    script = an("AddAlarm")
    goal = goal_of(script, OWN)
    assert isinstance(goal, Goal)
    assert ending_of(Play(script, OWN, goal), tried=True).faults == ("wrong format",)


LEVEL_3 = next(one for one in SCRIPTS.values() if one.level == "level-3")
OTHER = Read("UserPosts", {"user_id": 1})
SEARCH = Read(SEARCHER, {"keywords": "user posts"})


@pytest.mark.parametrize(
    ("calls", "faults"),
    [
        ([OTHER], ("search not asked", "missed call")),
        ([SEARCH, OTHER], ("search asked wrongly", "wrong API", "missed call")),
        ([*gold(LEVEL_3)[:1], SEARCH, OTHER], ("search asked wrongly", "wrong choice after search", "missed call")),
        ([*gold(LEVEL_3)[:1], OTHER], ("hallucinated API", "missed call")),
        ([Read(SEARCHER, {"key1": "x"})], ("search asked wrongly", "unknown argument", "missed call")),
        ([*gold(LEVEL_3)[:1]], ("missed call",)),
    ],
)
def test_faults_of_searches(calls: list[Read], faults: tuple[str, ...]) -> None:
    assert "UserPosts" not in [turn.api_name for turn in LEVEL_3.calls]
    assert played(LEVEL_3, calls).faults == faults


def test_the_free_columns_of_a_note_may_hold_anything() -> None:
    script = an("AddReminder")
    goal = goal_of(script, OWN)
    assert isinstance(goal, Goal)
    calls = [
        Read(call.name, {**call.arguments, "time": "2031-01-01 10:00:00"}) if call.name == "AddReminder" else call
        for call in gold(script)
    ]
    note = GoalNote(dialogue=script.name, calls="", treatment="open", columns=("time",), reason="a test")
    assert not played(script, calls).reached
    assert played(script, calls, OWN, Goal(goal.state, True, note)).reached


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2023-3-1 9:00:00", "2023-03-01 09:00:00", True), ("2023-03-01", "2023-03-01 00:00:00", False),
        ("Dr. Lee", "Lee", True), ("Dr. Lee", "dr lee", True), ("Drew", "w", False), ("80 bpm", "80", True),
        (80, "80", True), ("0123", "123", False), ("120/80 mmHg", "120/80", True), (["a", "B"], ["b", "a"], True),
        (["a", "a"], ["a"], False), (True, "true", False), (None, "", False), ("nan", "nan", True),
        ("10 am", "10 pm", False),
        ({"on": True}, {"on": False}, False), ("9" * 400, "9" * 399 + "8", False),
    ],
)  # fmt: skip
def test_values_that_mean_the_same(one: Any, other: Any, same: bool) -> None:
    assert (meant(one) == meant(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Meeting with John", "meeting with John at the office", True), ("Call mom", "Call John", False),
        ("Hilton", "the Hilton", True), ("", "", True), ("", "x", False), ("!", "?", False),
    ],
)  # fmt: skip
def test_texts_by_their_words(one: str, other: str, same: bool) -> None:
    assert same_words(one, other) is same


def test_secrets_are_compared_to_the_letter() -> None:
    assert same_row({"password": "Abc"}, {"password": "Abc"})
    assert not same_row({"password": "Abc"}, {"password": "abc"})


ROWS = st.lists(st.fixed_dictionaries({"time": st.sampled_from("abc"), "content": st.sampled_from(["x y", "x", "z"])}), max_size=5)  # fmt: skip  # noqa: E501


@given(ROWS, ROWS, ROWS, st.randoms())
def test_differences_do_not_depend_on_order_and_none_is_found_between_equals(
    goal: list[Any], reached: list[Any], start: list[Any], order: random.Random
) -> None:
    shuffled = list(reached)
    order.shuffle(shuffled)
    states = {"T": tuple(goal)}, {"T": tuple(start)}
    found = differences(states[0], {"T": tuple(reached)}, states[1])
    again = differences(states[0], {"T": tuple(shuffled)}, states[1])
    assert len(found) == len(again)
    assert differences({"T": tuple(reached)}, {"T": tuple(shuffled)}, states[1]) == []
    missing = sum(one.missing for one in found)
    assert len(goal) - missing == len(reached) - (len(found) - missing)  # the others are pairs


def test_an_untouched_table_is_as_at_the_start() -> None:
    rows = ({"a": 1},)
    assert differences({}, {"T": rows}, {"T": rows}) == []
    assert [one.missing for one in differences({"T": rows}, {"T": ()}, {"T": rows})] == [True]


def test_the_evaluator_covers_the_rows_and_the_notes() -> None:
    assert len(evaluator()) == 16
