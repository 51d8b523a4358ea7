"""The cost of a cell's answers: tokens, dollars, and how long each took.

Time is no part of the answers (same run, same bytes), so it is kept in a file of its own beside them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from apigap.models.spending.budget import purse
from apigap.models.spending.prices import FREE
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

    @property
    def is_told(self) -> bool:
        """False where nobody counted tokens or seconds, as in a file from elsewhere."""
        return self.input_tokens is not None or self.timed > 0

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


def cost_rows(costs: Iterable[tuple[str, CellCost | None]]) -> tuple[tuple[str, ...], ...]:
    """A row for each name with the figures of its cost, dashes where nothing is known; none where no cost tells any."""
    given = tuple(costs)
    if not any(cost and cost.is_told for _, cost in given):
        return ()
    return tuple((name, *(cost.figures if cost else ["-"] * len(COLUMNS))) for name, cost in given)


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
    return cost_of_all([Asked(model, tuple(predictions), times)])


class Asked(NamedTuple):
    """Predictions of one model, and how long their answers took, by the key of a request."""

    model: str
    predictions: Sequence[Prediction]
    times: Mapping[str, Sequence[float]]

    def seconds(self) -> list[float]:
        """The seconds of the answers that were really asked for."""
        keys = [str((prediction.model_extra or {}).get("key")) for prediction in self.predictions]
        return [one for key in keys for one in self.times.get(key, ()) if one > 0]


def cost_of_all(parts: Sequence[Asked]) -> CellCost:
    """The cost of the answers of several models together; a figure that one of them does not tell is None."""
    import numpy as np  # whoever only keeps times does not wait for it

    asked = [part for part in parts if part.predictions]
    told = [tokens(part.predictions) for part in asked]
    counts = [one for one in told if one is not None]
    prices = [purse().price(part.model) if part.model else None for part in asked]
    paid = [
        price.of(one["input"], one["output"]) if one else 0.0
        for price, one in zip(prices, told, strict=True)
        if price and (one or price is FREE)
    ]
    seconds = [one for part in asked for one in part.seconds()]
    is_counted, is_paid = 0 < len(asked) == len(counts), 0 < len(asked) == len(paid)
    return CellCost(
        answers=sum(len(prediction.samples) for part in asked for prediction in part.predictions),
        input_tokens=sum(one["input"] for one in counts) if is_counted else None,
        output_tokens=sum(one["output"] for one in counts) if is_counted else None,
        dollars=sum(paid) if is_paid else None,
        price="; ".join(dict.fromkeys(price.source for price in prices if price)),
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
