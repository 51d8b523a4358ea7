"""The options of a live run."""

from dataclasses import dataclass

from apigap.benchmarks.apibank.api_search import RECORDED as RECORDED_SEARCH
from apigap.benchmarks.apibank.live.users import RECORDED
from apigap.benchmarks.apibank.prompts import Protocol

TURNS = 30
"""The most answers of a dialogue, where nobody says another number."""


@dataclass(frozen=True)
class LiveOptions:
    """The model, the user (`recorded`, or a model), and which dialogues of which levels are played how often.

    `limit` is per level (0: all), `turns` the most answers of a dialogue. Several samples need a temperature above 0.
    """

    model: str
    user: str = RECORDED
    protocol: Protocol = "text"
    search: str = RECORDED_SEARCH
    levels: tuple[int, ...] = ()
    limit: int = 0
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0
    turns: int = TURNS
    connections: int | None = None

    @property
    def plays_user(self) -> bool:
        """True if a model speaks for the user."""
        return self.user != RECORDED
