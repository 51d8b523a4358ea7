"""Read what an answer says: calls in whatever form, that nothing is called, or nothing that can be read.

Nothing is called where an answer is prose, and where it is an empty list of calls. Prose has at least eight letters and
nothing in it that was to be a call: no tag, no code between fences, no object with a name and arguments, no name with
a bracket behind it, no beginning of any of these. What can not be read never counts as calling nothing.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from apigap.benchmarks.calls.check import Call
from apigap.benchmarks.calls.json_calls import Item, items_of, prose_of
from apigap.benchmarks.calls.python_calls import read_written
from apigap.benchmarks.json_values import Found, json_values
from apigap.models.traces import without_trace
from apigap.records.parsing.json_shapes import is_object

Kind = Literal["tags", "json", "python", "prose", "empty list", "unreadable", "nothing"]
CALLS_NOTHING: frozenset[Kind] = frozenset(("prose", "empty list"))
_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FENCES = re.compile(r"(?m)^[ \t]*+(?:`{3,}|~{3,})[^\n]*$")
_FRAGMENT = re.compile(
    r"</?tool_calls?\b|<function|\[TOOL_CALLS\]|<\|python_tag\|>"
    r"|[\"'](?:tool_calls?|function_calls?|arguments|parameters)[\"']\s*+:"
    r"|\{\s*+[\"'](?:name|function|tool)[\"']\s*+:"
)
"""Traces of calls that no reader has taken."""
_BROKEN_START = re.compile(r"\s*+[\[{]")
_LEAST_LETTERS = 8


@dataclass(frozen=True)
class Reading:
    """The calls of an answer in their order, and the number of places that were to be calls and cannot be read."""

    kind: Kind
    calls: tuple[Call, ...] = ()
    broken: int = 0

    @property
    def calls_nothing(self) -> bool:
        """True for an answer that says, so that it can be read, that nothing is called."""
        return self.kind in CALLS_NOTHING


def read_answer(response: str, offered: Collection[str]) -> Reading:
    """Read what a response says, given the names of the offered functions; never raises.

    Calls in `<tool_call>` tags come before JSON, and JSON before Python. All calls of an answer count, wherever in it
    they stand: one that is repeated is made twice.
    """
    text = without_trace(response.lstrip("\ufeff")).strip()
    if not text:
        return Reading("nothing")
    if "<tool_call>" in text:
        return _tagged(text, offered)
    found = list(json_values(text))
    whole = found[0].value if len(found) == 1 and _is_all(text, found) else None
    read = [items for one in found if (items := items_of(one.value, offered)) is not None]
    items = [item for several in read for item in several]
    if items:
        return _reading("json", items, _broken_json(_without(text, found)))
    if whole is not None and is_object(whole) and (told := "\n".join(prose_of(whole)).strip()):
        return _untagged(told, offered)
    if whole is not None and read:
        return Reading("empty list")
    return _untagged(text, offered)


def _tagged(text: str, offered: Collection[str]) -> Reading:
    """The calls in tags: JSON, or Python where there is none."""
    items: list[Item] = []
    for block in _TAGGED.findall(text):
        read = [one for found in json_values(block) for one in items_of(found.value, offered) or [None]]
        written = read_written(block, offered) if not read else None
        items += read if written is None else [*written.calls, *[None] * written.broken] or [None]
    return _reading("tags", items, _broken_json(_TAGGED.sub(" ", text)))


def _untagged(text: str, offered: Collection[str]) -> Reading:
    """Calls in Python between whatever else, or what is left: prose, an empty list, or nothing that can be read."""
    written = read_written(text, offered)
    if written.calls:
        return Reading("python", tuple(written.calls), written.broken)
    plain = _FENCES.sub("", text).strip()
    if re.fullmatch(r"\[\s*\]", plain):
        return Reading("empty list")
    strange = written.broken or _FENCES.search(text) or _FRAGMENT.search(text) or _BROKEN_START.match(text)
    letters = sum(sign.isalpha() for sign in text)
    return (
        Reading("unreadable", (), max(1, written.broken)) if strange or letters < _LEAST_LETTERS else Reading("prose")
    )


def _reading(kind: Kind, items: Sequence[Item], more_broken: int) -> Reading:
    calls = tuple(item for item in items if item is not None)
    broken = len(items) - len(calls) + more_broken
    return Reading(kind, calls, broken) if calls else Reading("unreadable", (), max(1, broken))


def _broken_json(rest: str) -> int:
    """The number of traces of calls in what is left of an answer whose calls were read; a lone closing tag is none."""
    return len(_FRAGMENT.findall(rest.replace("</tool_call>", " ")))


def _without(text: str, found: Sequence[Found]) -> str:
    starts, ends = [one.start for one in found], [one.end for one in found]
    return " ".join(text[end:start] for end, start in zip([0, *ends], [*starts, len(text)], strict=True))


def _is_all(text: str, found: Sequence[Found]) -> bool:
    """True if a text holds nothing but these values and fences around them."""
    return not _FENCES.sub("", _without(text, found)).strip()


def judged_text(reading: Reading) -> list[Any]:
    """The calls as JSON, for a record."""
    return [{"name": call.name, "arguments": call.arguments} for call in reading.calls]
