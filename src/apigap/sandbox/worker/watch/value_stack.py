"""The values on the stack of a frame, which no interpreter shows: what is called, and what with.

They are read in memory, by the layout of each version of CPython. Nothing is read but what is there: the height of the
stack is known (3.11), or the callable, which the interpreter names, is looked for from the bottom (3.12 and later).
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import ctypes
import dis
import sys
import types
from typing import Any

EMPTY = object()
"""An empty place of the stack."""
_VERSION = sys.version_info[:2]
_OF_FRAME = 24
_STACK_TOP, _STACK = 64, 72
"""Offsets of CPython 3.11, in bytes: a frame object's interpreter frame, the height of its stack, its values."""
_VALUES = {(3, 12): 72, (3, 13): 72, (3, 14): 80}
"""The place of a frame's variables in later versions, which the stack follows."""
_TAGS = 3 if _VERSION >= (3, 14) else 0
_MOST_ARGUMENTS = 60

_pointer_at, _number_at = ctypes.c_void_p.from_address, ctypes.c_int.from_address
_object_at: Any = ctypes.py_object.from_address
_cast: Any = ctypes.cast
_void, _pointer_to, _to_object = ctypes.c_void_p, ctypes.pointer, ctypes.POINTER(ctypes.py_object)
_value: Any = ctypes.c_int.__mro__[1].__dict__["value"].__get__
"""Taken here: the answer shares the module ctypes, and may put something else there."""
_MISSING = getattr(getattr(sys, "monitoring", None), "MISSING", None)
_EX = dis.opmap["CALL_FUNCTION_EX"]
_CALLS = frozenset(dis.opmap[name] for name in ("CALL", "CALL_KW") if name in dis.opmap)


def top_values(frame: types.FrameType, count: int) -> list[Any]:
    """The topmost `count` values of a frame of Python 3.11 that stands before an instruction."""
    inner = _value(_pointer_at(id(frame) + _OF_FRAME)) or 0
    top = _value(_number_at(inner + _STACK_TOP))
    if top < count:
        return [EMPTY] * count
    first = inner + _STACK + 8 * (top - count)
    places = [first + 8 * at for at in range(count)]
    return [_value(_object_at(place)) if _value(_pointer_at(place)) else EMPTY for place in places]


def arguments_of(frame: types.FrameType, offset: int, function: Any, first: Any) -> list[Any]:
    """All arguments of the call that a frame of Python 3.12 or later is about to make, without a method's self.

    `function` and `first` are what the interpreter tells of it. Where the layout is not known, that is all there is.
    """
    told = [] if first is _MISSING else [first]
    begin = _VALUES.get(_VERSION)
    code = frame.f_code
    text = code.co_code
    opcode, count = text[offset], text[offset + 1]

    if begin is None or count > _MOST_ARGUMENTS or (opcode != _EX and opcode not in _CALLS):
        return told
    base = (_value(_pointer_at(id(frame) + _OF_FRAME)) or 0) + begin
    base += 8 * len({*code.co_varnames, *code.co_cellvars, *code.co_freevars})
    stack = [_address(base + 8 * at) for at in range(code.co_stacksize)]
    for at, address in enumerate(stack):
        if address == id(function):
            # Before 3.13 the empty place stands before a function, and a method before its self; later always behind.
            behind = _VERSION >= (3, 13) or at == 0 or stack[at - 1] != 0
            start = at + 2 if behind else at + 1
            if opcode == _EX:
                has_names = count & 1 == 1 or _VERSION >= (3, 14)
                return told + (_named(base, stack, start + 1) if has_names else [])
            if _begins(stack[start : start + count], count, first, is_method=behind and stack[at + 1] != 0):
                return [_object(base + 8 * place) for place in range(start, start + count)]
    return told


def _begins(places: list[int], count: int, first: Any, is_method: bool) -> bool:
    """Tell whether these are the arguments of the call: another call of the same function may wait below."""
    return len(places) == count and all(places) and (is_method or not count or places[0] == id(first))


def _named(base: int, stack: list[int], at: int) -> list[Any]:
    """The values of a call with `**`; of `*` the interpreter may have let go of what lies here already."""
    if at >= len(stack) or not stack[at]:
        return []
    names = _object(base + 8 * at)
    return list(names.values()) if type(names) is dict else []


def _address(place: int) -> int:
    """The address that a place holds, without the marks that 3.14 puts into it; 0 for an empty one."""
    return (_value(_pointer_at(place)) or 0) & ~_TAGS


def _object(place: int) -> Any:
    if not _TAGS:
        return _value(_object_at(place))
    return _value(_cast(_pointer_to(_void(_address(place))), _to_object).contents)
