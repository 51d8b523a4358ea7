"""Intervals, paired comparison, interaction, pass@k: pure functions on arrays."""

from apigap.statistics.agreement import Agreement, agreement
from apigap.statistics.cell import CellEstimate, TaskCounts, count_by_task, estimate_cell
from apigap.statistics.interaction import Interaction, interaction
from apigap.statistics.intervals import Interval, clustered_wilson, wilson
from apigap.statistics.multiple import holm
from apigap.statistics.paired import PairedDifference, paired_difference
from apigap.statistics.pass_at_k import TaskMean, mean_over_tasks, pass_at_k, pass_hat_k
from apigap.statistics.signflip import mcnemar

__all__ = [
    "Agreement",
    "CellEstimate",
    "Interaction",
    "Interval",
    "PairedDifference",
    "TaskCounts",
    "TaskMean",
    "agreement",
    "clustered_wilson",
    "count_by_task",
    "estimate_cell",
    "holm",
    "interaction",
    "mcnemar",
    "mean_over_tasks",
    "paired_difference",
    "pass_at_k",
    "pass_hat_k",
    "wilson",
]
