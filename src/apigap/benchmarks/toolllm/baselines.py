"""What answers score that have not read the query: every table shows them."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apigap.benchmarks.toolllm.queries import Query


class Expected(NamedTuple):
    """Means over an answer's chances; `precision` is None where nothing is chosen."""

    recall: float
    precision: float | None
    exact: float


def everything(query: Query) -> Expected:
    """Choose all that is offered."""
    hits, offered = len(query.expected), len(query.offered)
    return Expected(1.0, hits / offered, float(query.is_trivial))


def nothing(query: Query) -> Expected:
    """Choose none."""
    return Expected(0.0, None, 0.0)


def at_random(query: Query) -> Expected:
    """Draw as many as are relevant, without replacement: the expectation in closed form (hypergeometric)."""
    hits, offered = len(query.expected), len(query.offered)
    return Expected(hits / offered, hits / offered, 1 / math.comb(offered, hits))


BASELINES: dict[str, Callable[[Query], Expected]] = {
    "everything": everything, "nothing": nothing, "random": at_random,
}  # fmt: skip


def mean_expected(queries: Sequence[Query], baseline: Callable[[Query], Expected]) -> Expected:
    """The means over `queries`; precision over those where something is chosen."""
    rows = [baseline(query) for query in queries]
    precise = [row.precision for row in rows if row.precision is not None]
    count = len(rows)
    return Expected(
        math.fsum(row.recall for row in rows) / count,
        math.fsum(precise) / len(precise) if precise else None,
        math.fsum(row.exact for row in rows) / count,
    )
