"""Checks of a query by itself (agent 3); whether it is like another one is told by `likeness`."""

import re
from collections.abc import Iterator, Mapping, Sequence

from apigap.benchmarks.apibank_generator.answers import QueryAnswer
from apigap.benchmarks.apibank_generator.checks.words import invisible, shown
from apigap.benchmarks.apibank_generator.records import SEARCH, Ability, Fault, Tool
from apigap.benchmarks.apibank_generator.values import PLACEHOLDER

_LEAST_WORDS, _MOST_WORDS = 4, 120
_TOLD = re.compile(r"\W*(?:the|a) (?:person|user|customer|client)\b", re.IGNORECASE)
APIS_OF: Mapping[Ability, tuple[int, int]] = {
    "call": (1, 2), "retrieve+call": (1, 1), "plan+retrieve+call": (2, 3),
}  # fmt: skip
"""How many APIs a query of each ability is for: at least, at most."""


def query_faults(answer: QueryAnswer, ability: Ability, offered: Sequence[Tool]) -> Iterator[Fault]:
    """What is wrong with a query for some of the APIs that were offered."""
    text, names = answer.query, {tool.name for tool in offered}
    yield from invisible((text,))
    words = len(text.split())
    if not _LEAST_WORDS <= words <= _MOST_WORDS:
        yield Fault("query_length", f"{words} words in {shown(text)}; {_LEAST_WORDS} to {_MOST_WORDS} are allowed")
    if _TOLD.match(text):
        yield Fault("query_not_spoken", shown(text))
    hole = PLACEHOLDER.search(text)
    if hole:
        yield Fault("query_placeholder", f"{hole[0]} in {shown(text)}")
    for name in (*names, SEARCH):
        if len(name) > 3 and re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
            yield Fault("query_names_api", f"{name} in {shown(text)}")
    for name in answer.apis:
        if name not in names:
            yield Fault("query_api_unknown", f"{shown(name)} is none of {', '.join(sorted(names))}")
    least, most = APIS_OF[ability]
    chosen = len(set(answer.apis))
    if not least <= chosen <= most or chosen < len(answer.apis):
        allowed = str(least) if least == most else f"{least} to {most}"
        yield Fault("query_number_of_apis", f"{len(answer.apis)} APIs for {ability}, which takes {allowed}, each once")
