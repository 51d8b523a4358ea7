"""Containers that a description leaves open: the words near a result decide, as a reader would.

"Make `codes` the list of ..." says list; "make `codes` the codes of ..." says nothing. "the list of (name, height)"
says the outer one alone: a pair can be a tuple or a list, while "a list of tuples" says both. Text, and what is no
container, is not a matter of this; of numbers only those that numpy made are: a number of the language stands for
numpy's already, but not the other way round.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from apigap.records.task import Containers
from apigap.sandbox.task_supplied_test.published_monitor import bound_names

_WORDS: dict[str, re.Pattern[str]] = {
    "list": re.compile(r"\blists?\b"),
    "tuple": re.compile(r"\btuples?\b"),
    "array": re.compile(r"\b(arrays?|matrix|matrices|ndarray|vectors?)\b"),
    "column": re.compile(r"\b(Series|series|Index)\b"),
    "dict": re.compile(r"\b(dicts?|dictionary|dictionaries|mapping|JSON)\b"),
    "set": re.compile(r"\b(frozen ?)?sets?\b"),
    "scalar": re.compile(r"\b(scalar|plain|float64|float32|int64|numpy number)\b"),
}
_KINDS = {"tuple": "tuple", "dict": "dict", "set": "set", "frozenset": "set", "array": "array"}
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z`])")
_SHARED = re.compile(r"(,? (and )?`\w+`)+")
"""Names that are defined together: `a`, `b` and `c` ..."""
_NEXT = re.compile(r"[,;]? and `\w+`|, `\w+` (?!and)|; `\w+`")
"""The place where another name is defined."""


def left_open(description: str, context: str, expression: str, forms: Sequence[Any]) -> Containers | None:
    """The leniency of an observed name that has `forms`: None where all is said, or nothing is to be said.

    Only a bare name is the answer's own value; any other expression is the author's reading of it, and a name that the
    context binds (a log that is filled) has the container that it was given.
    """
    kinds = {kind for form in forms if (kind := kind_of(form)) is not None}
    if not kinds or not expression.isidentifier() or expression in bound_names(context):
        return None
    said = _said_of(description, expression)
    if not kinds & set(said):
        return "any"
    words = said[min(said.index(kind) for kind in kinds if kind in said) + 1 :]
    inner = {kind for form in forms if kind_of(form) for kind in _inner_kinds(form)}
    return "any inside" if inner - set(words) else None


def contradiction(
    description: str, context: str, expression: str, forms: Sequence[Any], containers: str | None
) -> str | None:
    """The fault of an author's decision on one observation: open where it is said, or strict where it is not."""
    found = left_open(description, context, expression, forms)
    if containers == found or containers == "as given":
        return None
    if found is None:
        return f"the containers of {expression} are left open, and the description says them"
    if containers is None:
        return f"nothing is left open of {expression}, and the description does not say its containers ({found})"
    return f"{containers} containers of {expression} are left open, and the description leaves {found} of them open"


def kind_of(form: Any) -> str | None:
    """The word for the container that a form is of; None for what is none, or an object of a library."""
    if isinstance(form, list):
        return "list"
    if not isinstance(form, dict):
        return None
    tagged = cast("dict[str, Any]", form)
    if "numpy" in tagged:
        return "scalar"
    if "frame" in tagged:
        return None if "columns" in tagged["frame"] else "column"
    return next((kind for tag, kind in _KINDS.items() if tag in tagged), None)


def _inner_kinds(form: Any) -> Iterator[str]:
    """The kinds of the containers within a container."""
    for item in _items(form):
        kind = kind_of(item)
        if kind is not None and kind != "scalar":
            yield kind
            yield from _inner_kinds(item)


def _items(form: Any) -> list[Any]:
    if isinstance(form, list):
        return cast("list[Any]", form)
    tagged: Mapping[str, Any] = form
    pairs: list[Any] = tagged.get("dict", [])
    several: list[list[Any]] = [tagged.get(tag, []) for tag in ("tuple", "set", "frozenset")]
    return [*(pair[1] for pair in pairs), *(item for items in several for item in items)]


def _said_of(description: str, name: str) -> list[str]:
    """The kinds of containers that the description names for `name`, in the order of their words.

    Looked at is the text from each place where the name is defined or spoken of to where the next name is defined, and
    sentences that speak of all results.
    """
    found: list[str] = []
    for sentence in _SENTENCE.split(" ".join(description.split())):
        for clause in _clauses(sentence, name):
            found += _kinds_in(clause)
        if f"`{name}`" not in sentence and re.match(r"(All|Both)\b", sentence):
            found += _kinds_in(sentence)
    return found


def _clauses(sentence: str, name: str) -> Iterator[str]:
    """The parts of a sentence that tell what `name` is: the word before it, and all up to where another is defined."""
    for place in re.finditer(rf"`{re.escape(name)}(\([^`]*\))?`", sentence):
        before, rest = sentence[: place.start()], sentence[place.end() :]
        named = [*re.findall(r"\b\w+(?=: `)", f"{before}`"), *re.findall(r"\w+(?= $)", before)]
        shared = _SHARED.match(rest)
        start = shared.end() if shared else 0
        end = _NEXT.search(rest, start)
        yield f"{named} {rest[: end.start()] if end else rest}"


def _kinds_in(text: str) -> list[str]:
    places = sorted((m.start(), kind) for kind, pattern in _WORDS.items() for m in pattern.finditer(text))
    return [kind for _, kind in places]
