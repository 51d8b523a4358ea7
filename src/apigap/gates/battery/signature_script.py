"""Runs inside the library's environment: how each API is called, and which of its neighbours are of the same kind.

Standard library only, Python 3.9 and later; started by `Engine.script`.
"""

from __future__ import annotations

# Values of the library have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import importlib
import inspect
import itertools
from typing import Any

_NEIGHBOURS = 3
_PLAIN = (int, float, str, bytes, bool, type(None))


def main(names: list[str]) -> dict[str, Any]:
    """Per qualified name its kind, parameters and neighbours; null where it cannot be found."""
    found: dict[str, Any] = {}
    for name in names:
        try:
            found[name] = _describe(name)
        except Exception:  # noqa: BLE001  (a library may raise anything on import or look-up)
            found[name] = None
    return found


def _describe(name: str) -> dict[str, Any]:
    parent, leaf = _parent(name), name.rpartition(".")[2]
    kind = _kind(parent, leaf)
    return {"kind": kind, "parameters": _parameters(parent, leaf, kind), "neighbours": _neighbours(parent, leaf, kind)}


def _parent(name: str) -> Any:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:-1]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def _kind(parent: Any, leaf: str) -> str:
    value = inspect.getattr_static(parent, leaf, None)
    if value is None:
        value = getattr(parent, leaf)
    if isinstance(value, type):
        return "class"
    if not isinstance(parent, type):
        return "function" if callable(value) else "value"
    for known, kind in ((classmethod, "classmethod"), (staticmethod, "staticmethod")):
        if isinstance(value, known):
            return kind
    return "method" if callable(value) else "property"


def _parameters(parent: Any, leaf: str, kind: str) -> list[list[Any]]:
    if kind in ("property", "value"):
        return []
    try:
        parameters = list(inspect.signature(getattr(parent, leaf)).parameters.values())
    except (TypeError, ValueError):
        return []
    own = parameters[1:] if kind == "method" else parameters
    return [[parameter.name, parameter.kind.name, _default(parameter.default)] for parameter in own]


def _default(value: Any) -> str | None:
    return repr(value) if type(value) in _PLAIN else None


def _neighbours(parent: Any, leaf: str, kind: str) -> list[str]:
    """The public names of the same kind that come next in the alphabet; another name of the same thing is none."""
    own = _thing(parent, leaf)
    others = [name for name in dir(parent) if not name.startswith("_") and name != leaf]
    others = [name for name in others if name > leaf] + [name for name in others if name < leaf]
    found = (name for name in others if _is(parent, name, kind) and _thing(parent, name) is not own)
    return list(itertools.islice(found, _NEIGHBOURS))


def _thing(parent: Any, name: str) -> Any:
    """The object that a name stands for, without the wrapper that a class makes anew at every access."""
    value = inspect.getattr_static(parent, name, None)
    if value is None:
        value = getattr(parent, name)
    return getattr(value, "__func__", value)


def _is(parent: Any, name: str, kind: str) -> bool:
    try:
        return _kind(parent, name) == kind
    except Exception:  # noqa: BLE001  (a lazy attribute that cannot be loaded)
        return False
