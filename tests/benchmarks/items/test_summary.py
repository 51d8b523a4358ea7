"""Scores by API, and the gap between new APIs and their controls."""

import pytest

from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.scores import api_scores
from apigap.benchmarks.items.summary import summarise_items
from apigap.benchmarks.items.verdict import verdict
from apigap.models.options import OptionScore, OptionScores
from apigap.records.questions.ladder import Group, LadderItem
from apigap.records.result import Result
from tests.benchmarks.items.made import OPTIONS, YES_NO, item


def pair_of(number: int, group: Group, library: str) -> tuple[LadderItem, LadderItem]:
    name = f"{library}.{group}{number}"
    own = {**YES_NO, "api_name": name, "pair": f"{library}.new{number}", "group": group, "library": library}
    return (
        item(**own, subject=name, right=0, question=f"Does {name} exist?"),
        item(**own, subject=f"{name}x", right=1, question=f"Does {name}x exist?"),
    )


def odds(value: float) -> str:
    return OptionScores(
        scores=(OptionScore(log_probability=value, tokens=1), OptionScore(log_probability=0.0, tokens=1))
    ).to_line()


def judged(one: LadderItem, answer: str) -> Result:
    return verdict(one, read(answer, one))


@pytest.mark.parametrize(
    "real, invented, score",
    [
        ("Yes", "No", 1.0),
        ("Yes", "Yes", 0.5),  # who always says yes knows nothing
        ("No", "No", 0.5),
        ("No", "Yes", 0.0),
        (odds(-1.0), odds(-2.0), 1.0),  # both are said not to exist, and told apart all the same
        (odds(3.0), odds(3.0), 0.5),
        (odds(1.0), odds(2.0), 0.0),
    ],
)
def test_a_name_and_an_invented_one_are_told_apart(real: str, invented: str, score: float) -> None:
    first, second = pair_of(0, "new", "lib")
    scores = api_scores([first, second], [judged(first, real), judged(second, invented)])
    assert [one.score for one in scores] == [score]
    assert not api_scores([first, second], [judged(first, real)])  # one alone tells nothing


def test_news_that_several_apis_tell_counts_once() -> None:
    """Six APIs that share a piece of news are answered wrongly, six others are not: a seventh is wrong, not a half."""
    items: list[LadderItem] = []
    results: list[Result] = []
    for number in range(12):
        for group in ("new", "control"):
            is_wrong = group == "new" and number < 6
            own = {"family": "lib.new0"} if number in range(1, 6) else {}
            pair = [one.model_copy(update={"task_id": ""}) for one in pair_of(number, group, "lib")]
            pair = [LadderItem.model_validate({**one.model_dump(), **own}) for one in pair]
            items += pair
            results += [judged(pair[0], odds(-1.0)), judged(pair[1], odds(1.0 if is_wrong else -2.0))]
    (found,) = summarise_items(items, results).gaps
    assert (found.pairs, found.families, found.control) == (12, 7, 1.0)
    assert found.new == pytest.approx(6 / 7) and found.estimate == pytest.approx(1 / 7)


def test_the_gap_is_of_matched_pairs() -> None:
    items: list[LadderItem] = []
    results: list[Result] = []
    for number in range(12):
        answers: dict[Group, str] = {"control": odds(-3.0), "new": odds(1.0 if number % 2 else -3.0)}
        for group, invented in answers.items():
            pair = pair_of(number, group, f"lib{number % 3}")
            items += pair
            results += [judged(pair[0], odds(0.0)), judged(pair[1], invented)]
    (gap,) = summarise_items(items, results).gaps
    assert (gap.measure, gap.control, gap.new, gap.estimate) == ("exists: told apart", 1.0, 0.5, 0.5)
    assert gap.low is not None and 0 < gap.low < 0.5
    assert (gap.pairs, gap.libraries) == (12, 3)


def test_controls_at_chance_state_no_gap() -> None:
    items = [one for n in range(10) for g in ("control", "new") for one in pair_of(n, g, "lib")]
    (gap,) = summarise_items(items, [judged(one, "Yes") for one in items]).gaps
    assert gap.estimate is None
    assert gap.reason is not None and "below the rung" in gap.reason


def test_orders_that_disagree_are_half_a_point_and_counted_and_so_is_what_cannot_be_read() -> None:
    own = {"rung": "signature", "form": "choice", "question": "Which?"}
    first = item(**own, options=OPTIONS, right=2, order=1)
    second = item(**own, options=OPTIONS[::-1], right=1, order=2)
    results = [judged(first, "C"), judged(second, "C")]
    summary = summarise_items([first, second], results)
    assert [one.score for one in api_scores([first, second], results)] == [0.5]
    assert (summary.unstable, summary.unread) == (1, {"signature": 0})
    unread = summarise_items([first, second], [judged(first, "hm"), judged(second, "B")])
    assert (unread.unstable, unread.unread) == (None, {"signature": 1})
    assert any("cannot be read" in line for line in unread.notes())
    assert (summary.items, summarise_items([first, second], results[:1]).items) == (2, 1)
    wrong = summarise_items([first, second], [judged(first, "A"), judged(second, "A")])
    assert wrong.unstable == 1  # two wrong options, and not the same one


def test_what_has_no_answer_counts_as_wrong_unless_it_is_left_out() -> None:
    items = [one for n in range(2) for one in pair_of(n, "control", "lib")]
    results = [judged(items[0], "Yes"), judged(items[1], "No")]
    assert [one.score for one in api_scores(items, results)] == [1.0]
    assert [one.score for one in api_scores(items, results, answered_only=False)] == [1.0, 0.0]


@pytest.mark.parametrize("answer, known", [(True, 1.0), (False, 0.0)])
def test_what_twins_are_answered_as_well_is_guessed(answer: bool, known: float) -> None:
    """Twelve new APIs are told from invented names; so are their twins, or not."""
    items: list[LadderItem] = []
    results: list[Result] = []
    for number in range(12):
        for group in ("control", "new"):
            pair = pair_of(number, group, f"lib{number % 3}")
            twin = pair[0].model_copy(update={"subject": "t", "group": "twin" if group == "new" else "control twin"})
            twin = LadderItem.model_validate({**twin.model_dump(exclude={"task_id"}), "twin": "t"})
            items += [*pair, twin]
            results += [judged(pair[0], odds(0.0)), judged(pair[1], odds(-3.0))]
            results.append(judged(twin, odds(-6.0 if answer else 0.0)))
    (gap,) = summarise_items(items, results).gaps
    assert gap.guessing is not None
    assert (gap.new, gap.guessing.twins, gap.guessing.known.estimate) == (1.0, 1.0 - known, known)
    assert (gap.guessing.control_twins, gap.guessing.control_known.estimate) == (1.0 - known, known)
    assert (gap.estimate, gap.guessing.known_gap.estimate) == (0.0, 0.0)
    assert gap.guessing.known.pairs == 12
    shown = summarise_items(items, results).tables()
    assert [len(table.rows) for table in shown] == [1, 1]


def test_p_values_of_gaps_are_corrected_as_one_family() -> None:
    items: list[LadderItem] = []
    results: list[Result] = []
    for number in range(12):
        for group in ("control", "new"):
            pair = pair_of(number, group, "lib")
            right = group == "control" or number % 2 == 0
            choice = item(
                rung="signature", form="choice", question="Which?", options=OPTIONS, right=2, group=group,
                api_name=pair[0].api_name, pair=pair[0].pair, library="lib",
            )  # fmt: skip
            items += [*pair, choice]
            results += [judged(pair[0], odds(0.0)), judged(pair[1], odds(-1.0 if right else 1.0))]
            results.append(judged(choice, "C" if right else "A"))
    first, second = summarise_items(items, results).gaps
    assert first.p_value is not None and first.adjusted is not None
    assert first.p_value < 0.05 and first.adjusted == pytest.approx(2 * first.p_value)
    assert second.adjusted == first.adjusted


@pytest.mark.parametrize("answered_only", [True, False])
def test_what_was_cut_is_no_wrong_answer(answered_only: bool) -> None:
    asked = item(
        rung="signature", form="parameters", truth=("rows",), begin="def pivot(", question="Write `lib.pivot`."
    )
    whole = verdict(asked, read("def pivot(rows", asked))
    cut = whole.model_copy(update={"outcome": "cut", "passed": False, "score": 0.0})
    found = summarise_items([asked], [cut], answered_only)
    assert (found.gaps, found.cut, found.unread) == ((), {"signature": 1}, {"signature": 0})
    assert any("cut before they were whole" in note for note in found.notes())
