"""Samples that one side alone has, told as columns."""

from hypothesis import given
from hypothesis import strategies as st

from apigap.analysis.verdicts import Verdict, Verdicts

SAMPLES = st.sets(st.tuples(st.sampled_from("abcdé"), st.integers(0, 6)))


def verdicts(samples: set[tuple[str, int]]) -> Verdicts:
    """All of them passes."""
    ordered = sorted(samples)
    return Verdicts.of([t for t, _ in ordered], [n for _, n in ordered], [Verdict("pass", None)] * len(ordered))


@given(SAMPLES, SAMPLES)
def test_those_that_the_others_do_not_have_in_order(ours: set[tuple[str, int]], theirs: set[tuple[str, int]]) -> None:
    assert verdicts(ours).without(verdicts(theirs)).samples == sorted(ours - theirs)
