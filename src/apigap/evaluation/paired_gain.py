"""What one model's answers gain over another's, as rows of a table whose p-values are corrected together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TypeVar

from apigap.statistics import PairedDifference, holm, paired_difference


@dataclass(frozen=True)
class PairedGain:
    """`before` and `after` are means over the same tasks; `difference` has its interval over clusters of them.

    `adjusted` is its p-value after Holm's correction for all rows of the comparison.
    """

    before: float
    after: float
    difference: PairedDifference
    adjusted: float


G = TypeVar("G", bound=PairedGain)


def paired_gain(
    before: Sequence[float], after: Sequence[float], clusters: Sequence[str], *, smoothed: bool
) -> PairedGain:
    """The gain on tasks in the same order on both sides, not corrected yet; see `statistics.paired_difference`."""
    difference = paired_difference(before, after, clusters, smoothed=smoothed)
    return PairedGain(fmean(before), fmean(after), difference, difference.p_value)


def corrected(gains: Sequence[G]) -> list[G]:
    """The same gains with p-values by Holm's method, all of them one family."""
    adjusted = holm([gain.difference.p_value for gain in gains])
    return [replace(gain, adjusted=p_value) for gain, p_value in zip(gains, adjusted, strict=True)]
