"""Run inside a library's environment: of which classes APIs are called, and what their parameters want.

Standard library only. What it gives is looked up in the running library, so that annotations written as text, names
imported for type checkers alone, and classes under other names all lead to the class that they mean.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import inspect
import io
import warnings
from typing import Any

from .classes import Classes, path_of
from .constructors import constructors
from .hints import Hints
from .lookup import attribute, found

_INHERITING = 3


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """`apis`: by name what is called; `classes`: by path how an object of it is made. `setup` runs before all else."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("\n".join(asked["setup"]), {"__name__": "__main__"})  # noqa: S102  (our own lines, in the sandbox)
        classes = Classes(tuple(asked["modules"]))
        apis = {name: _described(name, classes) for name in asked["apis"]}
        return {"apis": {name: told for name, told in apis.items() if told}, "classes": constructors(classes)}


def _described(name: str, classes: Classes) -> dict[str, Any] | None:
    try:
        owner, value = found(name)
        function = _function(value)
        hints = Hints(function, classes)
        bound = inspect.isclass(owner) and not isinstance(value, staticmethod)
        told: dict[str, Any] = {
            "parameters": hints.parameters(function, bound=bound),
            "waits": inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
            "receivers": [],
            "overriders": [],
        }
        if inspect.isclass(owner):
            told["owner"] = path_of(owner)
            told["receivers"], told["overriders"] = _receivers(name.rpartition(".")[2], owner, value, classes)
        return told
    except Exception:  # noqa: BLE001  (whatever a library raises)
        return None


def _function(value: Any) -> Any:
    inner = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", None) or value
    return inspect.unwrap(inner) if callable(inner) else inner


def _receivers(leaf: str, owner: type, value: Any, classes: Classes) -> tuple[list[str], list[str]]:
    """Classes whose objects have the very attribute, and concrete ones that have their own in its place."""
    inheriting: list[type] = []
    overriding: list[type] = []
    for cls in classes.concrete(owner):
        (inheriting if attribute(cls, leaf) is value else overriding).append(cls)
    return [classes.receive(c) for c in inheriting[:_INHERITING]], [classes.ask(c) for c in overriding[:_INHERITING]]
