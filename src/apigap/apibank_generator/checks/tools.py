"""Checks of domains and APIs (agents 1 and 2), and the records of the answers that pass them."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from apigap.apibank_generator.answers import ApiAnswer, DomainAnswer, ValueAnswer
from apigap.apibank_generator.checks.texts import abridged, invisible_faults
from apigap.apibank_generator.checks.value_types import value_type
from apigap.apibank_generator.records import SEARCH, Domain, Fault, Provenance, Tool, Value
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING

_API_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{1,63}", re.ASCII)
_VALUE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
_MOST_WORDS = 6
_MOST_CHARACTERS = 60
EVALUATION = frozenset(name.lower() for registry in (DIALOGUE, PLANNING) for name in registry.apis)
"""The names of the evaluation's APIs, which training data must not teach."""


def domain_faults(answer: DomainAnswer) -> Iterator[Fault]:
    """Faults of a domain by itself."""
    yield from invisible_faults((answer.name, answer.description))
    words = answer.name.split()
    if not words or len(words) > _MOST_WORDS or len(answer.name) > _MOST_CHARACTERS:
        yield Fault("domain_name", f"{abridged(answer.name)} is to be at most {_MOST_WORDS} words")


def domain_of(answer: DomainAnswer, provenance: Provenance | None) -> Domain:
    """The domain that an answer without faults names."""
    return Domain(name=_plain(answer.name), description=_plain(answer.description), provenance=provenance)


def api_faults(answer: ApiAnswer, taken: Collection[str]) -> Iterator[Fault]:
    """Faults of an API, where the names `taken` (in lower case) are used already."""
    values = (*answer.parameters, *answer.outputs)
    yield from invisible_faults((answer.name, answer.description, *(value.description for value in values)))
    yield from _name_faults(answer.name, taken)
    if not answer.description.strip():
        yield Fault("api_undescribed", f"{answer.name} has no description")
    for listed in (answer.parameters, answer.outputs):
        yield from _value_faults(listed)
    for value in answer.parameters:
        if not value.description.strip():
            yield Fault("api_undescribed", f"the parameter {value.name} of {answer.name} has no description")
    if not answer.outputs:
        yield Fault("api_without_output", f"{answer.name} declares no output")


def _name_faults(name: str, taken: Collection[str]) -> Iterator[Fault]:
    if not _API_NAME.fullmatch(name):
        yield Fault("api_name", f"{abridged(name)} is no name of letters, digits and underscores")
    if name.lower() == SEARCH.lower():
        yield Fault("api_reserved", f"{name} is the search for APIs")
    elif name.lower() in EVALUATION:
        yield Fault("api_of_evaluation", f"{name} is an API of the evaluation")
    if name.lower() in taken:
        yield Fault("api_repeated", f"there is an API {name} already")


def _value_faults(values: Sequence[ValueAnswer]) -> Iterator[Fault]:
    for value in values:
        if not _VALUE_NAME.fullmatch(value.name):
            yield Fault("parameter_name", f"{abridged(value.name)} is no name of letters, digits and underscores")
        if value_type(value.type) is None:
            yield Fault("value_type", f"{value.name} has the unknown type {abridged(value.type)}")
    for name, often in Counter(value.name.lower() for value in values).items():
        if often > 1:
            yield Fault("parameter_repeated", f"{often} times {name}")


def tool_of(answer: ApiAnswer, domain: str, provenance: Provenance | None, origin: str = "agent") -> Tool:
    """The API that an answer without faults describes."""
    return Tool(
        name=answer.name,
        domain=domain,
        description=_plain(answer.description),
        inputs=tuple(map(_value, answer.parameters)),
        outputs=tuple(map(_value, answer.outputs)),
        origin=origin,
        provenance=provenance,
    )


def _value(answer: ValueAnswer) -> Value:
    kind = value_type(answer.type)
    assert kind is not None
    return Value(name=answer.name, type=kind, description=_plain(answer.description), required=answer.required)


def _plain(text: str) -> str:
    return " ".join(text.split())
