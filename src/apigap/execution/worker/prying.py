"""Notes when a program looks into the machinery around it, where the evidence of its calls is kept.

Whatever runs in one process with the spy can in the end forge what the spy has seen. It cannot do so without
looking: at frames, at the collector's objects, at raw memory. An audit hook, which cannot be taken off again,
tells the host of each such look at the moment it happens. An honest answer that does it is not failed for it,
but a person should see it.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from typing import Any

from .frames import Owners

_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
_EVENTS = {
    "sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.addaudithook",
    "gc.get_objects", "gc.get_referrers", "gc.get_referents", "object.__getattr__", "open", "ctypes.dlopen",
    "ctypes.cdata", "ctypes.PyObj_FromPtr", "ctypes.string_at",
}  # fmt: skip
_MEMORY = ("/mem", "/fd", "/maps")
_INSTALLED = (sys.prefix + os.sep, sys.base_prefix + os.sep, "<frozen")
_INSPECT = os.sep + "inspect.py"
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]


def watch_for_prying(owners: Owners, tell: Callable[[str], None]) -> None:
    """From now on `tell` hears, at most once per kind, what the answer's own code looks at."""
    told: set[str] = set()
    busy: list[bool] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _EVENTS or busy or event in told or not _is_prying(event, arguments):
            return
        busy.append(True)
        try:
            if _is_own(owners, _getframe(1)):
                told.add(event)
                tell(event)
        finally:
            busy.pop()

    sys.addaudithook(hook)


def _is_prying(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "object.__getattr__":
        return arguments[1] in _FRAMES
    if event == "open":
        path = arguments[0]
        return type(path) is str and path.startswith("/proc/") and path.endswith(_MEMORY)
    return True


def _is_own(owners: Owners, frame: types.FrameType | None) -> bool:
    """Whether the answer's code looks itself, or through `inspect`; code that it makes from text is its own too."""
    while frame is not None and frame.f_code.co_filename.endswith(_INSPECT):
        frame = frame.f_back
    if frame is None:
        return False
    owner = owners.of(frame.f_code)
    return owner == "candidate" or (owner == "library" and not frame.f_code.co_filename.startswith(_INSTALLED))
