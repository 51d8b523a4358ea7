"""Baselines: the scores of answers that have not read the query, which every table shows."""

import math
from collections.abc import Callable, Sequence

from apigap.benchmarks.toolllm.queries import Query
from apigap.evaluation.summary import mean_of
from apigap.records.base import Record


class Chance(Record):
    """The figures of a baseline in the mean over its chances; `precision` is None where nothing is chosen."""

    recall: float
    precision: float | None
    exact: float


def everything(query: Query) -> Chance:
    """Choose all that is offered."""
    hits, offered = len(query.expected), len(query.offered)
    return Chance(recall=1.0, precision=hits / offered, exact=float(query.is_trivial))


def nothing(query: Query) -> Chance:
    """Choose none."""
    return Chance(recall=0.0, precision=None, exact=0.0)


def at_random(query: Query) -> Chance:
    """Draw as many as are relevant, without replacement: the expectation in closed form (hypergeometric)."""
    hits, offered = len(query.expected), len(query.offered)
    return Chance(recall=hits / offered, precision=hits / offered, exact=1 / math.comb(offered, hits))


BASELINES: dict[str, Callable[[Query], Chance]] = {
    "everything": everything, "nothing": nothing, "random": at_random,
}  # fmt: skip


def mean_chance(queries: Sequence[Query], baseline: Callable[[Query], Chance]) -> Chance:
    """The means over `queries`; precision over those where something is chosen."""
    rows = [baseline(query) for query in queries]
    return Chance(
        recall=mean_of(row.recall for row in rows) or 0.0,
        precision=mean_of(row.precision for row in rows if row.precision is not None),
        exact=mean_of(row.exact for row in rows) or 0.0,
    )
