"""Intervals, paired comparison and pass@k: pure functions on arrays."""

from apigap.statistics.intervals import Interval, clustered_wilson, wilson
from apigap.statistics.multiple import holm
from apigap.statistics.paired import PairedDifference, paired_difference
from apigap.statistics.pass_at_k import pass_at_k

__all__ = [
    "Interval",
    "PairedDifference",
    "clustered_wilson",
    "holm",
    "paired_difference",
    "pass_at_k",
    "wilson",
]
