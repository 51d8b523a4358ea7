"""What is to be made: how many dialogues of which abilities, and the limits that keep them diverse."""

import math

from pydantic import Field

from apigap.apibank_generator.records import ABILITIES, Ability
from apigap.records.base import Record

MAX_TOKENS = 900
"""Of one answer; the longest are those of agent 2."""


class Order(Record):
    """An order to the generator.

    `per_domain` and `per_api` are the most accepted dialogues of one domain and one API, see `caps`. `attempts` times
    `count` attempts are made at most: a larger number only lets a run go on.
    """

    count: int = Field(gt=0)
    abilities: tuple[Ability, ...] = ABILITIES
    domains: int | None = Field(default=None, gt=0)
    apis_per_domain: int = Field(default=3, ge=1)
    per_domain: int = Field(default=6, ge=1)
    per_api: int = Field(default=8, ge=1)
    attempts: int = Field(default=4, ge=1)
    offered: int = Field(default=4, ge=1)
    temperature: float = Field(default=0.8, ge=0)
    seed: int = 0

    @property
    def wanted_domains(self) -> int:
        """How many domains agent 1 is to find: one more than the cap makes necessary."""
        return self.domains or math.ceil(self.count / self.per_domain) + 1

    def target(self, ability: Ability) -> int:
        """How many dialogues of an ability: equal shares, what is left over for the first ones."""
        share, rest = divmod(self.count, len(self.abilities))
        return share + (self.abilities.index(ability) < rest)
