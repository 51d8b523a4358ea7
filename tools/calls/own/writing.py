"""The words in which the queries of the benchmark `calls` are written down, and what is offered beside what is right."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from apigap.benchmarks.calls.queries import ExpectedCall, Function, Query
from apigap.models.request import Message
from apigap.records.base import content_hash

TODAY = Message(role="system", content="Today is Thursday, 4 March 2027.")
OFFERED = 5
"""Functions that a query offers where it does not name them itself, those that are right among them."""


class Written(NamedTuple):
    """A query as it is written down; without `offered` others of the domain are put beside the right functions."""

    text: str
    calls: tuple[ExpectedCall, ...]
    why: str
    offered: str
    fixed: bool


def one_of(*values: Any) -> dict[str, Any]:
    """Any of these values."""
    return {"one_of": list(values)}


def maybe(*values: Any) -> dict[str, Any]:
    """Any of these values, or none at all."""
    return {"one_of": list(values), "optional": True}


def each_of(*values: Any) -> dict[str, Any]:
    """A list of these values in any order."""
    return {"each_of": list(values)}


WORDS = {"any_text": True}
"""Any text: what is said in it is left to the model."""


def call(name: str, /, **arguments: Any) -> ExpectedCall:
    """A call that is to be made."""
    return ExpectedCall(name=name, arguments=arguments)


def ask(text: str, *calls: ExpectedCall, why: str = "", offered: str = "", fixed: bool = False) -> Written:
    """A query and the calls that answer it."""
    return Written(text, calls, why, offered, fixed)


def function(name: str, description: str, required: str, /, **properties: Mapping[str, Any]) -> Function:
    """A function that is offered; `required` names its required arguments."""
    parameters = {"type": "object", "properties": properties, "required": required.split()}
    return Function(name=name, description=description, parameters=parameters)


def text(description: str, **more: Any) -> dict[str, Any]:
    """An argument that is a text."""
    return {"type": "string", "description": description, **more}


def day(description: str) -> dict[str, Any]:
    """An argument that is a date."""
    return text(f"{description} (YYYY-MM-DD).", format="date")


def clock(description: str) -> dict[str, Any]:
    """An argument that is a time of day."""
    return text(f"{description} (24 hours, HH:MM).", pattern=r"^\d\d:\d\d$")


def choice(*values: Any, **more: Any) -> dict[str, Any]:
    """An argument that is one of several texts."""
    return {"type": "string", "enum": list(values), **more}


def whole(description: str, **more: Any) -> dict[str, Any]:
    """An argument that is an integer."""
    return {"type": "integer", "description": description, **more}


def amount(description: str, **more: Any) -> dict[str, Any]:
    """An argument that is a number."""
    return {"type": "number", "description": description, **more}


def flag(description: str, **more: Any) -> dict[str, Any]:
    """An argument that is true or false."""
    return {"type": "boolean", "description": description, **more}


def several(description: str, items: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An argument that is a list, of texts where nothing else is said."""
    return {"type": "array", "description": description, "items": items or {"type": "string"}, **more}


def queries_of(domain: str, functions: Sequence[Function], asked: Mapping[str, Sequence[Written]]) -> list[Query]:
    """The queries of a domain, by category; ids count within both."""
    known = {one.name: one for one in functions}
    return [
        Query(
            task_id=f"{category}-{domain}-{number:02}",
            category=category,
            domain=domain,
            messages=(TODAY, Message(role="user", content=one.text)),
            functions=tuple(known[name] for name in _offered(one, list(known))),
            expects="calls" if one.calls else "nothing",
            expected=one.calls,
            order="fixed" if one.fixed else "free",
            why=one.why,
        )
        for category, several_ in asked.items()
        for number, one in enumerate(several_, start=1)
    ]


def _offered(one: Written, known: Sequence[str]) -> list[str]:
    """The functions that a query offers, in an order that tells nothing."""
    right = list(dict.fromkeys(call_.name for call_ in one.calls))
    named = one.offered.split()
    by_hash = sorted(known, key=lambda name: content_hash([one.text, name]))
    beside = [name for name in by_hash if name not in right][: max(1, OFFERED - len(right))]
    chosen = {*right, *(named or beside)}
    return [name for name in by_hash if name in chosen]
