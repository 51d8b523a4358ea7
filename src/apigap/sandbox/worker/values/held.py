"""Contents of objects made in C that show them neither by attributes nor by their text."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import io
import sys
from collections.abc import Callable
from typing import Any

_Pairs = list[tuple[str, Any]]


def held(cls: type, value: Any) -> _Pairs:
    """Names and values of what an object of just this class holds; none where nobody knows how to ask."""
    read = _KNOWN.get(id(cls))
    if read is not None:
        return read(value)
    for module, name, reader in _IMPORTED:
        if cls is getattr(sys.modules.get(module), name, None):
            return reader(value)
    return []


def _view(value: Any) -> _Pairs:
    return [("bytes", memoryview.tobytes(value)), ("format", value.format), ("shape", value.shape)]


def _element(value: Any) -> _Pairs:
    below = list(value)
    return [("tag", value.tag), ("attrib", value.attrib), ("text", value.text), ("tail", value.tail), ("below", below)]


def _row(value: Any) -> _Pairs:
    return [("keys", value.keys()), ("values", tuple(value))]


_KNOWN: dict[int, Callable[[Any], _Pairs]] = {
    id(memoryview): _view,
    id(io.BytesIO): lambda value: [("value", io.BytesIO.getvalue(value))],
    id(io.StringIO): lambda value: [("value", io.StringIO.getvalue(value))],
}
_IMPORTED: tuple[tuple[str, str, Callable[[Any], _Pairs]], ...] = (
    ("xml.etree.ElementTree", "Element", _element),
    ("sqlite3", "Row", _row),
)
"""Classes that exist only where somebody has imported their module."""
