"""Intervals, paired comparison, interaction, pass@k: pure functions on arrays."""

from apigap.statistics.agreement import Agreement, agreement
from apigap.statistics.cell import CellEstimate, TaskCounts, count_by_task, estimate_cell
from apigap.statistics.differences import (
    Answers,
    Difference,
    RungLevel,
    cure,
    gap,
    knowledge,
    known_gap,
    paired_mean,
    rung_level,
)
from apigap.statistics.horizon import DatedScores, Horizon, LevelScores, Quarter, by_quarter, horizon
from apigap.statistics.interaction import Interaction, interaction
from apigap.statistics.intervals import Interval, clustered_wilson, wilson
from apigap.statistics.multiple import holm
from apigap.statistics.paired import PairedDifference, paired_difference
from apigap.statistics.pass_at_k import TaskMean, mean_over_tasks, pass_at_k, pass_hat_k
from apigap.statistics.rasch import Ability, Difficulty, RaschScale, rasch
from apigap.statistics.signflip import mcnemar

__all__ = [
    "Ability",
    "Agreement",
    "Answers",
    "CellEstimate",
    "DatedScores",
    "Difference",
    "Difficulty",
    "Horizon",
    "Interaction",
    "Interval",
    "LevelScores",
    "PairedDifference",
    "Quarter",
    "RaschScale",
    "RungLevel",
    "TaskCounts",
    "TaskMean",
    "agreement",
    "by_quarter",
    "clustered_wilson",
    "count_by_task",
    "cure",
    "estimate_cell",
    "gap",
    "holm",
    "horizon",
    "interaction",
    "knowledge",
    "known_gap",
    "mcnemar",
    "mean_over_tasks",
    "paired_difference",
    "paired_mean",
    "pass_at_k",
    "pass_hat_k",
    "rasch",
    "rung_level",
    "wilson",
]
