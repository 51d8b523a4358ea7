"""Answers that something else than the model ended before they were whole: no verdict, and never a fail."""

from collections.abc import Sequence
from typing import Any

from apigap.evaluation.item import Item, OnResult
from apigap.models.extraction import Extraction
from apigap.records.result import Result

ENDINGS = {
    "length": "the answer was cut at its most tokens",
    "context": "the prompt or the answer did not fit the model's window",
    "filtered": "the provider withheld the answer",
}
"""The endings that are not the model's own, in words."""
_WHOLE = frozenset({"block", "joined blocks", "segment"})
"""Ways in which code was found that stands between fences: what came after it was cut, not the code itself."""


def settled(result: Result, item: Item[Any, Any]) -> Result:
    """The result, as `cut` where it is a fail of an answer that was not whole.

    An answer that passes has passed. One that was cut after what is judged was whole is judged as any other.
    """
    if result.outcome != "fail" or item.ended not in ENDINGS:
        return result
    if item.ended == "length" and _is_whole(item.artifact, result):
        return result
    detail = {**result.detail, "ended": item.ended, "reason": ENDINGS[item.ended]}
    return result.model_copy(update={"outcome": "cut", "label": None, "detail": detail})


def settling(items: Sequence[Item[Any, Any]], on_result: OnResult) -> OnResult:
    """`on_result`, called with each result of `items` as `settled`."""
    of = {(item.task.task_id, item.sample): item for item in items}
    return lambda result: on_result(settled(result, of[result.task_id, result.sample]))


def _is_whole(artifact: object, result: Result) -> bool:
    """True where what was judged had come to its end: code in closed fences, an option or calls that could be read."""
    if isinstance(artifact, Extraction):
        return artifact.rule in _WHOLE
    read = result.label != "WrongSyntax" and result.detail.get("read") is not False
    return read and result.judged is not None and bool(result.judged.text.strip())
