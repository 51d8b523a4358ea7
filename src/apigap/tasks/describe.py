"""The description of a synthesised task: its subject, what must hold of the outputs, and worked examples.

The API's name is never in it, unless the API is to be named, and no sentence of its documentation is.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apigap.knowledge.components.docstrings import parameter_descriptions, shorten
from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse
from apigap.records.task import Containers
from apigap.tasks.cut import Draft, used_names
from apigap.tasks.leak import leaks, mask
from apigap.tasks.open_containers import kind_of
from apigap.tasks.outcome import indent, is_telling, outcome
from apigap.tasks.outline import hidden_expressions, literals, outline
from apigap.tasks.wording.meanings import given_arguments, meaning_of, names_of
from apigap.tasks.wording.purpose import purpose_of
from apigap.tasks.wording.topic import topic_of

_SHOWN = 5
_NOTHING = ""
_EXAMPLES = "Worked examples, the same lines with other inputs:"
_ELSEWHERE = "The same lines are also checked with other inputs."
_KINDS = {
    "function": "a function", "class": "a class", "method": "a method", "classmethod": "a class method",
    "staticmethod": "a static method", "property": "a property",
}  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """What a description shows of the runs: outputs of the basic scenario, worked examples, what decides."""

    expected: Mapping[str, Any]
    examples: Sequence[str] = ()
    decides: str | None = None


def describe(draft: Draft, candidate: Candidate, shown: Shown) -> str | None:
    """The description, or None when it could not be written without naming the API."""
    examples = "\n".join((_EXAMPLES, *shown.examples)) if shown.examples else ""
    purpose = wish_of(draft, candidate)
    parts = (
        _purpose(candidate) if purpose is None else f"Wanted: {purpose}.",
        "" if purpose is None else _what_is_new(candidate),
        _task(draft, candidate, rest=True),
        _requirements(draft, candidate, candidate.leaf),
        shown.decides or "",
        _outputs(shown.expected, candidate.leaf),
        examples,
        _ELSEWHERE,
    )
    text = "\n".join(part for part in parts if part)
    return None if leaks(text, candidate.leaf) else text


def describe_named(draft: Draft, candidate: Candidate, expected: Mapping[str, Any], *, elsewhere: bool) -> str:
    """The description of code that must use an API which it names; `elsewhere` it is checked with other inputs too."""
    release = f"{candidate.library} {candidate.new_version}"
    parts = (
        f"Use `{candidate.api_name}`, {_KINDS[candidate.kind]} of {release}.",
        _task(draft, candidate),
        _requirements(draft, candidate, _NOTHING),
        _outputs(expected, _NOTHING),
        _ELSEWHERE if elsewhere else "",
    )
    return "\n".join(part for part in parts if part)


def _purpose(candidate: Candidate) -> str:
    """The kind of the API, whose it is, and its subject."""
    release = f"{candidate.library} {candidate.new_version}"
    what = f"{release} has {_KINDS[candidate.kind]}{_owner(candidate)} that does what is wanted here"
    topic = topic_of(candidate)
    return f"{what}; it is about {_plain_listing(topic)}." if topic else f"{what}."


def wish_of(draft: Draft, candidate: Candidate) -> str | None:
    """The wish that the API meets, in the names of the draft; None where its documentation does not say it plainly."""
    return purpose_of(candidate, names_of(given_arguments(draft.masked, candidate)))


def untold(draft: Draft, candidate: Candidate) -> list[str]:
    """The switches and the changed parameters that the answer passes and whose meaning no words of ours tell."""
    given = given_arguments(draft.masked, candidate)
    added = {change.parameter for change in candidate.changes if change.what == "parameter added"}
    new = added if candidate.change == "modified" else frozenset[str]()
    asked = [name for name, value in given.items() if name in new or _is_switch(value)]
    return [name for name in asked if meaning_of(name, given, candidate) is None]


def _is_switch(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))


def _what_is_new(candidate: Candidate) -> str:
    """The kind of the API, whose it is, and since when it can do that."""
    what = f"{candidate.library} {candidate.new_version} has {_KINDS[candidate.kind]}{_owner(candidate)} for this"
    if candidate.old_version is None:
        return f"{what}."
    if candidate.change == "added":
        return f"{what}, which {candidate.old_version} did not have."
    return f"{what}; {candidate.old_version} had it too, but not all that is asked for here."


def _owner(candidate: Candidate) -> str:
    """The class of the method, where that can be said."""
    owner = candidate.api_name.split(".")[-2]
    of_class = candidate.kind in ("method", "classmethod", "staticmethod", "property")
    return f" of `{owner}`" if of_class and mask(owner, candidate.leaf) == owner else ""


def _task(draft: Draft, candidate: Candidate, *, rest: bool = False) -> str:
    lines = outline(draft.masked, candidate.leaf, rest=rest)
    names = _in_order(used_names(draft), draft.masked)
    using = f" It works on {_listing(names)}." if names else ""
    return f"Write the code that comes next, with what is missing in place of every `...`.{using}\n{indent(lines)}"


def _in_order(names: Sequence[str], masked: Sequence[str]) -> list[str]:
    """`names` as they follow each other in the answer."""
    nodes = [node for code in masked for node in ast.walk(parse(code)) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(node.id for node in sorted(nodes, key=_position) if node.id in names))


def _position(node: ast.Name) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _requirements(draft: Draft, candidate: Candidate, secret: str) -> str:
    """The wishes behind the keyword arguments of the hidden calls, and needed values.

    `secret` is the name that no word gives away; there may be nothing.
    """
    rest = bool(secret)
    hidden = hidden_expressions(draft.masked, candidate.leaf, rest=rest)
    keywords = [node for part in hidden for node in ast.walk(part) if isinstance(node, ast.keyword) and node.arg]
    given = given_arguments(draft.masked, candidate)
    wanted = [*_told_meanings(keywords, candidate, secret, given), *_wishes(keywords, candidate, secret, given)]
    described = literals([keyword.value for keyword in keywords])
    shown = (draft.context, outline(draft.masked, candidate.leaf, rest=rest), *draft.observes)
    known = {*described, *literals([parse(text) for text in shown])}
    others = [value for value in literals(hidden) if value not in known]
    if others:
        wanted.append(f"- Values to use: {_listing(others)}")
    return "\n".join(("Required:", *dict.fromkeys(wanted))) if wanted else ""


def _told_meanings(
    keywords: Sequence[ast.keyword], candidate: Candidate, secret: str, given: Mapping[str, ast.expr]
) -> Iterator[str]:
    """A line for each argument by position after the first, where its documentation says plainly what it is."""
    names = [name for name in given if name not in {keyword.arg for keyword in keywords}]
    for name in names[1:] if secret else ():
        meaning = meaning_of(name, given, candidate)
        if meaning is not None:
            yield f"- `{ast.unparse(given[name])}`: {meaning}"


def _wishes(
    keywords: Sequence[ast.keyword], candidate: Candidate, secret: str, given: Mapping[str, ast.expr]
) -> Iterator[str]:
    """A line for each argument: what it is in the words of its name, or, of a parameter that changed, only its value.

    Where the API is named, what is left to know are its parameters: so these are told in the docstring's words.
    """
    descriptions = parameter_descriptions(candidate.docstring or "")
    new = changed_parameters(candidate) if candidate.change == "modified" else frozenset[str]()
    for keyword in keywords:
        name, value = keyword.arg or "", ast.unparse(keyword.value)
        words = name.replace("_", " ").strip().capitalize()
        since = f" after {candidate.old_version}" if candidate.old_version else ""
        if not secret:
            words = shorten(descriptions.get(name) or words).rstrip(".")
            yield f"- {words}: `{value}`{f' (this changed{since})' if name in new else ''}"
        elif name in given and (meaning := meaning_of(name, given, candidate)) is not None:
            yield f"- `{value}`: {meaning}"
        elif name in new:
            yield f"- What can be chosen since a change{since}: `{value}`"
        elif not re.fullmatch(rf"{name}(_\d+)?", value):
            yield f"- {mask(words, secret)}: `{value}`"


def left_open_by(expected: Mapping[str, Any], leaf: str) -> dict[str, Containers]:
    """The containers of the outputs that the description leaves open.

    An output that is shown whole is said; of one of which only the kind is told, what is inside is open, and of one
    that is not told all of it.
    """
    shown = _shown(expected, leaf)
    found: dict[str, Containers] = {}
    for expression, value in expected.items():
        if kind_of(value) is None:
            continue
        if expression not in shown:
            found[expression] = "any"
        elif not shown[expression].endswith(outcome(value, leaf)):
            found[expression] = "any inside"
    return found


def _outputs(expected: Mapping[str, Any], leaf: str) -> str:
    """The outputs, as far as they can be described without the API's name (an object of it has it as its type)."""
    lines = _shown(expected, leaf).values()
    return "\n".join(("Afterwards:", *lines)) if lines else ""


def _shown(expected: Mapping[str, Any], leaf: str) -> dict[str, str]:
    """The line for each output that is told, by its expression."""
    ordered = sorted(expected.items(), key=lambda pair: not is_telling(pair[1]))
    lines = [(e, line) for e, value in ordered if (line := _output(e, value, leaf)) is not None]
    return dict(lines[:_SHOWN])


def _output(expression: str, value: Any, leaf: str) -> str | None:
    for text in (outcome(value, leaf), outcome(value, leaf, whole=False)):
        line = f"- `{expression}` {text}"
        if not leaks(line, leaf):
            return line
    return None


def _plain_listing(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _listing(items: Sequence[str]) -> str:
    return _plain_listing([f"`{item}`" for item in items])
