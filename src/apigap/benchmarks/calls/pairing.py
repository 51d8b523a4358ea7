"""The pairing of calls with expected calls, and of values with accepted ones."""

from collections.abc import Sequence

import numpy as np


def cheapest_pairs(costs: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pairs (row, column) of a table of costs, each row and column once, of the smallest sum: an optimal assignment.

    Found by scipy's `linear_sum_assignment`, so that where a pairing without cost exists it is found, which taking the
    first that fits does not. Of a table that is not square what is left over has no pair.
    """
    from scipy.optimize import linear_sum_assignment  # pyright: ignore

    rows, columns = linear_sum_assignment(np.asarray(costs, dtype=float))  # pyright: ignore
    return list(zip(rows.tolist(), columns.tolist(), strict=True))  # pyright: ignore
