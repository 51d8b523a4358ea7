"""Type hints of parameters as specifications that values can be written from.

A specification is a list: its word, then what it needs. `["any"]` takes what is given; `["lit", text]` is a literal;
`["code", text, import]` an expression and its import; `["new", path]` an object of a class; `["class", path]` the class
itself; `["member", path, name]` a member of an enumeration; `["list", spec]` and `["dict", spec, spec]` what holds
others; `["typed", {key: spec}]` a dictionary with these keys.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import collections.abc
import enum
import inspect
import sys
import types
import typing
from typing import Any

from .classes import Classes

_DEPTH = 4
_OPTIONAL_KEYS = 8
_REQUIRED = getattr(typing, "Required", "no such thing before Python 3.11")
_AROUND = (typing.ClassVar, _REQUIRED, getattr(typing, "NotRequired", _REQUIRED))
_FINITE = (*_AROUND, typing.Literal)
"""What ends by itself, however deep it stands."""
_LITERALS: dict[Any, list[str]] = {
    int: ["3", "2"], float: ["2.5", "0.5"], str: ["'tea'", "'green tea'"], bool: ["True", "False"],
    bytes: ["b'tea'"], complex: ["1 + 2j"], list: ["['tea', 'milk', 'bread']", "[3, 1, 2]"], tuple: ["(3, 1, 2)"],
    dict: ["{'name': 'tea', 'size': 3}"], set: ["{3, 1, 2}"], type: ["int", "str"], type(None): ["None"],
}  # fmt: skip
_STANDARD: dict[tuple[str, str], tuple[str, str]] = {
    ("datetime", "datetime"): ("datetime.datetime(2024, 3, 1, 12, 30)", "import datetime"),
    ("datetime", "date"): ("datetime.date(2024, 3, 1)", "import datetime"),
    ("datetime", "time"): ("datetime.time(12, 30)", "import datetime"),
    ("datetime", "timedelta"): ("datetime.timedelta(hours=3)", "import datetime"),
    ("decimal", "Decimal"): ("decimal.Decimal('2.50')", "import decimal"),
    ("fractions", "Fraction"): ("fractions.Fraction(3, 4)", "import fractions"),
    ("pathlib", "Path"): ("pathlib.Path('report.txt')", "import pathlib"),
    ("uuid", "UUID"): ("uuid.UUID(int=3)", "import uuid"),
    ("re", "Pattern"): ("re.compile('n.r')", "import re"),
    ("io", "StringIO"): ("io.StringIO('tea,3\nmilk,2\n')", "import io"),
    ("io", "BytesIO"): ("io.BytesIO(b'tea')", "import io"),
    ("numpy", "ndarray"): ("numpy.array([3.0, 1.0, 2.0])", "import numpy"),
}
_MANY = (
    list, set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection,
    collections.abc.MutableSequence, collections.abc.Set,
)  # fmt: skip
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


class Hints:
    """Reads the annotations of one function, or of the constructor of one class."""

    def __init__(self, function: Any, classes: Classes) -> None:
        self._classes = classes
        scope = getattr(function, "__init__", None) if inspect.isclass(function) else function
        known = getattr(scope, "__globals__", None) or vars(
            sys.modules.get(getattr(function, "__module__", ""), typing)
        )
        self._names = _Names(known, classes)

    def parameters(self, function: Any, *, bound: bool) -> list[dict[str, Any]]:
        """Name, kind, whether it is required, and what it wants; `bound` leaves the first one out."""
        try:
            listed = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return []
        return [
            {
                "name": one.name,
                "required": one.default is one.empty,
                "keyword": one.kind is one.KEYWORD_ONLY,
                "wants": self.specs(one.annotation) if one.annotation is not one.empty else [],
            }
            for one in listed[1 if bound and not inspect.isclass(function) else 0 :]
            if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]

    def specs(self, hint: Any, depth: int = 0) -> list[list[Any]]:
        """Specifications of values for `hint`, the likeliest first; nothing where it says nothing."""
        hint = self._evaluated(hint)
        origin = typing.get_origin(hint)
        if depth > _DEPTH and origin not in _FINITE:
            return []
        if origin is not None:
            return self._of_generic(hint, origin, depth)
        if isinstance(hint, typing.TypeVar):
            inner = (hint.__bound__,) if hint.__bound__ is not None else hint.__constraints__ or (Any,)
            return [spec for part in inner for spec in self.specs(part, depth + 1)]
        if hint in (Any, object):
            return [["any"]]
        if hasattr(hint, "__supertype__"):
            return self.specs(hint.__supertype__, depth + 1)
        return self._of_class(hint, depth) if inspect.isclass(hint) else []

    def _evaluated(self, hint: Any) -> Any:
        text = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint
        if not isinstance(text, str):
            return hint
        try:
            return eval(text, {}, self._names)  # noqa: S307  (in the sandbox)
        except Exception:  # noqa: BLE001  (an annotation may be any text)
            return None

    def _of_generic(self, hint: Any, origin: Any, depth: int) -> list[list[Any]]:
        inner = typing.get_args(hint)
        if origin in _UNIONS:
            found = [spec for part in inner if part is not type(None) for spec in self.specs(part, depth + 1)[:2]]
            return found or [["lit", "None"]]
        if origin is typing.Literal:
            return [["lit", repr(part)] for part in inner if not isinstance(part, enum.Enum)]
        if hasattr(hint, "__metadata__"):
            return self.specs(hint.__origin__, depth + 1)
        if origin is collections.abc.Callable:
            return [["lit", "lambda *given: given[0] if given else 'tea'"]]
        if origin in _AROUND:
            return self.specs(inner[0], depth)
        if origin is type:
            return [["class", self._classes.ask(part)] for part in inner if self._classes.owns(part)] or [
                ["lit", "int"]
            ]
        if not inner:  # `typing.List` by itself, and `tuple[()]`
            return self._of_class(origin, depth) if inspect.isclass(origin) else []
        if origin in _MANY or origin is tuple:
            return [["list", spec] for spec in self.specs(inner[0], depth + 1)[:2]] or [["lit", "[]"]]
        if origin in _MAPPINGS and len(inner) == 2:
            key, value = (self.specs(part, depth + 1)[:1] for part in inner)
            return [["dict", (key or [["lit", "'name'"]])[0], (value or [["lit", "'tea'"]])[0]]]
        return self._of_class(origin, depth) if inspect.isclass(origin) else []

    def _of_class(self, cls: type, depth: int) -> list[list[Any]]:
        if cls in _LITERALS:
            return [["lit", text] for text in _LITERALS[cls]]
        standard = _STANDARD.get((cls.__module__, cls.__qualname__))
        if standard is not None:
            return [["code", *standard]]
        if cls in _MANY or cls in _MAPPINGS or cls is collections.abc.Callable:
            return [["lit", "{'name': 'tea'}" if cls in _MAPPINGS else "[3, 1, 2]"]]
        if issubclass(cls, enum.Enum) and self._classes.owns(cls):
            return [["member", self._classes.ask(cls), name] for name in list(cls.__members__)[:2]]
        required = getattr(cls, "__required_keys__", None)
        if required is not None:
            return self._typed(cls, required, depth)
        return [["new", self._classes.ask(cls)]] if self._classes.owns(cls) else []

    def _typed(self, cls: type, required: Any, depth: int) -> list[list[Any]]:
        """With the keys that it must have; and with a few more that take literals."""
        names = _Names(vars(sys.modules.get(cls.__module__, typing)), self._classes)
        inside, self._names = self._names, names
        written = {key: self._evaluated(hint) for key, hint in getattr(cls, "__annotations__", {}).items()}
        specs = {key: (self.specs(hint, depth + 1) or [["lit", "'tea'"]])[0] for key, hint in written.items()}
        self._names = inside
        # Annotations that were kept as text do not tell the class which of its keys are required.
        needed = {key for key, hint in written.items() if key in required or typing.get_origin(hint) is _REQUIRED}
        more = [key for key in specs if key not in needed and specs[key][0] == "lit"][:_OPTIONAL_KEYS]
        rows = [needed, {*needed, *more}] if more else [needed]
        return [["typed", {key: spec for key, spec in specs.items() if key in row}] for row in rows]


class _Names(dict[str, Any]):
    """Names as a module has them; those that it imports for type checkers alone are found among all classes."""

    def __init__(self, known: dict[str, Any], classes: Classes) -> None:
        super().__init__(known)
        self._classes = classes

    def __missing__(self, name: str) -> Any:
        for module in (typing, collections.abc):
            if hasattr(module, name):
                return getattr(module, name)
        found = self._classes.named(name)
        if found is None:
            raise KeyError(name)
        return found
