"""The verdict on an answer to an item: options and values against the right one, written parameters by F1."""

from apigap.benchmarks.items.readings import Reading
from apigap.benchmarks.items.written_values import same_value
from apigap.models.probing import f1
from apigap.records.base import Json
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Judged, Result
from apigap.records.sources import CodeIdentity
from apigap.sandbox.verdict.evaluator import NOT_DECIDING, PROGRAMS

_SHOWN = 200
EVALUATOR = CodeIdentity(("apigap.benchmarks.items.judge", *PROGRAMS), NOT_DECIDING)
"""The code that decides on options and parameters, and with the judge of code on that."""


def verdict(item: LadderItem, reading: Reading, sample: int = 0) -> Result:
    """The verdict: `score` is 1 for the right option or value, F1 of the names of parameters; `passed` is a score of 1.

    `detail` says in `read` whether anything could be read of the answer: what could not is a fail, and counted apart.
    With probabilities it has `log_odds` of the first option against the others, and in `per_token` the score by the
    probabilities normalised by length; `chosen` is the option that a choice takes.
    """
    score = _score(item, reading)
    return Result(
        task_id=item.task_id,
        sample=sample,
        outcome="pass" if score == 1 else "fail",
        passed=score == 1,
        score=score,
        label=None,
        detail=_detail(item, reading),
        evaluator=EVALUATOR.digest,
        seconds=0.0,
        judged=Judged.of(reading.text),
        about=item.api_name,
        part=item.rung,
    )


def _score(item: LadderItem, reading: Reading) -> float:
    if item.options:
        return float(reading.option is not None and reading.option == item.right)
    if item.form == "value":
        return float(reading.value is not None and same_value(item.truth[0], reading.value))
    return f1(reading.names, frozenset(item.truth)) if reading.names is not None else 0.0


def _detail(item: LadderItem, reading: Reading) -> dict[str, Json]:
    found: dict[str, Json] = {"read": reading.is_readable, "group": item.group}
    if reading.scores is not None and reading.scores.fits:
        found["log_odds"] = round(reading.log_odds or 0.0, 6)
        found["per_token"] = float(reading.scores.likeliest_per_token == item.right)
    if item.form == "choice" and reading.option is not None:
        found["chosen"] = item.options[reading.option]
    if reading.value is not None:
        found["written"] = reading.value[:_SHOWN]
    if reading.names is not None:
        found["named"] = sorted(reading.names)[:50]
    return found
