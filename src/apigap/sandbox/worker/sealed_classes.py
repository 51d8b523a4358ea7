"""Classes that let nobody change their attributes: those made in C, and our own in which the answer might."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import ctypes
import gc
import sys
from typing import Any

from .values.names import replaced, type_namespace

_FLAGS_AT, _IMMUTABLE = 168, 1 << 8  # where a type of CPython has its flags, and the one that it may not be changed
_SINCE = 0x030A0000  # that flag is there since Python 3.10


def sealed(cls: Any) -> Any:
    """The class, which nobody can change from here on (before Python 3.10: as it was)."""
    if sys.hexversion >= _SINCE:
        flags = ctypes.c_ulong.from_address(id(cls) + _FLAGS_AT)
        if flags.value == cls.__flags__:
            flags.value |= _IMMUTABLE
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
    return cls


def put_in_class(cls: type, name: str, value: Any) -> None:
    """Give a class an attribute: in the dictionary behind its namespace where it refuses, if that can be had."""
    try:
        setattr(cls, name, value)
    except TypeError:
        found = [held for held in gc.get_referents(type_namespace(cls)) if type(held) is dict]
        if len(found) == 1:
            if name in found[0]:
                replaced.setdefault(cls, {})[name] = found[0][name]
            found[0][name] = value
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
    except AttributeError:
        with contextlib.suppress(TypeError, AttributeError):
            type.__setattr__(cls, name, value)
