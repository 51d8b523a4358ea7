"""An order: the number of dialogues per ability, the caps that keep them diverse, and reasons to end early."""

import math
from typing import NamedTuple

from pydantic import Field

from apigap.apibank_generator.records import ABILITIES, APIS_PER_QUERY, Ability
from apigap.records.base import Record

MAX_TOKENS = 900
"""Of one answer; the longest are those of agent 2."""


class Order(Record):
    """An order to the generator.

    `per_domain` and `per_api` cap the accepted dialogues of one domain and one API (`caps_of`). `attempts` times
    `count` attempts are made at most: a larger number only lets a run go on. `earlier` are the smaller counts that the
    same run was ordered with before it was made longer.
    """

    count: int = Field(gt=0)
    earlier: tuple[int, ...] = ()
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
    def parts(self) -> "list[Order]":
        """The orders that are filled one after the other; so what was there before stays as it is."""
        return [self.model_copy(update={"count": count, "earlier": ()}) for count in (*self.earlier, self.count)]

    @property
    def wanted_domains(self) -> int:
        """The number of domains that agent 1 is to find: one more than the cap makes necessary."""
        return self.domains or math.ceil(self.count / self.per_domain) + 1

    def target(self, ability: Ability) -> int:
        """The number of dialogues of an ability: equal shares, the remainder goes to the first ones."""
        share, rest = divmod(self.count, len(self.abilities))
        return share + (self.abilities.index(ability) < rest)


class Ending(NamedTuple):
    """A run ended before its order was filled: `why`, and what a person can do (`remedy`, without its full stop)."""

    why: str
    remedy: str


OTHER_MODEL = (
    "its answers are kept, so the same command ends the same way; another model (--model) or --seed needs another --out"
)


_LEEWAY = 1.5


class Caps(NamedTuple):
    """The caps of a run. `notes` tell which are not those that were ordered."""

    domain: int
    api: int
    notes: tuple[str, ...] = ()


def caps_of(order: Order, domains: int, apis: int, own: bool) -> Caps:
    """The caps that were ordered. A user's own APIs are as many as they are: there the caps grow where the order could
    not be filled, to what it needs and half more.
    """
    if not own:
        return Caps(order.per_domain, order.per_api)
    domain = _raised_cap(order.per_domain, order.count, domains)
    api = _raised_cap(order.per_api, least_uses(order), apis)
    notes: list[str] = []
    if domain > order.per_domain:
        notes.append(
            f"your APIs have {domains} domain{'s' * (domains > 1)}, so up to {domain} dialogues are taken of one, "
            f"instead of {order.per_domain} (--per-domain)"
        )
    if api > order.per_api:
        notes.append(
            f"you have {apis} API{'s' * (apis > 1)}, so one may be in up to {api} dialogues, "
            f"instead of {order.per_api} (--per-api)"
        )
    return Caps(domain, api, tuple(notes))


def shortage(order: Order) -> str | None:
    """The reason why an order without a user's own APIs can never be filled; None where it can."""
    domains = order.wanted_domains
    if domains * order.per_domain < order.count:
        return (
            f"{domains} domains with {order.per_domain} dialogues each are fewer than the {order.count} that are "
            "ordered: a larger --domains or --per-domain, or a smaller --count"
        )
    apis, uses = domains * order.apis_per_domain, least_uses(order)
    if apis * order.per_api < uses:
        return (
            f"{order.count} dialogues use APIs {uses} times, and {apis} APIs ({order.apis_per_domain} of each domain) "
            f"may be used {order.per_api} times each: a larger --per-api or --domains, or a smaller --count"
        )
    return None


def least_uses(order: Order) -> int:
    """The least number of uses of APIs by all dialogues together, an API once in each."""
    return sum(order.target(ability) * APIS_PER_QUERY[ability][0] for ability in order.abilities)


def _raised_cap(most: int, needed: int, kinds: int) -> int:
    return most if most * kinds >= needed else math.ceil(_LEEWAY * needed / kinds)
