"""Pairs of things that go together: the cheapest ones, or as many as there can be."""

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


def most_pairs(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """As many pairs as possible of a row and a column that fit, each in one pair at most, as row to column.

    `fits` is a table of equally long rows. A row that fits in several leaves one to a row that fits nowhere else.
    """
    if not any(map(any, fits)):
        return {}
    pairs = cheapest_pairs([[float(not one) for one in row] for row in fits])
    return {row: column for row, column in pairs if fits[row][column]}
