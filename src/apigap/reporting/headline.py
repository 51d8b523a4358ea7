"""The finding of a report in words: what single questions say first, then tasks, each of as many as were asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from apigap.reporting.cells import API_USABLE, Cells, cells_of
from apigap.reporting.ladder_model import Ladder, LadderMeasure
from apigap.reporting.model import AuditReport
from apigap.reporting.tables import ConditionSummary, summary_rows

SAID = {
    "exists: told apart": "tells {} from invented names",
    "signature: choice": "picks the parameters of {}",
    "effect: choice": "foresees the effect of {}",
    "call: passes": "can call {}",
}
"""Measures of right and wrong answers, in the words of a headline; others are told in tables alone."""


@dataclass(frozen=True)
class Headline:
    """The finding, and the counts behind it.

    `text` is the sentences of `ladder` (empty without one), of the rungs `below` which the model is, and of `tasks`.
    Without knowledge the model passes `passed`
    of the `asked` tasks that have a verdict. `best` is the condition with which it passes most tasks (the shorter
    prompt where two do), where that is more; then it passes `helped`.
    """

    ladder: str
    below: str
    tasks: str
    asked: int
    passed: int
    helped: int
    best: ConditionSummary | None

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(sentence for sentence in (self.ladder, self.aside) if sentence)

    @property
    def aside(self) -> str:
        """The sentences after the finding: the rungs below which the model is, and tasks."""
        return " ".join(sentence for sentence in (self.below, self.tasks) if sentence)


def headline(report: AuditReport, rows: Sequence[ConditionSummary] | None = None) -> Headline:
    """The finding in words; `rows` are the report's `summary_rows`, where they are at hand already."""
    rows = summary_rows(report) if rows is None else rows
    cells, baseline = cells_of(report), report.conditions[0].name
    judged = [task.task_id for task in report.tasks if cells[task.task_id, baseline].rate is not None]
    passed = {row.condition: _passed(judged, row.condition, cells) for row in rows}
    better = [row for row in rows[1:] if passed[row.condition] > passed[baseline]]
    best = min(better, key=lambda row: (-passed[row.condition], row.prompt_characters), default=None)
    helped = passed[best.condition] if best else 0
    finding, below = ladder_sentences(report.ladder, report.model) if report.ladder else ("", "")
    return Headline(
        ladder=finding,
        below=below,
        tasks=_tasks(report, len(judged), passed[baseline], best, helped),
        asked=len(judged),
        passed=passed[baseline],
        helped=helped,
        best=best,
    )


def ladder_sentences(ladder: Ladder, model: str) -> tuple[str, str]:
    """The finding of single questions on the rungs on which they tell anything; and on which they do not."""
    names = " and ".join(f"{one.library} {one.new_version}" for one in ladder.libraries)
    said = [one for one in ladder.measures if one.measure in SAID and one.new.apis]
    if not said:
        return f"No single question was put to {model} about {names}.", ""
    which = f"Of the {ladder.chosen} APIs of {names} that matter most"
    told = [one for one in said if not one.is_below_the_rung]
    below = [one for one in said if one.is_below_the_rung]
    if not told:
        return f"{which}, single questions tell nothing: {model} is below every rung, {_at_chance(below)}.", ""
    new = _joined([SAID[one.measure].format(f"{one.new.right} of {one.new.apis}") for one in told])
    sentence = f"{which}, {model} {new}; {_controls(told)}."
    if not below:
        return sentence, ""
    return sentence, f"It is below the rung in “{_joined([one.measure for one in below])}”, {_at_chance(below)}."


def _controls(told: Sequence[LadderMeasure]) -> str:
    if not any(one.control.apis for one in told):
        return "no old one is like them, so no gap is stated"
    few = ", too few to state a gap" if any(one.has_few_controls for one in told) else ""
    if all(one.control.apis == one.new.apis for one in told):
        return f"of as many matched old ones {_joined([str(one.control.right) for one in told])}{few}"
    return f"of matched old ones {_joined([f'{one.control.right} of {one.control.apis}' for one in told])}{few}"


def _at_chance(below: Sequence[LadderMeasure]) -> str:
    scores = [f"{one.control.mean or 0:.2f} over {one.control.apis} against {one.chance:.2f}" for one in below]
    return f"since old ones are not surely above chance there ({_joined(scores)})"


def _tasks(report: AuditReport, asked: int, passed: int, best: ConditionSummary | None, helped: int) -> str:
    if not report.tasks:
        return f"{report.model} was asked no task."
    if not asked:
        return f"No answer of {report.model} to {_counted(len(report.tasks))} could be judged."
    told = f"Of {_counted(asked)} that {'was' if asked == 1 else 'were'} asked, {report.model} passed {passed} without"
    if len(report.conditions) == 1:
        return f"{told} knowledge."
    if best is None:
        return f"{told} knowledge; with no documentation that was tried more."
    return f"{told} knowledge, {helped} with {best.title}."


def _passed(tasks: Sequence[str], condition: str, cells: Cells) -> int:
    """The number of tasks of which at least half of the judged answers pass."""
    return sum((cells[task, condition].rate or 0) >= API_USABLE for task in tasks)


def _counted(tasks: int) -> str:
    return f"{tasks} task{'' if tasks == 1 else 's'}"


def _joined(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
