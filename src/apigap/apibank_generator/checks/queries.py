"""Checks of a query by itself (agent 3); whether it is like another one is told by `likeness`."""

from collections.abc import Iterator, Mapping, Sequence

from apigap.apibank_generator.answers import QueryAnswer
from apigap.apibank_generator.checks.spoken import LEAST_WORDS, spoken_faults
from apigap.apibank_generator.checks.words import shown
from apigap.apibank_generator.records import Ability, Fault, Tool

APIS_OF: Mapping[Ability, tuple[int, int]] = {
    "call": (1, 2), "retrieve+call": (1, 1), "plan+retrieve+call": (2, 3),
}  # fmt: skip
"""How many APIs a query of each ability is for: at least, at most."""


def query_faults(answer: QueryAnswer, ability: Ability, offered: Sequence[Tool]) -> Iterator[Fault]:
    """What is wrong with a query for some of the APIs that were offered."""
    names = [tool.name for tool in offered]
    yield from spoken_faults(answer.query, offered, LEAST_WORDS)
    for name in answer.apis:
        if name not in names:
            yield Fault("query_api_unknown", f"{shown(name)} is none of {', '.join(sorted(names))}")
    least, most = APIS_OF[ability]
    chosen = len(set(answer.apis))
    if not least <= chosen <= most or chosen < len(answer.apis):
        allowed = str(least) if least == most else f"{least} to {most}"
        yield Fault("query_number_of_apis", f"{len(answer.apis)} APIs for {ability}, which takes {allowed}, each once")
