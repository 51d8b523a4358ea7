"""The ladder as the template shows it: a mark per API and measure, with a link to the questions behind it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from apigap.reporting.cells import Chip
from apigap.reporting.figures import Rung, ladder_figure
from apigap.reporting.ladder_model import Ladder, LadderApi, LadderMark, LadderQuestion, Mark
from apigap.reporting.ladder_tables import (
    BALANCE,
    KNOWLEDGE,
    MEASURES,
    TWINS,
    answer_lines,
    balance_rows,
    cost_line,
    knowledge_rows,
    loss_rows,
    measure_rows,
    twin_rows,
)

MARKS: dict[Mark, tuple[str, str, str]] = {
    "right": ("✓", "pass", "right"),
    "partly": ("½", "partly", "partly right"),
    "wrong": ("✗", "wrong", "wrong"),
    "unread": ("?", "suspect", "cannot be read"),
    "not asked": ("·", "missing", "not asked"),
}
"""Of each mark what a cell shows, its class, and words."""


@dataclass(frozen=True)
class OptionView:
    """An option of a question: its text, its probability in per cent, and whether it is right and was chosen."""

    text: str
    share: str
    is_right: bool
    is_chosen: bool


@dataclass(frozen=True)
class QuestionView:
    """A question with its options, or with the text that was wanted and the one that was given."""

    question: LadderQuestion
    mark: Chip
    options: tuple[OptionView, ...]


@dataclass(frozen=True)
class LadderApiView:
    """An API: its marks (new, control) per measure, and the questions about it and about its control."""

    anchor: str
    api: LadderApi
    marks: tuple[tuple[Chip, Chip], ...]
    new: tuple[QuestionView, ...]
    control: tuple[QuestionView, ...]


@dataclass(frozen=True)
class LadderView:
    """All of the ladder that the template needs."""

    ladder: Ladder
    figure: Markup
    apis: tuple[LadderApiView, ...]
    measures: list[tuple[str, ...]]
    knowledge: list[tuple[str, ...]]
    losses: list[tuple[str, ...]]
    cost: str
    answers: list[str]
    marks: Mapping[Mark, tuple[str, str, str]]
    twins: list[tuple[str, ...]]
    balance: list[tuple[str, ...]]
    measure_heads: Sequence[str] = MEASURES
    twin_heads: Sequence[str] = TWINS
    knowledge_heads: Sequence[str] = KNOWLEDGE
    balance_heads: Sequence[str] = BALANCE


def ladder_view(ladder: Ladder) -> LadderView:
    """Count and arrange; the figure is drawn here."""
    asked: defaultdict[tuple[str, str], list[LadderQuestion]] = defaultdict(list)
    for question in ladder.questions:
        asked[question.library, question.pair].append(question)
    rungs = [
        Rung(one.measure, one.chance, (one.new.mean, one.new.low, one.new.high),
             (one.control.mean, one.control.low, one.control.high))
        for one in ladder.measures
    ]  # fmt: skip
    return LadderView(
        ladder=ladder,
        figure=Markup(ladder_figure(rungs).inline()) if rungs else Markup(),  # noqa: S704 - matplotlib escapes it
        apis=tuple(
            _api(f"l{number}", api, asked[api.library, api.api_name]) for number, api in enumerate(ladder.apis, start=1)
        ),
        measures=measure_rows(ladder),
        knowledge=knowledge_rows(ladder),
        twins=twin_rows(ladder),
        losses=loss_rows(ladder, names=None),
        balance=balance_rows(ladder),
        cost=cost_line(ladder.cost, ladder.way),
        answers=answer_lines(ladder),
        marks=MARKS,
    )


def _api(anchor: str, api: LadderApi, questions: Sequence[LadderQuestion]) -> LadderApiView:
    new, control = (
        tuple(_question(anchor, one) for side in sides for one in questions if one.side == side)
        for sides in (("new", "twin"), ("control", "control twin"))
    )
    return LadderApiView(anchor, api, tuple(_marks(anchor, api, one) for one in api.marks), new, control)


def _marks(anchor: str, api: LadderApi, one: LadderMark) -> tuple[Chip, Chip]:
    why = f" ({one.reason})" if one.reason else _guessed(one.new_score, one.twin_score)
    control = f"its control {api.control}" if api.control else "no control is like it"
    old = _guessed(one.control_score, one.control_twin_score)
    return (
        _mark(anchor, one.new, one.new_score, f"{one.measure}: {{}}{why}"),
        _mark(anchor, one.control, one.control_score, f"{one.measure}, {control}: {{}}{old}"),
    )


def _guessed(score: float | None, twin: float | None) -> str:
    """Words on a mark that tells nothing, since the twin that nobody can know got as much."""
    return " (its twin too: it can be guessed)" if score and twin is not None and twin >= score else ""


def _mark(anchor: str, mark: Mark, score: float | None, words: str) -> Chip:
    code, tone, meaning = MARKS[mark]
    if mark == "partly" and score is not None:
        code = f"{score:.2f}".removeprefix("0")
    return Chip(anchor, code, tone, words.replace("{}", meaning))


def _question(anchor: str, one: LadderQuestion) -> QuestionView:
    shares = [f"{100 * share:.0f} %" for share in one.shares] or [""] * len(one.options)
    options = tuple(
        OptionView(text, share, text == one.wanted, text == one.answer)
        for text, share in zip(one.options, shares, strict=True)
    )
    return QuestionView(one, _mark(anchor, one.mark, one.score, "{}"), options)
