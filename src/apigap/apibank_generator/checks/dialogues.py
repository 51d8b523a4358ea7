"""Checks of a whole dialogue (agent 4): the requirements of its ability, and its words."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from apigap.apibank_generator.checks.calls import call_faults, repeated_faults, search_faults
from apigap.apibank_generator.checks.currencies import currency_faults
from apigap.apibank_generator.checks.texts import PLACEHOLDER, abridged, invisible_faults
from apigap.apibank_generator.checks.user_words import turn_faults, utterance_faults
from apigap.apibank_generator.records import Exchange, Fault, Query, Step, Tool
from apigap.benchmarks.apibank.scoring.corrected import read_calls

_MOST_CALLS = 6
_MOST_TURNS = 4
_MOST_REPLY = 1200
_GENERATE = re.compile(r"^[ \t]*Generate ", re.MULTILINE)


def dialogue_faults(
    query: Query, exchanges: Sequence[Exchange], chosen: Mapping[str, Tool], known: Mapping[str, Tool]
) -> Iterator[Fault]:
    """Faults of a dialogue for `query`: first of its calls, then of their order, then of its words."""
    steps = [step for exchange in exchanges for step in exchange.steps]
    for step in steps:
        yield from search_faults(step) if step.is_search else call_faults(step, chosen, known)
    yield from repeated_faults(steps)
    yield from _ability_faults(query, steps, len(exchanges))
    yield from _word_faults(query, exchanges, chosen)
    yield from currency_faults(exchanges, list(chosen.values()))


def _ability_faults(query: Query, steps: Sequence[Step], turns: int) -> Iterator[Fault]:
    calls = [step for step in steps if not step.is_search]
    if not calls:
        yield Fault("no_call", "the dialogue has no call of an API")
        return
    for name in query.apis:
        if all(step.api != name for step in calls):
            yield Fault("api_unused", f"{name} is never called")
    most_calls = 1 if query.ability == "retrieve+call" else _MOST_CALLS
    if len(calls) > most_calls:
        yield Fault("too_many_calls", f"{len(calls)} calls; {query.ability} allows {most_calls}")
    if query.ability == "plan+retrieve+call" and len(calls) < 2:
        yield Fault("too_few_calls", "a plan has at least two calls")
    most_turns = _MOST_TURNS if query.ability == "call" else 1
    if turns > most_turns:
        yield Fault("too_many_turns", f"{turns} turns of the user; {query.ability} allows {most_turns}")
    yield from _search_faults(query, steps)


def _search_faults(query: Query, steps: Sequence[Step]) -> Iterator[Fault]:
    searches = sum(1 for step in steps if step.is_search)
    if query.ability == "call":
        if searches:
            yield Fault("search_not_wanted", f"{searches} searches, though the APIs are given")
        return
    found: set[str] = set()
    for before, step in zip((None, *steps), steps, strict=False):
        if not step.is_search and step.api not in found:
            if before is None or not before.is_search:
                yield Fault("search_missing", f"{step.api} is called and was not searched for")
            found.add(step.api)
    if searches > len(found):
        yield Fault("search_repeated", f"{searches} searches for {len(found)} APIs")


def _word_faults(query: Query, exchanges: Sequence[Exchange], chosen: Mapping[str, Tool]) -> Iterator[Fault]:
    if exchanges[0].user != query.text:
        yield Fault("first_words", f"it begins with {abridged(exchanges[0].user)}")
    for number, exchange in enumerate(exchanges):
        if not exchange.reply.strip() or not exchange.user.strip():
            yield Fault("reply_blank", "a turn without words")
            continue
        yield from utterance_faults(exchange.user, chosen.values()) if number else invisible_faults((exchange.user,))
        yield from _reply_faults(exchange)


def _reply_faults(exchange: Exchange) -> Iterator[Fault]:
    reply = exchange.reply.strip()
    yield from invisible_faults((reply,))
    if len(reply) > _MOST_REPLY:
        yield Fault("reply_length", f"{len(reply)} characters; {_MOST_REPLY} are allowed")
    elif reply.startswith(("{", "[", "<tool_call>", "API-Request")) or read_calls(reply):
        yield Fault("reply_is_call", abridged(reply))
    elif _words(reply) == _words(exchange.user):
        yield Fault("reply_repeats_user", abridged(reply))
    yield from turn_faults(reply)
    if _GENERATE.search(reply):
        yield Fault("turn_of_another", abridged(reply))
    hole = PLACEHOLDER.search(reply)
    if hole:
        yield Fault("reply_placeholder", f"{hole[0]} in {abridged(reply)}")


def _words(text: str) -> Counter[str]:
    return Counter("".join(letter.lower() if letter.isalnum() else " " for letter in text).split())
