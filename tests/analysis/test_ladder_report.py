"""The ladder's part of a report: marks, gaps, cures and reading checks of answers made by hand."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from apigap.analysis.ladder_report import LadderCell, LadderStudy, is_reading_check
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.ladder.kept import KeptItems
from apigap.ladder.make import ItemsReport, Loss
from apigap.records.questions.ladder import Group, LadderItem
from apigap.records.result import Prediction
from apigap.records.target import Target
from apigap.reporting.ladder_model import Ladder, LadderCost
from apigap.reporting.ladder_tables import answer_lines
from apigap.reporting.model import Condition
from tests.benchmarks.items.made import OPTIONS, item
from tests.ladder.made import api

EXISTS, CHOICE, NAMES = "exists: told apart", "signature: choice", "signature: F1 of names"
TARGET = Target("lib", "1", "2")
CANDIDATES = [api("lib.b", score=0.9), api("lib.a", score=0.5), api("lib.lost", score=0.7)]
NEW = ["lib.a", "lib.b", "lib.c", "lib.d", "lib.e", "lib.f"]


def about(name: str, pair: str, group: Group) -> list[LadderItem]:
    leaf = name.rpartition(".")[2]
    own = {"api_name": name, "pair": pair, "group": group, "change": "added" if group == "new" else "unchanged"}
    yes_no = {"rung": "exists", "form": "yes or no", "options": ("Yes", "No"), **own}
    return [
        item(**yes_no, right=0, subject=name, question=f"Does `{name}` exist?"),
        item(**yes_no, right=1, subject=f"{name}_x", question=f"Does `{name}_x` exist?"),
        item(
            rung="signature", form="choice", options=OPTIONS, right=2, question=f"Which parameters has `{name}`?", **own
        ),
        item(
            rung="signature", form="parameters", truth=("rows", "margins"), question=f"Write `{name}`.",
            begin=f"def {leaf}(", **own,
        ),
    ]  # fmt: skip


def answers_of(items: Iterable[LadderItem], knows: Iterable[str], said: str = "") -> LadderCell:
    """The answers of a model that knows the APIs `knows`; on the others it says `said`, or picks the first option."""
    predictions: list[Prediction] = []
    for one in items:
        first = "rows)" if one.form == "parameters" else one.options[0] if one.form == "yes or no" else "A"
        right = f"{', '.join(one.truth)}):" if one.right is None else "ABCD"[one.right]
        right = one.options[one.right or 0] if one.form == "yes or no" else right
        answer = right if one.api_name in knows else said or first
        predictions.append(Prediction(task_id=one.task_id, samples=((one.begin if answer != said else "") + answer,)))
    asked = {one.task_id: one for one in items}
    results = [verdict(asked[p.task_id], read(p.samples[0], asked[p.task_id])) for p in predictions]
    return LadderCell(Condition(name="baseline", title="no knowledge"), predictions, results)


def shown(cell: LadderCell, condition: str) -> LadderCell:
    return LadderCell(Condition(name=condition, title=condition), cell.predictions, cell.results)


def kept(items: list[LadderItem], losses: tuple[Loss, ...] = (), pairs: int = 6) -> KeptItems:
    report = ItemsReport(
        library="lib", old_version="1", new_version="2", candidates=9, chosen=6, pairs=pairs, pool=pairs,
        steady_since="0.1", yields=(), balance=(), losses=losses, notes=("read as text",),
    )  # fmt: skip
    return KeptItems(TARGET, Path("items.jsonl"), items, report)


def ladder_of(made: KeptItems, *cells: LadderCell) -> Ladder:
    cost = LadderCost(questions=1, seconds=1.0, input_tokens=None, output_tokens=None)
    no_task = {("lib", "lib.a"): "no task could be made of it"}
    return LadderStudy([made], cells, {"lib": CANDIDATES}, no_task, "letters", cost).report(["lib: read as text"])


PAIRED = [one for name in NEW for one in [*about(name, name, "new"), *about(f"{name}.old", name, "control")]]
OLD = [f"{name}.old" for name in NEW]


def test_marks_follow_importance_and_say_what_was_not_asked() -> None:
    lost = Loss(rung="exists", reason="it gained no parameter", apis=("lib.lost",))
    made = ladder_of(kept(PAIRED, (lost,)), answers_of(PAIRED, {"lib.b", *OLD}))
    assert [one.api_name for one in made.apis] == ["lib.b", "lib.lost", "lib.a", "lib.c", "lib.d", "lib.e", "lib.f"]
    first, second, third, *_ = made.apis
    assert [one.new for one in first.marks] == ["right", "right", "right"]
    assert [(one.new, one.reason) for one in second.marks] == [
        ("not asked", "it gained no parameter"),
        ("not asked", "no such question could be made of it"),
        ("not asked", "no such question could be made of it"),
    ]
    assert [one.new for one in third.marks] == ["partly", "wrong", "partly"]
    assert [one.control for one in third.marks] == ["right"] * 3
    assert (third.control, third.no_task) == ("lib.a.old", "no task could be made of it")
    assert not made.notes  # what is told already is not told twice


def test_the_gap_and_the_counts_are_of_all_that_were_asked() -> None:
    made = ladder_of(kept(PAIRED), answers_of(PAIRED, {"lib.b", *OLD}))
    by = {one.measure: one for one in made.measures}
    assert list(by) == [EXISTS, CHOICE, NAMES]
    assert (by[CHOICE].new.right, by[CHOICE].new.apis, by[CHOICE].control.right) == (1, 6, 6)
    assert by[CHOICE].gap == pytest.approx(5 / 6) and by[CHOICE].reason is None
    assert not by[CHOICE].is_below_the_rung


def test_below_the_rung_no_gap_is_stated() -> None:
    made = ladder_of(kept(PAIRED), answers_of(PAIRED, {"lib.b"}))
    choice = next(one for one in made.measures if one.measure == CHOICE)
    assert choice.is_below_the_rung and choice.gap is None
    assert choice.reason and "below the rung" in choice.reason


def test_what_cannot_be_read_is_told_apart_from_wrong() -> None:
    made = ladder_of(kept(PAIRED), answers_of(PAIRED, {*OLD}, said="I cannot say."))
    assert {mark.new for one in made.apis for mark in one.marks} == {"unread"}
    assert made.unread == 6 * 4
    assert {one.mark for one in made.questions if one.side == "new"} == {"unread"}
    assert {one.mark for one in made.questions if one.side == "control"} == {"right"}


def test_a_small_pool_of_controls_is_told() -> None:
    two = [one for one in PAIRED if one.group == "new" or one.pair in NEW[:2]]
    made = ladder_of(kept(two, pairs=2), answers_of(two, OLD))
    assert made.notes == ("lib: 2 of 6 new APIs have a matched control: 2 APIs are the same since 0.1",)
    assert made.apis[2].control is None
    exists = made.measures[0]
    assert (exists.gap, exists.is_below_the_rung) == (None, False)  # so few show nothing, not that it is below
    assert exists.reason == "there are 2 old APIs like them, and a gap needs 5"


def test_a_library_with_nothing_to_ask_is_a_ladder_that_says_so() -> None:
    nothing = KeptItems(TARGET, Path("items.jsonl"), [], None, "lib 1 -> 2: nothing is new")
    made = ladder_of(nothing)
    assert (made.measures, made.apis, made.chosen) == ((), (), 0)
    assert made.notes == ("lib: no single question is asked: lib 1 -> 2: nothing is new",)


def test_a_cure_is_set_against_what_knowledge_does_to_controls() -> None:
    without = answers_of(PAIRED, {*OLD})
    cured = shown(answers_of(PAIRED, {*OLD, *NEW}), "oracle.e")
    made = ladder_of(kept(PAIRED), without, cured)
    rows = {one.measure: one for one in made.knowledge}
    assert (rows[EXISTS].kind, rows[EXISTS].cure) == ("reading check", None)
    choice = rows[CHOICE]
    assert (choice.kind, choice.cure, choice.pairs) == ("cure", 1.0, 6)
    assert (choice.without, choice.with_knowledge) == (0.0, 1.0)


def test_one_piece_of_news_counts_once_without_and_with_knowledge() -> None:
    told = ("lib.b", "lib.c", "lib.d", "lib.e")
    items = [
        LadderItem.model_validate({**one.model_dump(exclude={"task_id"}), "family": "lib.b"})
        if one.pair in told[1:]
        else one
        for one in PAIRED
    ]
    cell = answers_of(items, {*OLD, *told})
    rows = {one.measure: one for one in ladder_of(kept(items), cell, shown(cell, "oracle.e")).knowledge}
    assert (rows[CHOICE].apis, rows[CHOICE].pairs, rows[CHOICE].families) == (6, 6, 3)
    assert rows[CHOICE].without == rows[CHOICE].with_knowledge == pytest.approx(1 / 3)


def test_without_controls_that_were_shown_anything_no_cure_is_stated() -> None:
    only_new = [one for one in PAIRED if one.group == "new"]
    made = ladder_of(kept(PAIRED), answers_of(PAIRED, {*OLD}), shown(answers_of(only_new, NEW), "oracle.m_prose"))
    choice = next(one for one in made.knowledge if one.measure == CHOICE)
    assert choice.cure is None and choice.with_knowledge == 1.0
    assert choice.reason and choice.reason.startswith("no control has a bundle")


@pytest.mark.parametrize(
    ("condition", "exists", "signature"),
    [
        ("baseline", False, False),
        ("oracle.s_name", True, False),
        ("oracle.s", True, True),
        ("oracle.e", True, False),
        ("oracle.m_prose", True, False),
        ("oracle.m_code", True, True),
        ("oracle.full", True, True),
    ],
)
def test_reading_checks(condition: str, exists: bool, signature: bool) -> None:
    assert is_reading_check("exists", condition) is exists
    assert is_reading_check("signature", condition) is signature
    assert not is_reading_check("call", condition)


def test_the_same_study_gives_the_same_record() -> None:
    first, second = (ladder_of(kept(PAIRED), answers_of(PAIRED, {"lib.b", *OLD})) for _ in range(2))
    assert first.to_line() == second.to_line()
    assert Ladder.from_line(first.to_line()) == first


def test_answers_that_were_cut_count_nowhere_and_are_told() -> None:
    items = [one for name in NEW for one in about(name, name, "new") if one.form == "parameters"]
    cell = answers_of(items, NEW)
    cut = [r.model_copy(update={"outcome": "cut", "passed": False, "score": 0.0}) for r in cell.results[:2]]
    ladder = ladder_of(kept(items), LadderCell(cell.condition, cell.predictions, [*cut, *cell.results[2:]]))
    assert ladder.cut == 2 and ladder.unread == 0
    (names,) = ladder.measures
    assert (names.new.apis, names.new.mean) == (4, 1.0)
    assert "answers that were cut before they were whole, and count nowhere: 2" in answer_lines(ladder)
