"""Attributes of classes that let nobody change them: those made in C."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import ctypes
import gc
from typing import Any

from .values.names import replaced, type_namespace


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
