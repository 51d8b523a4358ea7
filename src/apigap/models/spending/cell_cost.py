"""The cost of a cell's answers: tokens, dollars, and how long each took.

Time is no part of the answers (same run, same bytes), so it is kept in a file of its own beside them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from apigap.models.spending.budget import purse
from apigap.records.base import Record
from apigap.records.result import Prediction
from apigap.records.store import load_records, read_bytes


class AnswerTime(Record):
    """The seconds that each sample of one request took, from asking to the whole answer."""

    key: str
    seconds: tuple[float, ...]


class CellCost(Record):
    """The cost of the answers of one cell.

    Tokens are those that models read (`input`) and wrote (`output`), None where a prediction does not say; dollars are
    None where the price is not known, and 0 for a model of this machine. The median and the 95th percentile are of the
    seconds of the `timed` answers, those that were really asked for in a run that kept the time.
    """

    answers: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    dollars: float | None = None
    price: str = ""
    timed: int = 0
    median_seconds: float | None = None
    p95_seconds: float | None = None

    def __str__(self) -> str:
        """The cost in one line."""
        told = zip(COLUMNS, self.figures, strict=True)
        return ", ".join(f"{figure} {name}" for name, figure in told if figure != "-")

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a table's row; see `COLUMNS`."""
        whole = (self.answers, self.input_tokens, self.output_tokens)
        spent = "-" if self.dollars is None else f"{self.dollars:.4g}"
        times = (self.median_seconds, self.p95_seconds)
        return (
            *("-" if count is None else f"{count:,}" for count in whole),
            spent,
            *("-" if seconds is None else f"{seconds:.2g}" for seconds in times),
        )


COLUMNS = ("answers", "tokens read", "tokens written", "dollars", "median s", "95th percentile s")


def times_path(predictions: Path) -> Path:
    """The file of the times, beside that of the answers."""
    return predictions.with_name(f"seconds.{predictions.name}")


def read_times(predictions: Path) -> dict[str, tuple[float, ...]]:
    """The seconds of the answers in `predictions`, by the key of the request; none where nobody kept them."""
    path = times_path(predictions)
    return {row.key: row.seconds for row in load_records(path, AnswerTime)} if path.exists() else {}


def kept_cost(results: Path) -> CellCost | None:
    """The cost in the summary beside a results file, where it tells one."""
    for name in (f"{results.stem}.summary.json", "summary.json"):
        path = results.with_name(name)
        if path.exists():
            told = json.loads(read_bytes(path)).get("cost")
            return CellCost.model_validate(told) if told else None
    return None


def cost_of(
    predictions: Iterable[Prediction], times: Mapping[str, Sequence[float]] = MappingProxyType({}), model: str = ""
) -> CellCost:
    """The cost of `predictions` of `model` at the prices in force; `times` are by the key of a request."""
    import numpy as np  # whoever only keeps times does not wait for it

    given = tuple(predictions)
    extras = [prediction.model_extra or {} for prediction in given]
    told = tokens(given)
    seconds = [one for extra in extras for one in times.get(str(extra.get("key")), ()) if one > 0]
    price = purse().price(model) if model else None
    return CellCost(
        answers=sum(len(prediction.samples) for prediction in given),
        input_tokens=told["input"] if told else None,
        output_tokens=told["output"] if told else None,
        dollars=price.of(told["input"], told["output"]) if price and told else None,
        price=price.source if price else "",
        timed=len(seconds),
        median_seconds=round(float(np.median(seconds)), 3) if seconds else None,
        p95_seconds=round(float(np.quantile(seconds, 0.95)), 3) if seconds else None,
    )


def tokens(predictions: Iterable[Prediction]) -> dict[str, int] | None:
    """All tokens that the models read (`input`) and wrote (`output`); None where a prediction does not say."""
    extras = [prediction.model_extra or {} for prediction in predictions]
    counts = {way: [_counted(extra.get(f"{way}_tokens")) for extra in extras] for way in ("input", "output")}
    if not extras or not all(counts["input"]) or any(found is None for found in counts["output"]):
        return None
    return {way: sum(found or 0 for found in told) for way, told in counts.items()}


def _counted(told: Any) -> int | None:
    """The sum of what a prediction says of its samples; whatever else stands there says nothing."""
    counts = cast("Sequence[Any]", told) if isinstance(told, (list, tuple)) else (None,)
    return sum(counts) if all(type(count) is int for count in counts) else None
