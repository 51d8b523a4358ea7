"""Readings of answers to items: an option, how likely each is, names of parameters, or a value. Pure functions."""

import math
from dataclasses import dataclass

from pydantic import ValidationError

from apigap.benchmarks.items.written_values import written_value
from apigap.models.options import OptionScores, read_letter
from apigap.models.probing import parameter_names, yes_or_no
from apigap.records.questions.ladder import LadderItem


@dataclass(frozen=True)
class Reading:
    """The choice, the names or the value that an answer makes.

    `option` is the place of the option that it chooses, `names` the parameters and `value` the literal that it writes;
    None where nothing of the kind can be read. Of a model that tells probabilities, `scores` has those of the options.
    """

    text: str
    option: int | None = None
    names: frozenset[str] | None = None
    value: str | None = None
    scores: OptionScores | None = None

    @property
    def is_readable(self) -> bool:
        """False where nothing could be read, which is an outcome of its own and no wrong answer."""
        return self.option is not None or self.names is not None or self.value is not None

    @property
    def log_odds(self) -> float | None:
        """The logarithm of the odds of the first option against all others together."""
        if self.scores is None or not self.scores.fits:
            return None
        first, *others = (score.log_probability for score in self.scores.scores)
        greatest = max(others)
        return first - greatest - math.log(math.fsum(math.exp(value - greatest) for value in others))


def read(response: str, item: LadderItem) -> Reading:
    """The reading of a response; never raises."""
    if item.form == "parameters":
        return Reading(response, names=parameter_names(response, item.asked_name.rpartition(".")[2]))
    if item.form == "value":
        return Reading(response, value=written_value(response))
    scores = scores_in(response, len(item.options))
    if scores is not None:
        return Reading(response, option=scores.likeliest, scores=scores)
    if item.form == "yes or no":
        said = yes_or_no(response)
        return Reading(response, option=None if said is None else int(not said))
    return Reading(response, option=read_letter(response, len(item.options)))


def scores_in(response: str, count: int) -> OptionScores | None:
    """The probabilities of `count` options, as `predict` writes them; None of any other text."""
    if not response.startswith("{"):
        return None
    try:
        scores = OptionScores.model_validate_json(response)
    except ValidationError:
        return None
    if not all(math.isfinite(score.log_probability) for score in scores.scores):
        return None  # no model tells such a probability: it is an answer that looks like it
    return scores if len(scores.scores) in (0, count) else None
