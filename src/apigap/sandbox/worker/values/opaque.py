"""Objects known only by their type, their attributes and, where all their state is in C, their text."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import hashlib
import re
from typing import Any

from .held import held
from .names import instance_dict, slot_values, type_module, type_name, type_namespace

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{5,}")
_TEXT_LIMIT, _HEAD = 2_000, 200
_HIDDEN = ("__dict__", "__weakref__", "__pydantic_parent_namespace__")


def describe_opaque(printer: Any, cls: type, mro: tuple[type, ...], value: Any) -> dict[str, Any]:
    """{"type"} with "fields" (attributes and slots), and "text" where there are none, or not all are kept."""
    form: dict[str, Any] = {"type": type_name(cls)}
    cuts = printer.cuts
    fields = own_fields(printer, value) or printer.fields(held(cls, value))
    if fields:
        form["fields"] = fields
    is_cut = printer.bounds.asks and printer.cuts > cuts
    text = own_text(mro, value) if not fields or is_cut else None
    if text is not None:
        form["text"] = text
    return form


def own_fields(printer: Any, value: Any) -> list[list[Any]]:
    """Attributes and slots as [[name, form], ...], sorted by name."""
    pairs = [*dict.items(instance_dict(value) or {}), *slot_values(value)]
    return printer.fields([pair for pair in pairs if pair[0] not in _HIDDEN])


def own_text(mro: tuple[type, ...], value: Any) -> Any:
    """`str(value)` without addresses, of a long one head and digest, where a class of the library defines it.

    The program's own classes are never asked.
    """
    for cls in mro[:-1]:
        if type_module(cls) == "__main__":
            return None
        namespace = type_namespace(cls)
        if "__str__" in namespace or "__repr__" in namespace:
            text = _ADDRESS.sub("?", str.__str__(str(value)))
            if len(text) <= _TEXT_LIMIT:
                return text
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            return {"str": text[:_HEAD], "length": len(text), "sha256": digest}
    return None
