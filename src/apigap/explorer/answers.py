"""Questions about each API, and every answer to them side by side."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apigap.analysis.ladder_marks import AnsweredItem, question_of
from apigap.explorer.apis import Place
from apigap.explorer.runs import Run, Runs
from apigap.explorer.scores import place_of, rung_of
from apigap.records.questions.ladder import Group
from apigap.records.result import WITHOUT_VERDICT, Result


@dataclass(frozen=True)
class Answer:
    """One answer with its verdict: `pass`, the label of a fail, `suspect`, `infra`, `cut`; on the ladder a mark of
    `reporting.ladder_model`. `code` is what was judged, where that is not the answer itself.
    """

    subject: str
    condition: str
    sample: int
    verdict: str
    text: str
    code: str = ""
    reason: str = ""
    differences: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """A task or a question with its answers, and the right one, as far as these are at hand."""

    task_id: str
    rung: str
    side: Group
    about: str
    text: str
    context: str
    options: tuple[str, ...]
    wanted: str
    answers: list[Answer] = field(default_factory=list[Answer])


def asked_of(found: Runs) -> dict[Place, list[Asked]]:
    """The questions by API, in the order of rungs as they come and of tasks by their id."""
    every: dict[Place, dict[tuple[str, str], Asked]] = defaultdict(dict)
    for run in found.runs:
        for result in run.results:
            place = place_of(found, run, result)
            if place is not None:
                own = every[place]
                key = (result.task_id, run.benchmark)
                if key not in own:
                    own[key] = _asked(found, run, result, place)
                own[key].answers.append(_answer(found, run, result))
    return {place: sorted(own.values(), key=_in_order) for place, own in every.items()}


def _in_order(one: Asked) -> tuple[str, bool, str, str]:
    return (one.rung, one.side != "new", one.side, one.task_id)


def _asked(found: Runs, run: Run, result: Result, place: Place) -> Asked:
    item = found.items.get(result.task_id)
    if item is not None:
        shown = question_of(AnsweredItem(item, None, result))
        return Asked(
            item.task_id, shown.measure, item.group, item.api_name, shown.question, "", shown.options, shown.wanted
        )
    task = found.tasks.get(result.task_id)
    if task is None:
        return Asked(result.task_id, rung_of(run, None), "new", place[1], "", "", (), "")
    return Asked(
        task.task_id, rung_of(run, None), "new", task.api_name, task.description, task.context_code,
        (), task.masked_region,
    )  # fmt: skip


def _answer(found: Runs, run: Run, result: Result) -> Answer:
    item, given = found.items.get(result.task_id), _given(run, result)
    reason = str(result.detail.get("why") or result.detail.get("reason") or "")
    if item is not None and result.outcome not in WITHOUT_VERDICT:
        shown = question_of(AnsweredItem(item, given, result))
        return Answer(run.subject, run.condition, result.sample, shown.mark, shown.answer, "", reason)
    judged = str(result.judged) if result.judged else ""
    exception = result.detail.get("exception")
    raised = f"{exception['type']}: {exception['message']}" if exception else ""
    return Answer(
        subject=run.subject,
        condition=run.condition,
        sample=result.sample,
        verdict=result.label or result.outcome,
        text=given or judged,
        code=judged if given and judged.strip() != given.strip() else "",
        reason=reason if not raised or raised in reason else f"{reason}; {raised}" if reason else raised,
        differences=tuple(_differences(result)),
    )


def _given(run: Run, result: Result) -> str:
    samples: Sequence[str] = run.answers[result.task_id].samples if result.task_id in run.answers else ()
    return samples[result.sample] if result.sample < len(samples) else ""


def _differences(result: Result) -> Iterator[tuple[str, str, str]]:
    """An observation: what was looked at, what the reference gave, and what the answer gave."""
    for one in result.detail.get("differences") or ():
        yield str(one.get("path", "")), str(one.get("expected", "")), str(one.get("observed", ""))
