"""The plan of attempts: abilities in turn, domains in turn, the APIs that were used least."""

from collections import Counter
from collections.abc import Iterable, Sequence

from apigap.apibank_generator.agents.attempt import Attempt
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.order import Caps, Ending, Order
from apigap.apibank_generator.records import APIS_PER_QUERY, Ability, Tool

_AT_ONCE = 16
_AVOIDED = 3


class Plan:
    """The attempts of an order so far, and what follows from how they ended."""

    def __init__(self, order: Order, pool: Pool, caps: Caps) -> None:
        self.extend(order, pool, caps)
        self.attempts: list[Attempt] = []
        self._accepted: Counter[Ability] = Counter()
        self._of_domain: Counter[str] = Counter()
        self._of_api: Counter[str] = Counter()

    def extend(self, order: Order, pool: Pool, caps: Caps) -> None:
        """Go on by a larger order, over the same APIs and perhaps more."""
        self._order = order
        self._pool = pool
        self.caps = caps

    @property
    def accepted(self) -> int:
        """The number of accepted dialogues."""
        return self._accepted.total()

    def count_accepted(self, attempt: Attempt) -> None:
        """Count an attempt that came to a good end."""
        assert attempt.query is not None
        self._accepted[attempt.ability] += 1
        self._of_domain[attempt.domain] += 1
        self._of_api.update(attempt.query.apis)

    def full(self, apis: Iterable[str], pending: Counter[str]) -> str | None:
        """The first of `apis` that has reached its cap, those counted that the round has under way."""
        return next((name for name in apis if self._of_api[name] + pending[name] >= self.caps.api), None)

    def next_round(self) -> list[Attempt]:
        """The attempts of the next round, at most as many as are still wanted."""
        begun: list[Attempt] = []
        while len(begun) < min(_AT_ONCE, self._most - len(self.attempts)):
            attempt = self._next(begun)
            if attempt is None:
                break
            begun.append(attempt)
        return begun

    def ending(self) -> Ending:
        """The reason for no next round, though the order is not filled."""
        if len(self.attempts) >= self._most:
            why = f"{len(self.attempts)} attempts were made, and the order allows no more"
            return Ending(why, "the same command with a larger --attempts goes on from here")
        for ability in self._open_abilities([]):
            needed = APIS_PER_QUERY[ability][0]
            if all(len(tools) < needed for tools in self._pool.by_domain.values()):
                why = f"{ability} needs {needed} APIs of one domain, and no domain has them"
                return Ending(why, "leave it out of --abilities, with another --out")
        why = (
            "no domain has APIs enough that are below their caps "
            f"({self.caps.domain} dialogues of a domain, {self.caps.api} of an API)"
        )
        return Ending(why, "a larger --per-domain, --per-api or --domains needs another --out")

    @property
    def _most(self) -> int:
        return self._order.attempts * self._order.count

    def _next(self, begun: Sequence[Attempt]) -> Attempt | None:
        """One attempt more for a round, of the ability that was tried least."""
        tried = Counter(attempt.ability for attempt in (*self.attempts, *begun))
        for ability in sorted(self._open_abilities(begun), key=lambda ability: tried[ability]):
            domain = self._domain_for(ability, begun)
            if domain is not None:
                return self._attempt(ability, domain, begun)
        return None

    def _open_abilities(self, begun: Sequence[Attempt]) -> list[Ability]:
        """The abilities of which there are too few, if all that is begun goes well."""
        under_way = Counter(attempt.ability for attempt in begun)
        return [
            ability
            for ability in self._order.abilities
            if self._accepted[ability] + under_way[ability] < self._order.target(ability)
        ]

    def _domain_for(self, ability: Ability, begun: Sequence[Attempt]) -> str | None:
        """The domain where the ability was tried least, and then anything, of those with room and APIs enough."""
        tried = Counter(attempt.domain for attempt in (*self.attempts, *begun))
        tried_so = Counter(attempt.domain for attempt in (*self.attempts, *begun) if attempt.ability == ability)
        under_way = Counter(attempt.domain for attempt in begun)
        open_ = [
            domain
            for domain in self._pool.by_domain
            if self._of_domain[domain] + under_way[domain] < self.caps.domain
            and len(self._below_cap(domain)) >= APIS_PER_QUERY[ability][0]
        ]
        return min(open_, key=lambda domain: (tried_so[domain], tried[domain]), default=None)

    def _below_cap(self, domain: str) -> list[Tool]:
        return [tool for tool in self._pool.by_domain[domain] if self._of_api[tool.name] < self.caps.api]

    def _attempt(self, ability: Ability, domain: str, begun: Sequence[Attempt]) -> Attempt:
        """An attempt that is offered the APIs with the fewest dialogues; which comes first goes round."""
        own = [attempt for attempt in self.attempts if attempt.domain == domain]
        used = Counter(name for attempt in own if attempt.query for name in attempt.query.apis)
        shift = sum(1 for attempt in begun if attempt.domain == domain)
        tools = self._below_cap(domain)
        turned = tools[shift % len(tools) :] + tools[: shift % len(tools)]
        offered = sorted(turned, key=lambda tool: used[tool.name])[: self._order.offered]
        texts = [attempt.query.text for attempt in own if attempt.query]
        return Attempt(len(self.attempts) + len(begun), ability, domain, offered, texts[-_AVOIDED:])
