"""A check of money: a reply names no currency that nobody and nothing before it has named."""

import re
from collections.abc import Iterator, Mapping, Sequence

from apigap.apibank_generator.checks.texts import abridged
from apigap.apibank_generator.records import Exchange, Fault, Tool, readable_json

_NAMES: Mapping[str, str] = {
    "€": "euro", "eur": "euro", "euro": "euro", "euros": "euro",
    "$": "dollar", "usd": "dollar", "dollar": "dollar", "dollars": "dollar",
    "£": "sterling", "gbp": "sterling", "sterling": "sterling",
    "¥": "yen", "jpy": "yen", "yen": "yen",
    "₹": "rupee", "inr": "rupee", "rupee": "rupee", "rupees": "rupee",
    "chf": "franc", "franc": "franc", "francs": "franc",
    "pln": "zloty", "zloty": "zloty", "zlotys": "zloty",
}  # fmt: skip
"""By the signs, codes and words that mean nothing else; a pound may be a weight."""
_NAMED = re.compile(rf"[€$£¥₹]|\b(?:{'|'.join(name for name in _NAMES if name.isalpha())})\b", re.IGNORECASE)


def currency_faults(exchanges: Sequence[Exchange], chosen: Sequence[Tool]) -> Iterator[Fault]:
    """Replies with a currency that is neither in the APIs' descriptions nor in any word, call or result before."""
    known = _currencies(readable_json([tool.model_dump(mode="json") for tool in chosen]))
    for exchange in exchanges:
        told = readable_json([[step.arguments, step.result] for step in exchange.steps])
        known |= _currencies(exchange.user) | _currencies(told)
        for name in sorted(_currencies(exchange.reply) - known):
            yield Fault("reply_currency", f"{name} in {abridged(exchange.reply)}")
        known |= _currencies(exchange.reply)


def _currencies(text: str) -> set[str]:
    return {_NAMES[found.lower()] for found in _NAMED.findall(text)}
