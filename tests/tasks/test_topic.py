"""The subject of an API: words of its documentation, never its sentence, never its name."""

import pytest

from apigap.tasks.wording.topic import topic_of
from tests.tasks.test_cut import candidate

TOPICS = [
    ("block_array", "function", "Build a sparse array from sparse sub-blocks.", ["sparse array", "sparse sub-blocks"]),
    ("eigvals", "function", "Compute the eigenvalues of a general matrix.", ["eigenvalues", "general matrix"]),
    ("get_segments", "function", "Return the segments of each input linear geometry.", ["segments", "linear geometry"]),
    ("split", "function", "Split a geometry by another geometry.", ["geometry"]),
    ("jacobian", "function", "Evaluate the Jacobian of a function numerically.", ["numerically"]),
    ("to_map", "method", "Convert the `List` of `Struct` entries to a `Map`.", ["entries"]),
    ("merge_sorted", "method", "Take two sorted frames and merge them by the key.", ["sorted frames", "merge", "key"]),
    ("subfactorial", "function", "Number of permutations with no fixed points.",
     ["number", "permutations", "fixed points"]),
    ("chebvalnd", "function", "Evaluate an N-D Chebyshev series at points.", ["N-D chebyshev series", "points"]),
    ("Stylesheet", "class", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("leaf", "kind", "docstring", "expected"), TOPICS)
def test_topic(leaf: str, kind: str, docstring: str, expected: list[str]) -> None:
    assert topic_of(candidate(leaf, kind=kind, docstring=docstring)) == expected
