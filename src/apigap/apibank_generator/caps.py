"""The most dialogues of one domain and of one API, for diversity; and whether an order can be filled under them."""

import math
from typing import NamedTuple

from apigap.apibank_generator.checks.queries import APIS_OF
from apigap.apibank_generator.order import Order

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
    domain = _grown(order.per_domain, order.count, domains)
    api = _grown(order.per_api, least_uses(order), apis)
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
    """Why an order without a user's own APIs can never be filled; None where it can."""
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
    """How often APIs are used at least by all dialogues together, an API once in each."""
    return sum(order.target(ability) * APIS_OF[ability][0] for ability in order.abilities)


def _grown(most: int, needed: int, kinds: int) -> int:
    return most if most * kinds >= needed else math.ceil(_LEEWAY * needed / kinds)
