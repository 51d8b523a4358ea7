"""Correction for several tests of one family."""

from collections.abc import Sequence

from apigap.records.errors import UsageError


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values (Holm 1979), in the order given; they control the family-wise error rate.

    Raises:
        UsageError: when a value is not in 0..1.
    """
    for value in p_values:
        if not 0 <= value <= 1:
            raise UsageError(f"{value} is not a p-value; leave tests that could not be made out of the family")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    ranked = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, position in enumerate(ranked):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = largest
    return adjusted
