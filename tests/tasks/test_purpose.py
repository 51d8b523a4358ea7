"""The purpose of an API in plain words: never its name, never a sentence of its documentation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.candidate import Parameter
from apigap.tasks.leak import leaks
from apigap.tasks.wording.purpose import QUOTE, purpose_of, quotes
from tests.tasks.test_cut import candidate

PARAMETERS = tuple(Parameter(name=name) for name in ("iterable", "n", "G", "max_size", "by"))
GIVEN = {"iterable": "words", "G": "roads", "max_size": "most", "n": "3"}
PURPOSES = [
    ("duplicates_everseen", "Yield duplicate elements after their first appearance.",
     "the duplicate items after their first occurrence"),
    ("largest_sets", "Compute the largest clique and largest independent set in ``G``.",
     "the greatest clique and greatest independent set in `roads`"),
    ("constrained_batches", "Yield batches of items from *iterable* with a combined size limited by *max_size*.",
     "the batches of items from `words` with a combined size limited by `most`"),
    ("matmul", "Multiply two matrices.", "to multiply two matrices"),
    ("as_array", "Convert the given list to an array.", "to turn the list into an array"),
    ("order", "Sorts the frame by the given columns (in place).", "to sort the frame by the columns"),
    ("subfactorial", "Number of permutations with no fixed points.", "the count of permutations with no fixed points"),
    ("get_segments", "Get segments of each input linear geometry.", "the segments of every linear geometry"),
    ("overlap", "Return the part of geometry N that does not intersect with geometry G.",
     "the part of geometry `3` that does not intersect with geometry `roads`"),
    ("running_median", "Cumulative mean of values in a sliding window.",
     "the cumulative mean of values in a moving window"),
    ("triads", "Determines the weighted triadic census of a directed graph.",
     "for a directed graph, the weighted triadic census"),
    ("routes", "Find the shortest weighted paths and lengths between known nodes.",
     "between known nodes, the shortest weighted paths and lengths"),
    ("mean_of", "Return the mean of all values.", "the average of all the values"),
    ("concat_arr", "Horizontally concatenate columns into a single array column.",
     "to put together columns into a single array column horizontally"),
    ("abbrev", "The time zone abbreviation (e.g. CET).", "the time zone abbreviation"),
    ("series", "Return a sequence of the numbers.", "a sequence of the numbers"),
    ("greatest", "Return the largest of the numbers.", "the largest of the numbers"),
    ("several", "Return multiple windows over the items.", "the multiple windows over the items"),
    ("fold", "Iterate over pairs of neighbours in G.", "the pairs of neighbours in `roads`"),
    ("with_both", "Make edges in graph symmetric.", "to make edges in graph symmetric"),
    ("loop", "Make a ring of the numbers.", "a ring of the numbers"),
    ("greedy", "Calculates a colouring for the graph based on some heuristics.",
     "a colouring for the graph by some heuristics"),
]  # fmt: skip
REFUSED = [
    ("eigvals", "Compute the eigvals of a matrix.", "its name"),
    ("largest_set", "Compute the largest set in a graph.", "its name in words"),
    ("gutman_index", "Returns the Gutman Index for the graph.", "its name in words, in other case"),
    ("is_tree", "Return True if the graph is a tree.", "a yes or no"),
    ("sieve", "Yield the primes less than *by*.", "a parameter that the answer does not pass"),
    ("solve", "Find x such that $Ax = b$ in the least squares sense.", "a formula"),
    ("zip_even", "A version of zip that broadcasts scalars.", "what it is in code"),
    ("join", "Bring in SQL-like fashion.", "no verb that is known, and no article"),
    ("minmax", "Return the smallest item of a list or the largest of two arguments.", "two purposes"),
    ("offset", "Returns a (Multi)Line at a distance from the object.", "a word in two halves"),
    ("in_days", "Convert to a tuple of (months, days).", "an end that was cut off"),
    ("make_symmetric", "Make edges in graph symmetric.", "its name in words that a verb leads to"),
    ("mix", "", "nothing"),
    ("mix", "Return items.", "next to nothing"),
    ("mix", "Return the long and winding road that leads to your door and will never ever disappear.", "a quotation"),
]


@pytest.mark.parametrize(("leaf", "docstring", "expected"), PURPOSES, ids=[row[0] for row in PURPOSES])
def test_purpose(leaf: str, docstring: str, expected: str) -> None:
    assert purpose_of(candidate(leaf, docstring=docstring, parameters=PARAMETERS), GIVEN) == expected


@pytest.mark.parametrize(("leaf", "docstring"), [row[:2] for row in REFUSED], ids=[row[2] for row in REFUSED])
def test_no_purpose(leaf: str, docstring: str) -> None:
    assert purpose_of(candidate(leaf, docstring=docstring, parameters=PARAMETERS), GIVEN) is None


def test_a_method_does_it_to_its_object() -> None:
    method = candidate("in_units", kind="method", docstring="Convert to a list of parts, such as hours.")
    assert purpose_of(method, {"self": "delay"}) == "to turn `delay` into a list of parts"
    assert purpose_of(method, {}) is None


def test_the_name_of_what_was_there_before_is_no_secret_in_other_words() -> None:
    docstring = "Return matrix rank of the array using an SVD."
    changed = candidate("matrix_rank", docstring=docstring, change="modified")
    assert purpose_of(changed, {}) == "the matrix rank of the array by means of an SVD"
    assert purpose_of(candidate("matrix_rank", docstring=docstring), {}) is None


SAMPLE = """
    Return Sort Find the a given number of items in `G` each *n* such that based on slug slugify Slugify (or not)
    maximum of x_y $z$ whose elements are sorted, using at most: True
"""
WORDS = st.sampled_from(SAMPLE.split())


@given(st.lists(WORDS, min_size=1, max_size=24), st.sampled_from(["added", "modified"]))
def test_a_purpose_neither_names_nor_quotes(words: list[str], change: str) -> None:
    docstring = " ".join(words)
    found = purpose_of(candidate("slugify", docstring=docstring, parameters=PARAMETERS, change=change), GIVEN)
    assert found is None or not (leaks(found, "slugify") or quotes(found, docstring))


def test_quotes() -> None:
    text = "one two three four five six seven eight"
    assert quotes(" ".join(text.split()[:QUOTE]), text)
    assert not quotes(" ".join(text.split()[: QUOTE - 1]), text)
    assert not quotes("one two three `four` five six seven", text)
