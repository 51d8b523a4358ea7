"""Questions with given answers: how likely a model finds each, or which letter it names.

`OptionRequest` goes to `Generator.score_options` where `model_facts.scores_options` says that the model tells
probabilities; elsewhere `in_both_orders` makes two prompts, and `judge_both` reads their answers.
"""

from apigap.models.options.letters import BothOrders, Lettered, in_both_orders, judge_both, lettered, read_letter
from apigap.models.options.records import OptionRequest, OptionScore, OptionScores

__all__ = [
    "BothOrders",
    "Lettered",
    "OptionRequest",
    "OptionScore",
    "OptionScores",
    "in_both_orders",
    "judge_both",
    "lettered",
    "read_letter",
]
