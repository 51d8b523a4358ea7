"""Pairs of things that go together, as many as there can be."""

from collections.abc import Sequence

import numpy as np


def most_pairs(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """As many pairs as possible of a row and a column that fit, each in one pair at most, as row to column.

    `fits` is a table of equally long rows. Found by scipy (Hopcroft and Karp), not greedily: a row that fits in several
    columns leaves one to a row that fits nowhere else.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    table = np.asarray(fits, dtype=bool)
    if not table.any():
        return {}
    columns = maximum_bipartite_matching(csr_matrix(table), perm_type="column")
    return {row: column for row, column in enumerate(columns.tolist()) if column >= 0}
