"""Calls that raise no profile event: of classes, ufuncs and other callables made in C.

From Python 3.12 on the interpreter tells of every call and what is called; Python 3.11 tells of every instruction when
asked to. What else belongs to the call lies on the value stack of the frame, and is read there. Only frames of the
answer are looked at. Earlier versions offer neither.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportAttributeAccessIssue=false
import ctypes
import dis
import functools
import inspect
import itertools
import sys
import threading
import types
from collections.abc import Callable
from typing import Any, Protocol

from ..values.names import type_module, type_mro
from .method_callers import holders, is_method_caller, method_of
from .opaque_call import opaque
from .value_stack import EMPTY, arguments_of, handed_to, top_values

_VERSION = sys.version_info[:2]
_partial_function: Any = functools.partial.__dict__["func"].__get__
_set_trace, _set_threads = sys.settrace, threading.settrace
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]

_CALLERS: tuple[Any, ...] = (
    map, filter, sorted, min, max, functools.reduce, itertools.starmap, itertools.accumulate, itertools.takewhile,
    itertools.dropwhile, itertools.filterfalse, itertools.groupby,
)  # fmt: skip
"""Callables made in C that call what they are given; a class that is handed to others may only be named there."""
_MENTIONS: tuple[Any, ...] = (
    isinstance, issubclass, callable, getattr, hasattr, setattr, print, repr, str, id, hash, vars, dir, type, format,
    list, tuple, dict, set, frozenset, zip, enumerate, len, functools.partial, functools.wraps,
    functools.update_wrapper, inspect.signature, inspect.getdoc, inspect.isbuiltin, inspect.isroutine,
)  # fmt: skip
"""Functions that are given a callable without ever calling it."""

Begin = Callable[[types.FrameType], "dict[str, Any] | None"]


def can_watch() -> bool:
    """Tell whether this interpreter shows such calls."""
    return sys.implementation.name == "cpython" and (_VERSION >= (3, 12) or (_VERSION == (3, 11) and _plain_build()))


def _plain_build() -> bool:
    return not hasattr(sys, "getobjects") and ctypes.sizeof(ctypes.c_void_p) == 8


class Uses:
    """Tells the calls of the answer that are uses of the target, as `matches` knows it.

    Those are calls of itself (only where they are `direct`: otherwise another watch sees them), through partial and
    `operator.methodcaller`, and calls that hand it over to something that calls it, of which no event tells: itself,
    or a method caller beside what has it.
    """

    def __init__(self, matches: Callable[[Any], bool], cls: type | None, direct: bool) -> None:
        self.matches = matches
        self.cls = cls
        self.direct = direct

    def has(self, function: Any, arguments: list[Any]) -> bool:
        """Tell whether calling `function` with `arguments` is one."""
        inner = innermost(function)
        if self.matches(inner):
            return self.direct or inner is not function
        if is_method_caller(inner):
            return bool(arguments) and self.matches(method_of(inner, arguments[0]))
        if self.cls is not None and self._is_derived(inner):
            return True
        is_known = any(function is known for known in (_MENTIONS if self.cls is None else _CALLERS))
        return is_known is (self.cls is not None) and any(self._is_meant(argument, arguments) for argument in arguments)

    def _is_meant(self, argument: Any, beside: list[Any]) -> bool:
        given = innermost(argument)
        if not is_method_caller(given):
            return self.matches(given)
        return any(self.matches(method_of(given, holder)) for holder in holders(beside))

    def _is_derived(self, function: Any) -> bool:
        own = issubclass(type(function), type) and type_module(function) == "__main__"
        return own and any(base is self.cls for base in type_mro(function))


def innermost(function: Any) -> Any:
    """The function that a partial, or one of a partial, calls in the end."""
    for _ in range(10):
        if type(function) is not functools.partial:
            break
        function = _partial_function(function)
    return function


class Has(Protocol):
    """Anything that tells uses of a target."""

    def has(self, function: Any, arguments: list[Any]) -> bool:
        """Tell whether calling `function` with `arguments` is one."""
        ...


def make_watch(uses: Has, begin: Begin) -> InstructionWatch | MonitoringWatch:
    """The watch for this interpreter; `begin` makes the record of a call, or None where it does not count."""
    watch = MonitoringWatch if _VERSION >= (3, 12) else InstructionWatch
    return watch(uses, begin)


class InstructionWatch:
    """Python 3.11: looks at each instruction of the answer's frames, through the trace hook."""

    def __init__(self, uses: Has, begin: Begin) -> None:
        self.uses = uses
        self.begin = begin
        self.wanted: Callable[[types.CodeType], bool] = lambda code: False
        self.open: dict[int, tuple[int, dict[str, Any]]] = {}
        self.hook = opaque(self._enter)
        self.step = opaque(self._step)

    def start(self, wanted: Callable[[types.CodeType], bool]) -> None:
        """Begin to look at frames whose code is `wanted`, in this thread and those to come."""
        self.wanted = wanted
        _set_threads(self.hook)
        _set_trace(self.hook)

    def pause(self) -> None:
        """Stop looking in this thread."""
        _set_trace(None)

    def resume(self) -> None:
        """Look again."""
        _set_trace(self.hook)

    def misses(self, frame: types.FrameType) -> bool:
        """Tell whether the call that entered `frame` may be seen by that alone: none here."""
        return False

    def stop(self) -> None:
        """Stop for good."""
        _set_trace(None)
        _set_threads(None)  # pyright: ignore[reportArgumentType]

    def _enter(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        if event != "call" or _getframe(1) is not frame or not self.wanted(frame.f_code):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.step

    def _step(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        if _getframe(1) is not frame:  # not the interpreter's own telling
            return None
        key = id(frame)
        if event == "exception":
            _site, call = self.open.pop(key, (0, None))
            if call is not None:
                call["raised"] = "Exception"
        elif event == "opcode":
            at = frame.f_lasti
            if key in self.open and at > self.open[key][0]:
                self.open.pop(key)[1]["completed"] = True
            self._look(frame, at)
        elif event == "return" and key in self.open:
            self.open.pop(key)[1]["completed"] = argument is not None
        return self.step

    def _look(self, frame: types.FrameType, at: int) -> None:
        code = frame.f_code.co_code
        opcode, operand = code[at], code[at + 1]
        if opcode == _PRECALL:
            values = top_values(frame, operand + 2)
            function = values[1] if values[0] is EMPTY else values[0]  # a method stands before its self
            arguments = values[2:]
            last = at + 2 + 2 * _PRECALL_CACHES  # the CALL that belongs to it
        elif opcode == _CALL_EX:
            values = top_values(frame, 2 + (operand & 1))
            function, arguments = values[0], list(values[1]) if type(values[1]) in (tuple, list) else []
            arguments += values[2].values() if operand & 1 and type(values[2]) is dict else []
            last = at
        else:
            return
        if self.uses.has(function, arguments):
            call = self.begin(frame)
            if call is not None:
                self.open[id(frame)] = (last, call)


_PRECALL = dis.opmap.get("PRECALL", -1)
_PRECALL_CACHES = 1
_CALL_EX = dis.opmap["CALL_FUNCTION_EX"]
_RESUME = dis.opmap.get("RESUME", -1)
_RESUMABLE = 0x20 | 0x80 | 0x100 | 0x200


_BEFORE, _BEHIND = 2, 6
"""The distance, in bytes, from a call to where the interpreter says that an exception comes out of it (3.13, 3.12)."""


class MonitoringWatch:
    """Python 3.12 and later: the interpreter tells of each call.

    It tells of the end of a call only where that is of something made in C. A Python function that was handed the
    target has come to its end unless an exception comes out of it, into the frame that called it.

    Of calls with `*` and `**` it does not tell all (3.12: none of functions in Python; later: not all arguments), so
    the frames that such calls enter are looked at as well. Those of generators and coroutines are entered only when
    somebody goes on with them; of these the answer's own are looked at. `told` has the frames that stand at such a
    call that was told of, with its place, `counted` the codes of generators whose call was seen already.
    """

    def __init__(self, uses: Has, begin: Begin) -> None:
        self.uses = uses
        self.begin = begin
        self.wanted: Callable[[types.CodeType], bool] = lambda code: False
        self.open: list[tuple[int, int, dict[str, Any]]] = []
        self.handed: dict[int, tuple[int, int, dict[str, Any]]] = {}
        self.told: dict[int, int] = {}
        self.counted: dict[int, int] = {}
        self.tool = -1
        self.events: tuple[int, ...] = ()
        self.monitoring: Any = sys.monitoring  # before the answer could put something else there

    def start(self, wanted: Callable[[types.CodeType], bool]) -> None:
        """Begin to look at calls that code makes which is `wanted`."""
        monitoring = self.monitoring
        self.wanted = wanted
        self.tool = next(number for number in (4, 3, 5) if monitoring.get_tool(number) is None)
        monitoring.use_tool_id(self.tool, "calls")
        events = monitoring.events
        told_of = {
            events.CALL: self._call, events.C_RETURN: self._return, events.C_RAISE: self._raise,
            events.RAISE: self._came_out,
        }  # fmt: skip
        self.events = tuple(told_of)
        for event, told in told_of.items():
            monitoring.register_callback(self.tool, event, opaque(told))
        self.resume()

    def pause(self) -> None:
        """Stop looking."""
        self.monitoring.set_events(self.tool, 0)

    def resume(self) -> None:
        """Look again."""
        self.monitoring.set_events(self.tool, self.monitoring.events.CALL | self.monitoring.events.RAISE)

    def stop(self) -> None:
        """Stop for good."""
        self.pause()
        for event in self.events:
            self.monitoring.register_callback(self.tool, event, None)
        self.monitoring.free_tool_id(self.tool)

    def misses(self, frame: types.FrameType) -> bool:
        """Tell whether the call that entered `frame` may be seen by that alone."""
        code, caller = frame.f_code, frame.f_back
        if code.co_flags & _RESUMABLE:
            return self.wanted(code) and frame.f_lasti == _first_resume(code)
        if caller is None or not self.wanted(caller.f_code) or caller.f_code.co_code[caller.f_lasti] != _CALL_EX:
            return False
        return self.told.get(id(caller)) != caller.f_lasti

    def entered(self, frame: types.FrameType) -> None:
        """Look at a function in Python that has just begun, by a call that is missed."""
        code = frame.f_code
        if not self.uses.has(code, handed_to(frame)):
            return
        if not code.co_flags & _RESUMABLE:
            caller = frame.f_back
            if caller is not None:
                self._begin(caller, caller.f_lasti, in_python=True)
        elif self.counted.get(id(code)):
            self.counted[id(code)] -= 1
        else:
            self._begin(frame, frame.f_lasti, in_python=True)

    def _call(self, code: types.CodeType, offset: int, function: Any, argument: Any) -> None:
        if not self.wanted(code):
            return
        frame = _getframe(1)
        self.handed.pop(id(frame), None)  # the frame has come further: its last call did not raise
        if code.co_code[offset] == _CALL_EX:
            if _is_entered(function):
                self.told.pop(id(frame), None)
                return
            self.told[id(frame)] = offset
        if self.uses.has(function, arguments_of(frame, offset, function, argument)):
            is_python = _is_python(function)
            self._begin(frame, offset, in_python=is_python)
            if is_python and (inner := _code_of(function)).co_flags & _RESUMABLE:
                self.counted[id(inner)] = self.counted.get(id(inner), 0) + 1

    def _begin(self, frame: types.FrameType, offset: int, in_python: bool) -> None:
        """Note a call that `frame` makes; of the end of one `in_python` nobody will tell."""
        call = self.begin(frame)
        if call is not None and in_python:
            call["completed"] = True
            self.handed[id(frame)] = (id(frame.f_code), offset, call)
        elif call is not None:
            self.open.append((id(frame.f_code), offset, call))

    def _came_out(self, code: types.CodeType, offset: int, error: BaseException) -> None:
        last = self.handed.get(id(_getframe(1))) if self.handed else None
        if last is not None and last[0] == id(code) and -_BEFORE <= offset - last[1] <= _BEHIND:
            last[2]["completed"], last[2]["raised"] = False, "Exception"

    def _return(self, code: types.CodeType, offset: int, function: Any, argument: Any) -> None:
        self._end(code, offset, "completed", True)

    def _raise(self, code: types.CodeType, offset: int, function: Any, argument: Any) -> None:
        self._end(code, offset, "raised", "Exception")

    def _end(self, code: types.CodeType, offset: int, field: str, value: object) -> None:
        if self.told:
            self.told.pop(id(_getframe(2)), None)
        if self.open and self.open[-1][:2] == (id(code), offset):
            self.open.pop()[2][field] = value


@functools.lru_cache(maxsize=512)
def _first_resume(code: types.CodeType) -> int:
    """The place of the instruction that a generator or coroutine begins with, or -1."""
    text = code.co_code
    return next((at for at in range(0, len(text), 2) if text[at] == _RESUME), -1)


def _is_entered(function: Any) -> bool:
    """Tell whether a call of `function` enters a frame at once, which the profile hook is told of."""
    return _is_python(function) and not _code_of(function).co_flags & _RESUMABLE


def _is_python(function: Any) -> bool:
    inner = function.__func__ if type(function) is types.MethodType else function
    return type(inner) is types.FunctionType


def _code_of(function: Any) -> types.CodeType:
    """The code of a function in Python, or of the one that a method binds."""
    return (function.__func__ if type(function) is types.MethodType else function).__code__
