"""Marks by which a library makes a name public."""

# Whatever a library raises is a fact about it, so everything is caught.
# ruff: noqa: BLE001
from __future__ import annotations

import builtins
import sys
from typing import Any

from .kinds import home_of, vars_of

# packages that collect helpers: what they hold is public only where they say so in `__all__`
INTERNAL = {"compat", "core", "impl", "internals", "testing", "util", "utils", "vendor", "vendored"}
# and these are the library's own business even then: their modules say in `__all__` what the library itself may use
_OWN_BUSINESS = {"compat", "core", "impl", "internals", "vendor", "vendored"}


def exports_of(module: Any) -> set[str] | None:
    """The names in a module's `__all__`; None where it has none, or one that no `import *` could use."""
    try:
        exported = getattr(module, "__all__", None)
        if not isinstance(exported, (list, tuple, set, frozenset)):
            return None
        names: list[Any] = list(exported)  # pyright: ignore[reportUnknownArgumentType]
        named = {name for name in names if isinstance(name, str)}
    except BaseException:
        return None
    return named if named or not names else None


def evidence_of(name: str, leaf: str, module: Any, value: Any, listed: set[str] | None) -> list[str] | None:
    """The reason for which `leaf` of the module `name` is public; None where nothing says so."""
    segments = name.split(".")
    if listed is not None:
        return ["__all__", name] if leaf in listed and not _OWN_BUSINESS.intersection(segments) else None
    if len(segments) > 1 and ("__path__" not in vars_of(module) or INTERNAL.intersection(segments)):
        return None
    if f"{home_of(value)}.".startswith(f"{name}.") and (home_of(value) != name or "." not in name):
        return ["re-export", name]
    return None


def belongs(value: Any, explicit: bool, tops: set[str]) -> bool:
    """Check that a value is the library's: its code is there, or another library's is offered in an `__all__`."""
    home = getattr(value, "__module__", None)
    if isinstance(home, str) and home.partition(".")[0] in tops:
        return True
    top = home.partition(".")[0] if isinstance(home, str) else ""
    is_builtin = getattr(builtins, str(getattr(value, "__name__", "")), None) is value
    return explicit and top not in _STANDARD and not is_builtin


_STANDARD: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
"""Python 3.9 has no list of them: there, what a library offers of the standard library counts as the library's."""
