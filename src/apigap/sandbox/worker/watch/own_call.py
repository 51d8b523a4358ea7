"""Calls that library code makes by its own words: `self.target(...)` in its text, whatever it was handed.

Such a call is no doing of who handed the library the target, or its name, for something else.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import os
import types
from typing import Any

_open, _read, _close, _FLAGS = os.open, os.read, os.close, os.O_RDONLY | os.O_CLOEXEC
_lines: dict[str, list[bytes]] = {}
_Span = tuple[Any, ...]


def names_itself(frame: types.FrameType, leaf: str) -> bool:
    """Tell whether the call at which `frame` stands names `leaf`, and not a variable that holds what is to be called.

    Before Python 3.11, and of code without a text, that is not known.
    """
    code = frame.f_code
    if leaf not in code.co_names:
        return False
    written = _written(code, frame.f_lasti)
    return written is not None and written.rpartition(b".")[2].strip() == leaf.encode()


def _written(code: types.CodeType, at: int) -> bytes | None:
    """The text of the instruction at `at` up to its first bracket, in one line; None where it is not known."""
    positions = getattr(code, "co_positions", None)
    spans: list[_Span] = [] if positions is None else list(positions())
    if not 0 <= at // 2 < len(spans):
        return None
    first, last, begin, end = spans[at // 2]
    lines = _text_of(code.co_filename)
    if None in (first, last, begin, end) or not 0 < first <= last <= len(lines):
        return None
    parts = [*lines[first - 1 : last]]
    parts[-1] = parts[-1][:end]
    parts[0] = parts[0][begin:]
    return _head(b" ".join(parts))


def _head(call: bytes) -> bytes:
    """What stands before the last bracket of the outermost level: what is called."""
    depth = 0
    for place in range(len(call) - 1, -1, -1):
        depth += (call[place] == ord(")")) - (call[place] == ord("("))
        if not depth and call[place] == ord("("):
            return call[:place]
    return call


def _text_of(path: str) -> list[bytes]:
    if path not in _lines:
        _lines[path] = _read_lines(path)
    return _lines[path]


def _read_lines(path: str) -> list[bytes]:
    try:
        descriptor = _open(path, _FLAGS)
    except OSError:
        return []
    try:
        data = b""
        while part := _read(descriptor, 1 << 20):
            data += part
    finally:
        _close(descriptor)
    return data.splitlines()
