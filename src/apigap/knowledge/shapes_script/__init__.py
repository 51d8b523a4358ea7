"""Run inside a library's environment: classes on which APIs are called, and values that their parameters take.

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
from .hints import Hints
from .lookup import attribute, find_object

_INHERITING = 3


def main(request: dict[str, Any]) -> dict[str, Any]:
    """`apis`: by name what is called; `classes`: by path how an object of it is made. `setup` runs before all else."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("\n".join(request["setup"]), {"__name__": "__main__"})  # noqa: S102  (our own lines, in the sandbox)
        classes = Classes(tuple(request["modules"]))
        apis = {name: _shape(name, classes) for name in request["apis"]}
        return {"apis": {name: shape for name, shape in apis.items() if shape}, "classes": classes.described()}


def _shape(name: str, classes: Classes) -> dict[str, Any] | None:
    try:
        owner, value = find_object(name)
        function = _function(value)
        hints = Hints(function, classes)
        bound = inspect.isclass(owner) and not isinstance(value, staticmethod)
        shape: dict[str, Any] = {
            "parameters": hints.parameters(function, bound=bound),
            "waits": inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
            "receivers": [],
            "overriders": [],
        }
        if inspect.isclass(owner):
            shape["owner"] = path_of(owner)
            shape["receivers"], shape["overriders"] = _receivers(name.rpartition(".")[2], owner, value, classes)
        return shape
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
    return [classes.request_receiver(c) for c in inheriting[:_INHERITING]], [
        classes.request(c) for c in overriding[:_INHERITING]
    ]
