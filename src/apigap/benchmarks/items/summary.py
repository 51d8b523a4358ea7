"""The figures of items: per rung and form the rates of new APIs and of controls, the gap, and what is not guessed."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from apigap.benchmarks.items.scores import (
    CHANCES,
    MEASURES,
    ApiScore,
    answers_of,
    api_scores,
    asked_items,
    scores_by_family,
)
from apigap.evaluation.summary import Summary, Table, count_words, number
from apigap.records.questions.ladder import RUNGS, Group, LadderItem, Rung
from apigap.records.result import Result
from apigap.records.stated import Guessing, Stated
from apigap.statistics import Answers, Difference, gap, holm, knowledge, known_gap

_HERE = ""
"""The condition of a file of answers by itself, which needs no name."""


class Gap(Stated):
    """A measure's means over new APIs and controls, and the gap: controls minus new, paired, with 95 % interval.

    New APIs that are one piece of news, a family, count together as one in means and gap; so do their pairs.
    `adjusted` is the p-value after Holm's correction for all measures of the summary. `guessing` is None where no twin
    was asked.
    """

    measure: str
    chance: float
    new: float | None
    control: float | None
    libraries: int
    adjusted: float | None = None
    guessing: Guessing | None = None


class ItemsSummary(Summary):
    """The gaps by measure; how many answers could not be read, and how many choices changed with the order.

    `shown` counts, by rung, the reading checks: answers to prompts that had the right one in them; `cut` the answers
    that were ended before they were whole, which count nowhere.
    """

    items: int
    answered: int
    unread: dict[str, int]
    unstable: int | None
    gaps: tuple[Gap, ...]
    shown: dict[str, int] = {}
    cut: dict[str, int] = {}

    def tables(self) -> list[Table]:
        """A row per measure."""
        rows = [
            (
                one.measure, number(one.chance), number(one.control), number(one.new), str(one),
                number(one.adjusted), _counted(one),
            )
            for one in self.gaps
        ]  # fmt: skip
        head = ("measure", "chance", "controls", "new APIs", "gap", "p (Holm)", "pairs, pieces of news, libraries")
        tables = [Table("What the model knows of new APIs, and of unchanged ones like them", head, tuple(rows))]
        guessed = [
            (
                one.measure, number(one.guessing.control_twins), str(one.guessing.control_known),
                number(one.guessing.twins), str(one.guessing.known), str(one.guessing.known_gap),
            )
            for one in self.gaps
            if one.guessing
        ]  # fmt: skip
        head = (
            "measure", "twins of controls", "controls above them", "twins of new APIs", "new APIs above them",
            "gap above twins",
        )  # fmt: skip
        title = "What guessing gives: the same questions with names that nobody can know"
        return [*tables, Table(title, head, tuple(guessed))] if guessed else tables

    def notes(self) -> list[str]:
        """Answers that are missing, cannot be read, or change with the order of the options."""
        lines = [f"{self.answered} of {self.items} items are answered"]
        unread = {rung: count for rung, count in self.unread.items() if count}
        if unread:
            lines.append(f"answers that cannot be read, counted as wrong: {unread}")
        if self.cut:
            lines.append(f"answers that were cut before they were whole, and count nowhere: {count_words(self.cut)}")
        if self.unstable is not None:
            lines.append(f"choices that change with the order of the options: {self.unstable}")
        if self.shown:
            lines.append(f"reading checks, whose prompts had the answer in them: {self.shown}")
        return lines


def _counted(one: Gap) -> str:
    return f"{one.pairs}, {one.families}, {one.libraries}"


def summarise_items(items: Sequence[LadderItem], results: Sequence[Result], answered_only: bool = True) -> ItemsSummary:
    """The figures of results; items without an answer are counted, and left out or else wrong."""
    scores = api_scores(items, results, answered_only)
    by_id = {item.task_id: item for item in items}
    unread: dict[str, int] = defaultdict(int)
    for result in results:
        unread[by_id[result.task_id].rung] += result.outcome != "cut" and not result.detail.get("read", True)
    shown = Counter(by_id[result.task_id].rung for result in results if result.detail.get("shown"))
    cut = Counter(by_id[result.task_id].rung for result in results if result.outcome == "cut")
    answered = {result.task_id for result in results}
    return ItemsSummary(
        items=len(asked_items(items, answered)),
        answered=len(answered),
        unread=dict(sorted(unread.items())),
        unstable=_unstable(items, results),
        gaps=gaps_of(scores),
        shown={rung: shown[rung] for rung in RUNGS if shown[rung]},
        cut={rung: cut[rung] for rung in RUNGS if cut[rung]},
    )


def gaps_of(scores: Sequence[ApiScore]) -> tuple[Gap, ...]:
    """The gap by each measure that was asked; their p-values are corrected as one family."""
    return _adjusted([_gap_of(name, scores) for name in MEASURES if any(s.measure == name for s in scores)])


def _unstable(items: Sequence[LadderItem], results: Sequence[Result]) -> int | None:
    """The number of choices whose two orders got different options; None where only one order was asked."""
    chosen: dict[tuple[Rung, str, str, Group], dict[int, str]] = defaultdict(dict)
    options = {result.task_id: result.detail["chosen"] for result in results if "chosen" in result.detail}
    for item in items:
        if item.task_id in options:
            chosen[item.rung, item.asked_name, item.pair, item.group][item.order] = options[item.task_id]
    both = [row for row in chosen.values() if len(row) == 2]
    return sum(len(set(row.values())) > 1 for row in both) if both else None


def _gap_of(measure: str, scores: Sequence[ApiScore]) -> Gap:
    own = [one for one in scores if one.measure == measure]
    chance = CHANCES[measure]
    answers = answers_of([(one, _HERE) for one in own])
    found = gap(answers, _HERE, chance)
    return Gap(
        measure=measure,
        chance=chance,
        new=_mean(own, "new"),
        control=_mean(own, "control"),
        libraries=found.libraries,
        guessing=_guessing(own, answers),
        **_stated(found).model_dump(),
    )


def _guessing(scores: Sequence[ApiScore], answers: Answers) -> Guessing | None:
    twins, control_twins = _mean(scores, "twin"), _mean(scores, "control twin")
    if twins is None and control_twins is None:
        return None
    return Guessing(
        twins=twins,
        control_twins=control_twins,
        known=_stated(knowledge(answers, _HERE)),
        control_known=_stated(knowledge(answers, _HERE, of="control")),
        known_gap=_stated(known_gap(answers, _HERE)),
    )


def _stated(found: Difference) -> Stated:
    return Stated(
        estimate=found.estimate, low=found.low, high=found.high, p_value=found.p_value, pairs=found.pairs,
        families=found.families, reason=found.reason,
    )  # fmt: skip


def _adjusted(gaps: Sequence[Gap]) -> tuple[Gap, ...]:
    """The gaps with p-values that are corrected by Holm as one family."""
    corrected = iter(holm([one.p_value for one in gaps if one.p_value is not None]))
    return tuple(one if one.p_value is None else one.model_copy(update={"adjusted": next(corrected)}) for one in gaps)


def _mean(scores: Sequence[ApiScore], group: Group) -> float | None:
    own = scores_by_family([one for one in scores if one.group == group])
    return sum(own) / len(own) if own else None
