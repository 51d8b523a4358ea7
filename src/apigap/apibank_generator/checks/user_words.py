"""Checks of a query (agent 3) and of the person's later words; likeness to other queries is in `likeness`."""

import re
from collections.abc import Iterable, Iterator, Sequence

from apigap.apibank_generator.answers import QueryAnswer
from apigap.apibank_generator.checks.texts import PLACEHOLDER, abridged, invisible_faults
from apigap.apibank_generator.records import APIS_PER_QUERY, SEARCH, Ability, Fault, Tool

LEAST_WORDS, MOST_WORDS = 4, 120
"""Of the person's first words; later ones may be fewer."""
_TELLING = (
    r"(?:ask|say|tell|request|inquire|enquire|wonder|mention|state)s|said|told"
    r"|(?:is )?(?:asking|saying|telling|requesting|inquiring|enquiring|wondering)"
    r"|(?:ask|request|inquir|enquir|wonder|mention|stat)ed"
)
_TOLD = re.compile(
    rf"\W*(?:(?:the|a) (?:person|user|customer|client) (?:{_TELLING})"
    r"|the (?:person|user) (?:wants|needs|wishes|would like|is looking))\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"(?:^|[\n.!?…)\]}])[\s*_>#-]{0,6}(?:User|AI|API-Request)[*_]{0,2}\s?:|\bGenerate (?:API Request|AI Response)\b",
    re.IGNORECASE,
)
"""The place at which words on one line, or on several, go on as another speaker, in the form of the training files."""
_SHORTEST_NAME = 4
_WRITTEN = re.compile(r".[A-Z]|_")


def utterance_faults(text: str, tools: Iterable[Tool], least: int = 1) -> Iterator[Fault]:
    """Faults of the person's words, who knows nothing of `tools`; `least` words are needed."""
    yield from invisible_faults((text,))
    words = len(text.split())
    if not least <= words <= MOST_WORDS:
        yield Fault("query_length", f"{words} words in {abridged(text)}; {least} to {MOST_WORDS} are allowed")
    yield from turn_faults(text)
    if _TOLD.match(text):
        yield Fault("query_not_spoken", abridged(text))
    hole = PLACEHOLDER.search(text)
    if hole:
        yield Fault("query_placeholder", f"{hole[0]} in {abridged(text)}")
    yield from _name_faults(text, tools)


def turn_faults(text: str) -> Iterator[Fault]:
    """Words that do not end where their speaker does."""
    found = _TURN.search(text)
    if found:
        yield Fault("turn_of_another", f"{abridged(found[0].strip())} in {abridged(text)}")


def _name_faults(text: str, tools: Iterable[Tool]) -> Iterator[Fault]:
    """Names of APIs, but for those that are words of the language too (`translate`)."""
    for name in (*(tool.name for tool in tools), SEARCH):
        is_name = len(name) >= _SHORTEST_NAME and _WRITTEN.search(name)
        if is_name and re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
            yield Fault("query_names_api", f"{name} in {abridged(text)}")


def query_faults(answer: QueryAnswer, ability: Ability, offered: Sequence[Tool]) -> Iterator[Fault]:
    """Faults of a query for some of the APIs that were offered."""
    names = [tool.name for tool in offered]
    yield from utterance_faults(answer.query, offered, LEAST_WORDS)
    for name in answer.apis:
        if name not in names:
            yield Fault("query_api_unknown", f"{abridged(name)} is none of {', '.join(sorted(names))}")
    least, most = APIS_PER_QUERY[ability]
    chosen = len(set(answer.apis))
    if not least <= chosen <= most or chosen < len(answer.apis):
        allowed = str(least) if least == most else f"{least} to {most}"
        yield Fault("query_number_of_apis", f"{len(answer.apis)} APIs for {ability}, which takes {allowed}, each once")
