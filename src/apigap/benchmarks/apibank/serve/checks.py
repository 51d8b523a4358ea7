"""What a call must be before it reaches its API: a known name, and arguments as the schema says."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apigap.benchmarks.apibank.registry import Api, Input, Registry
from apigap.records.parsing.json_shapes import is_list, is_object

ErrorKind = Literal["unknown API", "unknown argument", "missing argument", "wrong type", "refused by the API"]
_SHOWN = 60


@dataclass(frozen=True)
class CallError:
    """The reason why a call gave no output, and what to do `next`.

    `parameter` is the one that is wrong, with what was `expected` and what was `got`.
    """

    kind: ErrorKind
    message: str
    next: str
    parameter: str | None = None
    expected: str | None = None
    got: str | None = None

    def __str__(self) -> str:
        """The reason and what to do, as a client reads them."""
        return f"{self.kind}: {self.message} {self.next}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return is_list(value) and all(isinstance(item, str) for item in value)


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a text", _is_text),
    "int": ("a whole number", _is_whole),
    "float": ("a number", _is_number),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "list": ("a list", is_list),
    "list(str)": ("a list of texts", _is_texts),
    "dict": ("an object", is_object),
}


def unknown_api(registry: Registry, name: str) -> CallError:
    """The error for a name that no API of the pool has."""
    near = difflib.get_close_matches(name[:_SHOWN], registry.apis, n=1)
    hint = f"Call {near[0]}, or" if near else "Call"
    return CallError(
        "unknown API", f"{name[:_SHOWN]!r} is none of the {len(registry.apis)} APIs of {registry.pool}.",
        f"{hint} ToolSearcher with keywords to find one.",
    )  # fmt: skip


def argument_error(api: Api, arguments: Mapping[str, Any]) -> CallError | None:
    """The first thing that is wrong with arguments by the schema of their API; None where nothing is."""
    takes = f"{api.name} takes {_listed(api.inputs)}."
    for name in arguments:
        if api.input(name) is None:
            message = f"{api.name} has no parameter {name[:_SHOWN]!r}."
            return CallError("unknown argument", message, takes, parameter=name[:_SHOWN])
    for given in api.inputs:
        wanted, fits = _TYPES[given.type]
        if given.name not in arguments:
            if given.required:
                message = f"{api.name} needs {given.name!r}, {wanted}."
                return CallError("missing argument", message, takes, given.name, wanted, "nothing")
        elif not fits(arguments[given.name]):
            got = _told(arguments[given.name])
            message = f"{given.name!r} of {api.name} must be {wanted}, and is {got}."
            return CallError("wrong type", message, f"Give {wanted} as {given.name!r}.", given.name, wanted, got)
    return None


def without_nulls(api: Api, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without the optional ones that are null, as many clients send what they leave out."""
    optional = {given.name for given in api.inputs if not given.required}
    return {name: value for name, value in arguments.items() if value is not None or name not in optional}


def _listed(inputs: Iterable[Input]) -> str:
    told = [f"{one.name} ({_TYPES[one.type][0]}{'' if one.required else ', may be left out'})" for one in inputs]
    return ", ".join(told) or "no arguments"


def _told(value: Any) -> str:
    """A value with its kind, in few words."""
    kind = next((words for words, fits in _TYPES.values() if fits(value)), "null" if value is None else "another value")
    shown = repr(value)
    return kind if value is None else f"{kind}, {shown[:_SHOWN]}{'...' if len(shown) > _SHOWN else ''}"
