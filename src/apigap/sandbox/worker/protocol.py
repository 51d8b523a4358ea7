"""The wire between host, zygote and child: length-prefixed JSON, bounded, never pickle.

`dumps` is written out here because a program under test may have patched the `json` module by the time its
report is written; it uses nothing that Python code can replace.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import json
import struct
from collections.abc import Callable
from json.encoder import encode_basestring_ascii as _quote
from typing import Any

HEADER = struct.Struct(">cI")
"""One byte that names the kind of frame, then the length of its body in bytes."""

RUN, RECORD, KILL, READY, ALIVE, DONE = b"R", b"C", b"K", b"Y", b"A", b"D"
PHASE, NOTE, FINAL = b"P", b"N", b"F"

MAX_REQUEST = 64 * 1024 * 1024
MAX_REPORT = 64 * 1024 * 1024
MAX_CONTROL = 1024 * 1024
MAX_SCRIPT = 256 * 1024 * 1024

_pack = HEADER.pack
_float_repr = float.__repr__
_int_repr = int.__repr__
_join = "".join
_INFINITY = float("inf")


class ProtocolError(Exception):
    """Bytes that no honest peer would have sent."""


def dumps(value: Any) -> str:
    """JSON text (ASCII) of a value made of exact builtin types; dictionary keys must be exact strings.

    Raises:
        TypeError: for any other type, and for a float that JSON cannot hold.
    """
    out: list[str] = []
    _dump(value, out.append)
    return _join(out)


def _dump(value: Any, emit: Callable[[str], None]) -> None:
    kind = type(value)
    if value is None:
        emit("null")
    elif kind is bool:
        emit("true" if value else "false")
    elif kind is str:
        emit(_quote(value))
    elif kind is int:
        emit(_int_repr(value))
    elif kind is float:
        if value != value or value in (_INFINITY, -_INFINITY):
            raise TypeError("JSON has no nan and no infinity")
        emit(_float_repr(value))
    elif kind is list or kind is tuple:
        _dump_items("[", [(None, item) for item in value], "]", emit)
    elif kind is dict:
        _dump_items("{", list(value.items()), "}", emit)
    else:
        raise TypeError("only exact builtin types cross the wire")


def _dump_items(start: str, items: list[tuple[Any, Any]], end: str, emit: Callable[[str], None]) -> None:
    emit(start)
    for number, (key, item) in enumerate(items):
        if number:
            emit(",")
        if key is not None:
            if type(key) is not str:
                raise TypeError("only exact strings are keys on the wire")
            emit(_quote(key) + ":")
        _dump(item, emit)
    emit(end)


def frame(kind: bytes, value: Any) -> bytes:
    """One frame as bytes."""
    body = dumps(value).encode("ascii")
    return _pack(kind, len(body)) + body


def loads(body: bytes | bytearray) -> Any:
    """The value of a frame's body.

    Raises:
        ProtocolError: when it is not JSON, holds a number that no float can hold, or nests too deep to read.
    """
    try:
        return json.loads(body, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProtocolError(f"not JSON: {str(error)[:200]}") from None


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if value in (_INFINITY, -_INFINITY):  # 1e999: what is stored later could not be read as JSON again
        raise ValueError(f"{text[:20]} is too large")
    return value


def split_frames(data: bytes | bytearray, limit: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """The whole frames (kind, body) at the start of `data`, and how many bytes they take.

    Raises:
        ProtocolError: when a header announces more than `limit` bytes.
    """
    frames: list[tuple[bytes, bytes]] = []
    at = 0
    while len(data) - at >= HEADER.size:
        kind, length = HEADER.unpack_from(data, at)
        if length > limit:
            raise ProtocolError(f"a frame announces {length} bytes, the limit is {limit}")
        end = at + HEADER.size + length
        if end > len(data):
            break
        frames.append((kind, bytes(data[at + HEADER.size : end])))
        at = end
    return frames, at
