"""Work for a model that is still to be done, and its price before anything is asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apigap.models.request import GenerationRequest, Prompted
from apigap.models.spending.prices import Price

CHARACTERS_PER_TOKEN = 4
"""Of a prompt whose tokens nobody has counted yet."""


@dataclass(frozen=True)
class Workload:
    """Requests that are to be made, the tokens they have, and the most that their answers may have.

    `answers` are those that are there already, `wrote` is what they took: their mean is what the others are likely to.
    """

    requests: int = 0
    read: float = 0.0
    most: int = 0
    answers: int = 0
    wrote: int = 0

    @classmethod
    def of(cls, requests: Sequence[GenerationRequest], most: int) -> "Workload":
        """The work of `requests`, whose answers may have `most` tokens where a request does not say fewer."""
        return cls(
            requests=sum(request.samples for request in requests),
            read=sum(characters(request) * request.samples for request in requests) / CHARACTERS_PER_TOKEN,
            most=sum(min(most, request.most_tokens or most) * request.samples for request in requests),
        )

    @classmethod
    def total(cls, works: Iterable["Workload"]) -> "Workload":
        """All of them together."""
        found = cls()
        for work in works:
            found = cls(
                found.requests + work.requests, found.read + work.read, found.most + work.most,
                found.answers + work.answers, found.wrote + work.wrote,
            )  # fmt: skip
        return found

    @property
    def likely(self) -> float | None:
        """The tokens to write at the mean of the answers that are there; None where there are none."""
        return self.requests * self.wrote / self.answers if self.answers else None

    def dollars(self, price: Price | None) -> tuple[float | None, float | None]:
        """The dollars at most, and at the mean so far; None where price or mean is not known."""
        if price is None:
            return None, None
        return price.of(self.read, self.most), None if self.likely is None else price.of(self.read, self.likely)


def characters(request: Prompted) -> int:
    """The length of a prompt, with the tools that are offered beside it."""
    tools = request.tools if isinstance(request, GenerationRequest) else ()
    return sum(len(message.content) for message in request.messages()) + sum(len(tool.to_line()) for tool in tools)
