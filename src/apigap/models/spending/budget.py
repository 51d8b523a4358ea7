"""The purse of a command: what it is about to spend is told before the first request, and limits end it cleanly.

There is one for the process, since a command asks several models in several roles out of the same pocket.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from apigap.models.adapted import IN_PROCESS
from apigap.models.model_facts import BATCH, LOCAL, MOCK
from apigap.models.request import Answer, GenerationRequest, Prompted
from apigap.models.spending.prices import FREE, Price, price_of
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN, Workload, characters
from apigap.records.errors import BudgetSpent, UsageError

_MINUTE = 60.0
_FEW_ANSWERS = 3
"""The answers before which nothing is said of time: a word of trial, or a first answer, is far from the mean."""
Note = Callable[[str], None]


@dataclass(frozen=True)
class Limits:
    """The most that a command may spend; None: as much as it takes. `prices` are the user's own (see `price_of`)."""

    dollars: float | None = None
    tokens: int | None = None
    minutes: float | None = None
    prices: tuple[str, ...] = ()


@dataclass
class _Seen:
    """The answers of one model so far."""

    answers: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    announced: int = 0


@dataclass
class Purse:
    """The limits, and what has been spent of them by this process."""

    limits: Limits = field(default_factory=Limits)
    note: Note | None = None
    began: float = field(default_factory=time.monotonic)
    tokens: int = 0
    dollars: float = 0.0
    _models: dict[str, _Seen] = field(default_factory=dict[str, _Seen])

    def before(self, model: str, requests: Sequence[GenerationRequest], most: int, connections: int) -> None:
        """Tell what `requests` may take, where they are more than any that this model was asked before.

        Raises:
            UsageError: when dollars are limited and the price of the model is not known.
            BudgetSpent: when a limit is reached.
        """
        if _is_free(model):
            return self.demand(model)
        price = price_of(model, self.limits.prices)
        if self.limits.dollars is not None and price is None:
            raise UsageError(
                f"the price of {model} is not known, so --max-dollars cannot be kept; name it with --price IN/OUT, in "
                "dollars per million tokens"
            )
        seen, wanted = self._of(model), sum(request.samples for request in requests)
        if self.note and wanted > seen.announced:
            seen.announced = wanted
            work = Workload.of(requests, most)
            self.note(self.told(model, replace(work, answers=seen.answers, wrote=seen.output_tokens), connections))
        return self.demand(model)

    def price(self, model: str) -> Price | None:
        """The price of a model, nothing of one that costs nothing; None where it is not known.

        A folder's requests are paid for where somebody sends them, at the price of the model that it is named after.
        """
        if _is_free(model) and not model.startswith(BATCH):
            return FREE
        return price_of(model, self.limits.prices)

    def minutes(self, model: str, requests: int, connections: int) -> float | None:
        """The minutes that so many requests take at the mean so far; None before some answers, whose time tells it."""
        seen = self._of(model)
        if seen.answers < _FEW_ANSWERS or not seen.seconds:
            return None
        return requests * seen.seconds / seen.answers / max(1, min(connections, requests)) / _MINUTE

    def told(self, model: str, work: Workload, connections: int) -> str:
        """A work in words: the number of requests, and the tokens, dollars and time that they may take."""
        read, most = f"about {work.read:,.0f} tokens to read", f"at most {work.most:,} to write"
        words = [f"{model}: {work.requests:,} requests, {read} and {most}"]
        if work.likely is not None:
            words.append(f"about {work.likely:,.0f} at the mean so far")
        price = self.price(model)
        dollars, likely = work.dollars(price)
        if price is None or dollars is None:
            words.append("its price is not known (--price IN/OUT)")
        elif price is not FREE:
            mean = f", about ${likely:,.2f} at the mean so far" if likely is not None else ""
            words.append(f"at most ${dollars:,.2f}{mean} ({price.source})")
        minutes = self.minutes(model, work.requests, connections)
        return "; ".join([*words, f"{minutes:,.1f} minutes at the mean so far"] if minutes is not None else words)

    def demand(self, model: str) -> None:
        """Nothing while there is something left.

        Raises:
            BudgetSpent: when a limit is reached.
        """
        limits, minutes = self.limits, (time.monotonic() - self.began) / _MINUTE
        for name, spent, most in (
            ("dollars", self.dollars, limits.dollars),
            ("tokens", self.tokens, limits.tokens),
            ("minutes", minutes, limits.minutes),
        ):
            if most is not None and spent >= most:
                raise BudgetSpent(
                    f"--max-{name} {most:g} is reached ({spent:.4g} spent) before {model} was asked for all; the "
                    "answers so far are kept, and the same command goes on from there with as much again"
                )

    def pay(self, model: str, request: Prompted, answer: Answer) -> None:
        """Count an answer; one whose provider counts no tokens by its characters."""
        if model.startswith(MOCK):
            return
        read = answer.input_tokens or characters(request) // CHARACTERS_PER_TOKEN
        wrote = answer.output_tokens or len(answer.text + answer.reasoning) // CHARACTERS_PER_TOKEN
        seen = self._of(model)
        seen.answers += 1
        seen.output_tokens += wrote
        seen.seconds += answer.seconds
        self.tokens += read + wrote
        price = None if _is_free(model) else price_of(model, self.limits.prices)
        self.dollars += price.of(read, wrote) if price else 0.0

    def _of(self, model: str) -> _Seen:
        return self._models.setdefault(model, _Seen())


_purse = Purse()


def use(limits: Limits, note: Note | None = None) -> None:
    """Put limits in force for what this process asks from now on; `note` is told what it is about to spend."""
    global _purse
    _purse = Purse(limits, note)


def purse() -> Purse:
    """The purse in force."""
    return _purse


def _is_free(model: str) -> bool:
    return model.startswith((LOCAL, IN_PROCESS, MOCK, BATCH))
