"""From verdicts to the report on a closing: rates, paired differences, prices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.closing.asker import Question, Rates, predictions_of, rates_of
from apigap.closing.pieces import PIECES, named, page_of
from apigap.closing.smallest import Choice, Combination
from apigap.models.spending.cell_cost import cost_of, read_times
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Result
from apigap.reporting.closing_model import TextRow, WayRow
from apigap.reporting.tools_model import Share
from apigap.statistics.intervals import clustered_wilson
from apigap.statistics.paired import paired_difference


@dataclass(frozen=True)
class MeasuredWay:
    """The verdicts of one way on the held-back tasks, and the folder of its answers."""

    way: str
    title: str
    folder: Path
    model: str
    results: Sequence[Result]


def way_row(measured: MeasuredWay, tasks: Sequence[Question], before: Rates | None) -> WayRow:
    """The row of a way; `before` are the rates without help, None for the row that is these."""
    rates = rates_of(measured.results)
    judged = [task for task in tasks if task.task_id in rates]
    predictions = predictions_of(measured.folder, tasks)
    cost = cost_of(predictions, read_times(measured.folder / PREDICTIONS), measured.model)
    calls = [float(found["calls"]) for one in predictions if "calls" in (found := one.model_extra or {})]
    row = WayRow(
        way=measured.way,
        title=measured.title,
        passed=share_of(judged, rates),
        without_verdict=len(tasks) - len(judged),
        read=cost.input_tokens / len(predictions) if cost.input_tokens is not None else None,
        wrote=cost.output_tokens / len(predictions) if cost.output_tokens is not None else None,
        dollars=cost.dollars,
        calls=fmean(calls) if calls else None,
    )
    if judged:
        found = clustered_wilson([rates[task.task_id] for task in judged], [task.api_name for task in judged])
        row = row.model_copy(update={"rate": found.estimate, "low": found.low, "high": found.high})
    return row if before is None else _compared(row, judged, before, rates)


def _compared(row: WayRow, judged: Sequence[Question], before: Rates, rates: Rates) -> WayRow:
    both = [task for task in judged if task.task_id in before]
    failing = [task for task in both if before[task.task_id] < 1]
    closed = Share(right=sum(rates[task.task_id] == 1 for task in failing), of=len(failing))
    if not both:
        return row
    without, with_it = ([of[task.task_id] for task in both] for of in (before, rates))
    gain = paired_difference(without, with_it, [task.api_name for task in both])
    return row.model_copy(
        update={
            "gain": gain.difference,
            "gain_low": gain.low,
            "gain_high": gain.high,
            "p_value": gain.p_value,
            "closed": closed,
        }
    )


def text_row(
    api_name: str,
    pieces: Combination,
    choice: Choice | None,
    bundle: KnowledgeBundle,
    held: Sequence[Question],
    rates: Mapping[str, Rates],
) -> TextRow:
    """The row of an API: its text, how that was chosen, and what each way gives on its `held` tasks."""
    state = "no task to choose by" if choice is None else "closes" if choice.chosen is not None else "open"
    page = page_of(bundle, pieces)
    return TextRow(
        api_name=api_name,
        library=bundle.library,
        state=state,
        text=named(pieces),
        characters=len(page),
        whole=len(page_of(bundle, PIECES)),
        tried=tuple((named(one.pieces), one.rate, one.characters) for one in (choice.tried if choice else ())),
        ways=tuple((way, share_of(held, own)) for way, own in rates.items()),
        page=page,
    )


def share_of(tasks: Iterable[Question], rates: Rates) -> Share:
    """The passes of the tasks that have a rate."""
    known = [rates[task.task_id] for task in tasks if task.task_id in rates]
    return Share(right=round(sum(known)), of=len(known))
