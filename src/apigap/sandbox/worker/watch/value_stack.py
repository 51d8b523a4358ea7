"""The values on the stack of a frame, which no interpreter shows: what is called, and what with.

They are read in memory, by the layout of each version of CPython. Nothing is read but what is there: the height of the
stack is known (3.11) or worked out from the instructions, and the callable, which the interpreter names, has to stand
where it belongs (3.12 and later).
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import ctypes
import dis
import sys
import types
from typing import Any

from .stack_depth import Standing, standing

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
_ABOVE = {
    dis.opmap[name]: above
    for name, above in {"CALL": 0, "CALL_KW": 1, "CALL_FUNCTION_EX": 0}.items()
    if name in dis.opmap
}
"""The instructions that call, and how many values (the names of arguments) lie above those that are handed over."""
_HOLDS = frozenset(
    dis.opmap[name]
    for name in ("LOAD_CONST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF", "BUILD_TUPLE")
    if name in dis.opmap
)
"""Instructions whose value is a variable's or a constant, which stays alive, or a tuple."""
_LIST_TO_TUPLE = dis.opmap.get("CALL_INTRINSIC_1", -1), 6


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
    here = standing(code, offset)
    if begin is None or here is None or here.opcode not in _ABOVE:
        return told
    count = _arguments_on_stack(here)
    bottom = here.depth - _ABOVE[here.opcode] - count - 2  # of the two places of what is called
    if bottom < 0 or count > _MOST_ARGUMENTS:
        return told
    base = (_value(_pointer_at(id(frame) + _OF_FRAME)) or 0) + begin
    base += 8 * (len({*code.co_varnames, *code.co_cellvars, *code.co_freevars}) + bottom)
    called = [_address(base), _address(base + 8)]
    # Before 3.13 the empty place stands before a function, and a method before its self; later always behind.
    if called[0] != id(function) and (_VERSION >= (3, 13) or called != [0, id(function)]):
        return told
    if here.opcode == _EX:
        return _unpacked(base + 16, here, told)
    return [_object(base + 16 + 8 * place) for place in range(count)]


def handed_to(frame: types.FrameType) -> list[Any]:
    """The arguments of a function in Python that has just begun, each one of `*` and `**` by itself."""
    code = frame.f_code
    values = frame.f_locals
    plain = code.co_argcount + code.co_kwonlyargcount
    found = [values.get(name) for name in code.co_varnames[:plain]]
    for name in code.co_varnames[plain : plain + bool(code.co_flags & 4) + bool(code.co_flags & 8)]:
        more = values.get(name)
        found += more.values() if type(more) is dict else more if type(more) is tuple else ()
    return found


def _arguments_on_stack(here: Standing) -> int:
    """The values above what is called: of `*` and `**` the tuple and, where there are any, the names."""
    if here.opcode == _EX:
        return 2 if _VERSION >= (3, 14) else 1 + (here.argument & 1)
    return here.argument


def _unpacked(place: int, here: Standing, told: list[Any]) -> list[Any]:
    """The arguments of a call with `*` or `**`: what lies at `place` is the tuple, and behind it the names.

    What is no tuple the interpreter has made into one, and let go of: it is looked at only where it is one, or where
    something else still holds it.
    """
    if here.behind is not None and (here.behind[0] in _HOLDS or here.behind == _LIST_TO_TUPLE):
        values = _object(place)
        return list(values) if type(values) in (tuple, list) else told
    names = _object(place + 8) if _arguments_on_stack(here) == 2 and _address(place + 8) else None
    return told + (list(names.values()) if type(names) is dict else [])


def _address(place: int) -> int:
    """The address that a place holds, without the marks that 3.14 puts into it; 0 for an empty one."""
    return (_value(_pointer_at(place)) or 0) & ~_TAGS


def _object(place: int) -> Any:
    if not _TAGS:
        return _value(_object_at(place))
    return _value(_cast(_pointer_to(_void(_address(place))), _to_object).contents)
