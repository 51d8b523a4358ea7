"""An estimate of the calls, tokens and dollars of an order, before anything is asked."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from apigap.apibank_generator.agents.prompts import prompt_of
from apigap.apibank_generator.budgeted_client import Price
from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import AGENTS, Agent, Tool
from apigap.models.transcripts import estimated_tokens

ACCEPTED = 0.65
"""Of what reaches the tester; the published one threw 35 % away (API-Bank, section 4)."""
_SOUND = 0.8
"""Of queries and of dialogues, what the checks in code let through: a guess for a model that keeps to a form."""
_READ: Mapping[Agent, int] = {"domains": 60, "apis": 400, "query": 900, "dialogue": 500, "tester": 900}
"""Tokens that fill the prompts' places: APIs of about 160 tokens each, dialogues."""
_WRITTEN: Mapping[Agent, int] = {"domains": 250, "apis": 600, "query": 60, "dialogue": 220, "tester": 60}


def estimate(order: Order, price: Price | None, seeds: Sequence[Tool] = ()) -> dict[str, Any]:
    """Calls, tokens and dollars per agent and in all; dollars are None where there is no price."""
    calls = _calls(order, bool(seeds))
    agents: dict[str, Any] = {}
    for agent in AGENTS:
        template = estimated_tokens(prompt_of(agent).text)
        read, written = calls[agent] * (template + _READ[agent]), calls[agent] * _WRITTEN[agent]
        agents[agent] = {
            "calls": calls[agent],
            "input_tokens": read,
            "output_tokens": written,
            "dollars": _dollars(price, read, written),
        }
    total = {key: sum(row[key] for row in agents.values()) for key in ("calls", "input_tokens", "output_tokens")}
    return {
        "agents": agents,
        **total,
        "dollars": _dollars(price, total["input_tokens"], total["output_tokens"]),
        "assumed": {"checks let through": _SOUND, "tester accepts": ACCEPTED},
    }


def _dollars(price: Price | None, read: int, written: int) -> float | None:
    return None if price is None else round(price.of(read, written), 4)


def _calls(order: Order, seeded: bool) -> dict[Agent, int]:
    tested = math.ceil(order.count / ACCEPTED)
    written = math.ceil(tested / _SOUND)
    domains = 0 if seeded else order.wanted_domains
    return {
        "domains": math.ceil(domains / 10),
        "apis": domains,
        "query": math.ceil(written / _SOUND),
        "dialogue": written,
        "tester": tested,
    }
