"""A user's own APIs as they were read, the checks that all of them go through, and notes on what was left out."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from apigap.apibank_generator.answers import ApiAnswer, ValueAnswer
from apigap.apibank_generator.checks.tools import api_faults, tool_of
from apigap.apibank_generator.records import Tool, Value
from apigap.apibank_generator.seeds.call_values import CallParameter, UncallableParameter
from apigap.records.errors import UsageError

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_]+")
_MOST_WORDS = 40
NoteKind = Literal["apis_left_out", "parameters_left_out", "cycles_cut", "references_not_read"]
_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


class Notes:
    """Notes in their order, each once; `where` stands before each of them."""

    def __init__(self, where: str = "") -> None:
        self._where = where
        self._kinds: dict[str, NoteKind] = {}

    def add(self, kind: NoteKind, text: str) -> None:
        """Add one note, unless it is there already."""
        self._kinds.setdefault(f"{self._where}: {text}" if self._where else text, kind)

    def take(self, others: "Notes") -> None:
        """Add the notes of `others`."""
        self._kinds |= others._kinds

    @property
    def texts(self) -> list[str]:
        """The notes, as sentences."""
        return list(self._kinds)

    @property
    def counts(self) -> dict[NoteKind, int]:
        """The number of notes of each kind, of none too."""
        counts = Counter(self._kinds.values())
        return {kind: counts[kind] for kind in _KINDS}


class Seeds(NamedTuple):
    """The APIs, notes on what was left out or cut short, and how many notes there are of each kind."""

    tools: list[Tool]
    notes: list[str]
    counts: dict[NoteKind, int]


class ApiDescription(NamedTuple):
    """An API as it was found; `origin` is its place in the user's document."""

    name: str
    domain: str
    description: str
    inputs: Sequence[CallParameter]
    outputs: Sequence[Value]
    origin: str


def checked_seeds(apis: Sequence[ApiDescription], notes: Notes, source: str) -> Seeds:
    """The APIs that can be called and pass the checks of agent 2's work; the others are notes.

    Raises:
        UsageError: when none passes.
    """
    tools: list[Tool] = []
    taken: set[str] = set()
    for api in apis:
        answer = _answer(api, taken)
        why = _uncallable_reason(api) or next((fault.note for fault in api_faults(answer, taken)), None)
        if why is not None:
            notes.add("apis_left_out", f"{api.origin} is left out: {why}")
            continue
        _note_dropped(api, notes)
        taken.add(answer.name.lower())
        tools.append(tool_of(answer, api.domain, None, api.origin))
    if not tools:
        raise UsageError(f"{source} has no API that can be used: {'; '.join(notes.texts[:3]) or 'it describes none'}")
    return Seeds(tools, notes.texts, notes.counts)


def _uncallable_reason(api: ApiDescription) -> str | None:
    """The reason why no call of an API can be written; None where one can be."""
    needed = next((given for given in api.inputs if isinstance(given, UncallableParameter) and given.required), None)
    return needed and f"it needs {needed.name}, {needed.why}"


def _note_dropped(api: ApiDescription, notes: Notes) -> None:
    for given in api.inputs:
        if isinstance(given, UncallableParameter):
            notes.add("parameters_left_out", f"{api.origin} is told without {given.name}, {given.why}")


def _answer(api: ApiDescription, taken: set[str]) -> ApiAnswer:
    name = _free(camel(api.name), taken)
    return ApiAnswer(
        name=name,
        description=shorten(api.description) or _name_in_words(api.name),
        parameters=[_value(given) for given in api.inputs if isinstance(given, Value)],
        outputs=[_value(value) for value in api.outputs],
    )


def _value(value: Value) -> ValueAnswer:
    description = shorten(value.description) or _name_in_words(value.name)
    return ValueAnswer.model_validate(
        {**value.model_dump(), "name": identifier(value.name), "description": description}
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


def _name_in_words(name: str) -> str:
    """A name as words, where nothing else describes a thing."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", identifier(name)).replace("_", " ").strip().lower()
    return f"The {words}."
