"""Requests for the likelihood of given texts, and what comes back."""

from pydantic import Field, field_validator

from apigap.models.request import Prompted
from apigap.records.base import Record


class OptionRequest(Prompted):
    """One prompt and the texts that could follow it; `options` are told apart by their place.

    An option is taken as it is, with its white space: after a begun answer `def f(` it is `x, y=1)`.

    Raises:
        ValueError: when there is no option, one is empty, or two are the same.
    """

    options: tuple[str, ...] = Field(min_length=1)

    @field_validator("options")
    @classmethod
    def _told_apart(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        if "" in options:
            raise ValueError("an option is empty; nothing follows from a prompt for certain, so it has no likelihood")
        if len(set(options)) < len(options):
            raise ValueError("two options are the same text; give each one once")
        return options


class OptionScore(Record):
    """The natural logarithm of the probability of an option's `tokens` tokens, one after another."""

    log_probability: float
    tokens: int = Field(gt=0)

    @property
    def per_token(self) -> float:
        """The mean log-probability of a token: the score normalised by length."""
        return self.log_probability / self.tokens


class OptionScores(Record):
    """The scores of one request, in the order of its options; none where prompt and option do not fit the window.

    `input_tokens` are those of the prompt, `seconds` what the model took when it was asked.
    """

    scores: tuple[OptionScore, ...] = ()
    input_tokens: int = 0
    seconds: float = 0.0

    @property
    def fits(self) -> bool:
        """False where the prompt with its longest option is longer than the window."""
        return bool(self.scores)

    @property
    def likeliest(self) -> int | None:
        """The place of the option with the highest probability; None where nothing fits."""
        return self._best([score.log_probability for score in self.scores])

    @property
    def likeliest_per_token(self) -> int | None:
        """The place of the option whose tokens are the likeliest on average; None where nothing fits."""
        return self._best([score.per_token for score in self.scores])

    def _best(self, values: list[float]) -> int | None:
        return max(range(len(values)), key=values.__getitem__) if values else None
