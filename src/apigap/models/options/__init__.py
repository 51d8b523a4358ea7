"""Questions with given answers: how likely a model finds each, or which letter it names.

`OptionRequest` goes to `Generator.score_options` where `model_facts.scores_options` says that the model tells
probabilities; elsewhere `lettered` makes a prompt, and `read_letter` reads its answer.
"""

from apigap.models.options.letters import lettered, read_letter
from apigap.models.options.records import OptionRequest, OptionScore, OptionScores

__all__ = ["OptionRequest", "OptionScore", "OptionScores", "lettered", "read_letter"]
