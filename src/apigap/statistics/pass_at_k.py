"""pass@k and pass^k from n samples of one task, and their means over tasks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from apigap.records.errors import UsageError
from apigap.statistics.intervals import Interval, clustered_wilson


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that one of `k` samples passes, unbiased, from `c` passes in `n` samples of the same task.

    1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374, equation 1), exact in integers. None when
    n < k: it is undefined there, and no estimate takes its place.

    Raises:
        UsageError: unless 0 <= c <= n and k >= 1.
    """
    _check(n, c, k)
    return None if n < k else (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Chance that all of `k` samples pass (pass^k), unbiased; None when n < k.

    C(c, k) / C(n, k) (Yao et al. 2024, tau-bench, arXiv:2406.12045, section 4): reliability, where pass@k is reach.

    Raises:
        UsageError: unless 0 <= c <= n and k >= 1.
    """
    _check(n, c, k)
    return None if n < k else comb(c, k) / comb(n, k)


@dataclass(frozen=True)
class TaskMean:
    """The mean of pass@k or pass^k over the tasks that have at least k samples; the others are `undefined`."""

    interval: Interval
    tasks: int
    undefined: int


def mean_over_tasks(
    judged: NDArray[np.int64],
    passed: NDArray[np.int64],
    clusters: Sequence[str],
    k: int,
    measure: Literal["pass@k", "pass^k"] = "pass@k",
    level: float = 0.95,
) -> TaskMean:
    """One row per task: its judged samples, how many of them pass, its API; the interval is clustered by API."""
    one: Callable[[int, int, int], float | None] = pass_at_k if measure == "pass@k" else pass_hat_k
    pairs, place = np.unique(np.stack([judged, passed], axis=1), axis=0, return_inverse=True)
    values = [one(n, c, k) for n, c in pairs.tolist()]
    # Few different counts exist, so the exact integers are made once for each.
    each = np.array([np.nan if value is None else value for value in values])[place.ravel()]
    defined = ~np.isnan(each)
    names = [name for name, known in zip(clusters, defined.tolist(), strict=True) if known]
    return TaskMean(clustered_wilson(each[defined], names, level), len(names), int((~defined).sum()))


def _check(n: int, c: int, k: int) -> None:
    if k < 1:
        raise UsageError(f"pass@{k} and pass^{k} are not defined; k is at least 1")
    if not 0 <= c <= n:
        raise UsageError(f"{c} passes in {n} samples is not possible; count both over the same task")
