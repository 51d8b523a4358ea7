"""Each question of the ladder with what was answered, and the mark that an API gets for all of one measure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.scores import measure_of, score_of
from apigap.models.options import OptionScores
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Prediction, Result
from apigap.reporting.ladder_model import LadderQuestion, Mark

_DECIMALS = 3


@dataclass(frozen=True)
class AnsweredItem:
    """An item, the verdict on the model's answer, and the answer; None where that was not kept."""

    item: LadderItem
    answer: str | None
    result: Result

    @property
    def mark(self) -> Mark:
        """The mark of this question alone."""
        return mark_of([self], self.score)

    @property
    def score(self) -> float:
        """The score of this question alone."""
        return score_of(self.item, self.result)

    def is_of(self, library: str, pair: str, measure: str) -> bool:
        """True for a question to the matched pair of a new API that counts for `measure`."""
        return (self.item.library, self.item.pair, measure_of(self.item)) == (library, pair, measure)


def answered_items(
    items: Sequence[LadderItem], results: Sequence[Result], predictions: Sequence[Prediction]
) -> list[AnsweredItem]:
    """One per item that was asked and has a verdict, in the order of the items."""
    verdicts = {r.task_id: r for r in results if r.sample == 0 and r.outcome in ("pass", "fail")}
    answers = {prediction.task_id: prediction.samples[0] for prediction in predictions if prediction.samples}
    return [
        AnsweredItem(item, answers.get(item.task_id), verdicts[item.task_id])
        for item in items
        if item.task_id in verdicts
    ]


def mark_of(asked: Sequence[AnsweredItem], score: float | None) -> Mark:
    """The mark for questions that together got `score`: what cannot be read is no wrong answer."""
    if not asked:
        return "not asked"
    if score == 1:
        return "right"
    if score is None or not all(one.result.detail.get("read", True) for one in asked):
        return "unread"
    return "partly" if score else "wrong"


def question_of(one: AnsweredItem) -> LadderQuestion:
    """A question as a report shows it."""
    item, (said, scores) = one.item, _said(one)
    return LadderQuestion(
        task_id=item.task_id,
        library=item.library,
        api_name=item.api_name,
        pair=item.pair,
        side=item.group,
        measure=measure_of(item),
        question=item.question,
        options=item.options,
        wanted=_wanted(item),
        answer=said,
        shares=_shares(scores),
        mark=one.mark,
        score=one.score,
    )


def _said(one: AnsweredItem) -> tuple[str, OptionScores | None]:
    """The answer as it is shown: an option, parameters, a value, or the code that was judged; and options' scores."""
    answer = one.answer or ""
    if one.item.form == "code":
        return (one.result.judged_text if one.result.judged else answer).strip(), None
    reading = read(answer, one.item)
    if reading.names is not None:
        return answer.removeprefix("```python").strip(), None
    if reading.value is not None:
        return reading.value, None
    return one.item.options[reading.option] if reading.option is not None else answer, reading.scores


def _wanted(item: LadderItem) -> str:
    if item.task is not None:
        return item.task.masked_region
    return item.options[item.right] if item.right is not None else ", ".join(item.truth)


def _shares(scores: OptionScores | None) -> tuple[float, ...]:
    """The probabilities of the options against each other; none where the model does not tell them."""
    if scores is None or not scores.fits:
        return ()
    logs = [score.log_probability for score in scores.scores]
    weights = [math.exp(value - max(logs)) for value in logs]
    return tuple(round(weight / math.fsum(weights), _DECIMALS) for weight in weights)
