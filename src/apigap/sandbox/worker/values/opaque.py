"""Objects known only by their type, their attributes and, where all their state is in C, their text."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import re
from typing import Any

from .names import instance_dict, slot_values, type_module, type_name, type_namespace

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{5,}").search
_TEXT_LIMIT = 2_000
_HIDDEN = ("__dict__", "__weakref__", "__pydantic_parent_namespace__")


def describe_opaque(printer: Any, cls: type, mro: tuple[type, ...], value: Any) -> dict[str, Any]:
    """{"type"} with "fields" (attributes and slots), or with "text" where there are none."""
    form: dict[str, Any] = {"type": type_name(cls)}
    fields = own_fields(printer, value)
    text = None if fields else _own_text(mro, value)
    if fields:
        form["fields"] = fields
    elif text is not None:
        form["text"] = text
    return form


def own_fields(printer: Any, value: Any) -> list[list[Any]]:
    """Attributes and slots as [[name, form], ...], sorted by name."""
    pairs = [*dict.items(instance_dict(value) or {}), *slot_values(value)]
    return printer.fields([pair for pair in pairs if pair[0] not in _HIDDEN])


def _own_text(mro: tuple[type, ...], value: Any) -> str | None:
    """`str(value)` where a class of the library defines it; the program's own classes are never asked."""
    for cls in mro[:-1]:
        if type_module(cls) == "__main__":
            return None
        namespace = type_namespace(cls)
        if "__str__" in namespace or "__repr__" in namespace:
            text = str(value)
            return None if _ADDRESS(text) else text[:_TEXT_LIMIT]
    return None
