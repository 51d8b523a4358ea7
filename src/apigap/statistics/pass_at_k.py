"""pass@k from n samples of one task."""

from math import comb

from apigap.records.errors import UsageError


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that one of `k` samples passes, unbiased, from `c` passes in `n` samples of the same task.

    1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374, equation 1), exact in integers. None when
    n < k: it is undefined there, and no estimate takes its place.

    Raises:
        UsageError: unless 0 <= c <= n and k >= 1.
    """
    if k < 1:
        raise UsageError(f"pass@{k} is not defined; k is at least 1")
    if not 0 <= c <= n:
        raise UsageError(f"{c} passes in {n} samples is not possible; count both over the same task")
    if n < k:
        return None
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)
