"""Pairs of things that go together, as many as there can be."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def most_pairs(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """As many pairs as possible of a row and a column that fit, each in one pair at most, as row to column.

    `fits` is a table of equally long rows. Found by scipy (Hopcroft and Karp), not greedily: a row that fits in several
    columns leaves one to a row that fits nowhere else.
    """
    from scipy import sparse  # pyright: ignore[reportMissingTypeStubs]

    table = np.asarray(fits, dtype=bool)
    if not table.any():
        return {}
    graph: Any = sparse.csgraph
    columns: list[int] = graph.maximum_bipartite_matching(sparse.csr_matrix(table), perm_type="column").tolist()
    return {row: column for row, column in enumerate(columns) if column >= 0}
