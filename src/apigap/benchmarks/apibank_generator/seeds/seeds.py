"""What is read of a user's APIs, and the checks that all of them go through, wherever they are from."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from apigap.benchmarks.apibank_generator.answers import ApiAnswer, ValueAnswer
from apigap.benchmarks.apibank_generator.checks.tools import api_faults, tool_of
from apigap.benchmarks.apibank_generator.records import Tool, Value
from apigap.records.errors import UsageError

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_]+")
_MOST_WORDS = 40


class Seeds(NamedTuple):
    """The APIs, and notes on what was left out or cut short."""

    tools: list[Tool]
    notes: list[str]


class Found(NamedTuple):
    """An API as it was found; `origin` is its place in the user's document."""

    name: str
    domain: str
    description: str
    inputs: Sequence[Value]
    outputs: Sequence[Value]
    origin: str


def seeds_of(found: Sequence[Found], notes: Sequence[str], where: str) -> Seeds:
    """The APIs that pass the checks of agent 2's work; each of the others is a note.

    Raises:
        UsageError: when none passes.
    """
    tools: list[Tool] = []
    told = list(notes)
    taken: set[str] = set()
    for one in found:
        answer = _answer(one, taken)
        fault = next(api_faults(answer, taken), None)
        if fault is not None:
            told.append(f"{one.origin} is left out: {fault.note}")
            continue
        taken.add(answer.name.lower())
        tools.append(tool_of(answer, one.domain, None, one.origin))
    if not tools:
        raise UsageError(f"{where} has no API that can be used: {'; '.join(told[:3]) or 'it describes none'}")
    return Seeds(tools, told)


def _answer(found: Found, taken: set[str]) -> ApiAnswer:
    name = _free(camel(found.name), taken)
    return ApiAnswer(
        name=name,
        description=shorten(found.description) or _said(found.name),
        parameters=[_value(value) for value in found.inputs],
        outputs=[_value(value) for value in found.outputs],
    )


def _value(value: Value) -> ValueAnswer:
    told = value.model_dump()
    return ValueAnswer.model_validate(
        {**told, "name": identifier(value.name), "description": shorten(value.description) or _said(value.name)}
    )


def _free(name: str, taken: set[str]) -> str:
    numbered = (name, *(f"{name}{number}" for number in range(2, 1000)))
    return next((one for one in numbered if one.lower() not in taken), name)


def camel(name: str) -> str:
    """A name as calls can be written with it: `list-pets` becomes `ListPets`; what is one word already stays."""
    parts = [part for part in _NOT_A_NAME.split(name) if part]
    if len(parts) == 1 and parts[0] == name:
        return name
    return "".join(part[:1].upper() + part[1:] for part in parts)


def identifier(name: str) -> str:
    """The name of a parameter as a call can have it: `page[size]` becomes `page_size`."""
    return _NOT_A_NAME.sub("_", name).strip("_") or name


def shorten(text: str) -> str:
    """The first words of a description, on one line."""
    words = text.split()
    return " ".join(words[:_MOST_WORDS]) + ("…" if len(words) > _MOST_WORDS else "")


def _said(name: str) -> str:
    """A name as words, where nothing else describes a thing."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", identifier(name)).replace("_", " ").strip().lower()
    return f"The {words}."
