"""Constructors of classes, and the methods that give their objects a state: how an object is made and prepared."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import inspect
from collections.abc import Iterator
from typing import Any

from .classes import Classes
from .hints import Hints

_DEPTH = 3
_DERIVED = 3
_PREPARING = ("update", "add", "append", "put", "set", "push", "fit", "load", "insert", "register", "write", "feed")


def constructors(classes: Classes) -> dict[str, Any]:
    """Every class that was asked for, those that their constructors want, and so on, as deep as values go."""
    described: dict[str, Any] = {}
    for _ in range(_DEPTH):
        for path in [path for path in classes.asked if path not in described]:
            described[path] = _constructor(classes.asked[path], classes)
    return described


def _constructor(cls: type, classes: Classes) -> dict[str, Any]:
    protocol = _is_protocol(cls)
    abstract = inspect.isabstract(cls) or protocol
    derived = [classes.ask(one) for one in classes.concrete(cls) if one is not cls and not _is_protocol(one)]
    parameters = [] if abstract else Hints(cls, classes).parameters(cls, bound=True)
    return {
        "parameters": parameters,
        "abstract": abstract,
        "open": protocol and not getattr(cls, "__abstractmethods__", ()),
        "derived": derived[:_DERIVED],
        "kind": f"{cls.__module__}.{cls.__qualname__}",
        "prepares": list(_preparing(cls, classes)) if cls in classes.receivers and not abstract else [],
    }


def _preparing(cls: type, classes: Classes) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Methods that by their name give an object its state."""
    for name in dir(cls):
        method = inspect.getattr_static(cls, name, None)
        if name.split("_")[0] in _PREPARING and inspect.isfunction(method):
            yield name, Hints(method, classes).parameters(method, bound=True)


def _is_protocol(cls: type) -> bool:
    return bool(getattr(cls, "_is_protocol", False))
