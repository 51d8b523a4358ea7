"""Notes when an answer reaches for raw memory: by a path that leads to a process's own, or through ctypes.

ctypes reads and writes at any address, and for most of its ways no audit event tells of it. So its modules, which
are loaded before any answer runs, tell whoever takes something from them that can make an address into an object.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from .opaque_call import opaque

CTYPES = "ctypes"
_MEMORY = ("mem", "fd", "maps", "smaps", "numa_maps")
_MOST_LINKS = 40
_PLAIN = frozenset({
    "sizeof", "alignment", "create_string_buffer", "create_unicode_buffer",
    "Structure", "Union", "LittleEndianStructure", "BigEndianStructure",
})  # fmt: skip
"""Names of ctypes, beside the numbers, that lead to no address."""
_readlink = os.readlink
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_get: Any = types.ModuleType.__getattribute__
_set: Any = types.ModuleType.__setattr__
_delete: Any = types.ModuleType.__delattr__
_Frames = Callable[["types.FrameType | None"], bool]


def is_memory(given: Any) -> bool:
    """Tell whether a path leads to a process's memory or descriptors, by whatever way it is written.

    The last part decides: what stands before it may be a link, or the folder of a descriptor.
    """
    if issubclass(type(given), int):  # `isinstance` would ask the answer's object for its class
        return False
    path = _text(given)
    if path is None:
        return True
    for _ in range(_MOST_LINKS):
        if last_part(path) in _MEMORY:
            return True
        try:
            link = _readlink(path)
        except OSError:
            return False
        path = link if link.startswith("/") else f"{path.rpartition('/')[0] or '.'}/{link}"
    return True


def last_part(given: Any) -> str:
    """The name at the end of a path; empty for what is no path."""
    return (_text(given) or "").rstrip("/").rpartition("/")[2]


def _text(given: Any) -> str | None:
    if issubclass(type(given), bytes):
        return bytes.decode(given, "utf-8", "surrogateescape")
    return str.__str__(given) if issubclass(type(given), str) else None


def watch_ctypes(reaches: _Frames, tell: Callable[[str], None]) -> None:
    """From now on `tell` hears of each use of ctypes by a frame that `reaches` takes for the answer's."""
    told: list[str] = []

    def note(module: Any, name: str, frame: types.FrameType | None) -> None:
        if not told and reaches(frame):
            tell(f"{CTYPES}.{name}")
            told.append(name)

    def get(module: Any, name: str) -> Any:
        value = _get(module, name)
        if not _leads_to_no_address(name):
            note(module, name, _getframe(1))
        return value

    def put(module: Any, name: str, value: Any) -> None:
        note(module, name, _getframe(1))
        _set(module, name, value)

    def delete(module: Any, name: str) -> None:
        note(module, name, _getframe(1))
        _delete(module, name)

    watched = {"__getattribute__": opaque(get), "__setattr__": opaque(put), "__delattr__": opaque(delete)}
    kind = type("module", (types.ModuleType,), {**watched, "__module__": "builtins"})
    for name in (CTYPES, "_ctypes"):
        if name in sys.modules:
            sys.modules[name].__class__ = kind


def _leads_to_no_address(name: str) -> bool:
    if name.startswith("__"):
        return name != "__dict__"
    return name in _PLAIN or (name.startswith("c_") and not name.endswith("p"))
