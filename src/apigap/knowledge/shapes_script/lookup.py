"""Finding what a qualified name means, without asking descriptors."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import importlib
import inspect
from typing import Any


def found(name: str) -> tuple[Any, Any]:
    """The object that `name` stands for, after its holder: a module or a class.

    Raises:
        LookupError: where the name leads nowhere.
    """
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            holder: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        value: Any = holder
        for part in parts[length:]:
            holder, value = value, attribute(value, part)
        return holder, value
    raise LookupError(name)


def attribute(holder: Any, name: str) -> Any:
    """An attribute; of a class, as it stands in the class that defines it."""
    if inspect.isclass(holder):
        for cls in holder.__mro__:
            if name in vars(cls):
                return vars(cls)[name]
    return getattr(holder, name)
