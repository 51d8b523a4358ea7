"""Counts what an answer tries: an answer that knows an API calls it, one that looks for it calls what there is.

Counted are the different functions that each place of the answer's own code calls, and the different functions of
libraries that it calls in all. What only hands calls on (partial, executors, threads, mocks) is passed over, and all
code that the answer makes of text is one place.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from typing import Any

from ..frames import Owners, is_standard_library

AT_ONE_PLACE = 12
IN_ALL = 40
TRIED = "tried "
_LIBRARY, _HANDS_ON, _OWN, _TEXT, _NEITHER = range(5)
_HANDING = tuple(
    os.sep + os.path.join(*parts)
    for parts in (
        ("functools.py",), ("threading.py",), ("futures", "thread.py"), ("multiprocessing", "pool.py"), ("weakref.py",),
        ("contextlib.py",), ("unittest", "mock.py"), ("timeit.py",),
    )
)  # fmt: skip
"""Files of the standard library that call what they are given, and give back what it gives."""
_STANDARD = {*sys.builtin_module_names, *getattr(sys, "stdlib_module_names", ())}  # the latter since Python 3.10
_module_of = types.BuiltinFunctionType.__dict__["__module__"].__get__
_name_of = types.BuiltinFunctionType.__dict__["__qualname__"].__get__


def _is_of_library(function: Any) -> bool:
    module = _module_of(function)
    return type(module) is str and module.partition(".")[0] not in _STANDARD


class Tries:
    """The functions that the answer has called so far; `tell` hears, once, when they are too many.

    What code in the files of `foreign` calls does not count, and need not be told: that is nearly all there is.
    """

    def __init__(self, owners: Owners, in_own_thread: Callable[[], bool], tell: Callable[[str], None]) -> None:
        self.owners = owners
        self.in_own_thread = in_own_thread
        self.tell = tell
        self.kinds: dict[str, int] = {}
        self.foreign: set[str] = set()
        self.places: dict[object, set[object]] = {}
        self.every: set[object] = set()
        self.told = False

    def enter(self, frame: types.FrameType) -> None:
        """A frame of Python code is entered."""
        code = frame.f_code
        if self._kind(code) != _LIBRARY or code.co_name.endswith("_dispatcher"):
            return  # before each function of numpy its dispatcher is called, which is no other function
        place = self._place(frame.f_back)
        if place is not None:
            self.every.add(id(code))
            self._add(place, id(code))

    def enter_builtin(self, frame: types.FrameType, function: Any) -> None:
        """A function made in C is called by `frame`; what only hands calls on has some of its own to call."""
        if type(function) is not types.BuiltinFunctionType:
            return
        kind = self._kind(frame.f_code)
        if kind in (_OWN, _TEXT) or (kind == _HANDS_ON and _is_of_library(function)):
            place = self._place(frame)
            if place is not None:
                self._add(place, _name_of(function))

    def _add(self, place: object, what: object) -> None:
        tried = self.places.setdefault(place, set())
        tried.add(what)
        if self.told or (len(tried) <= AT_ONE_PLACE and len(self.every) <= IN_ALL):
            return
        at_one = len(tried) > AT_ONE_PLACE
        most = f"{AT_ONE_PLACE} functions from one place" if at_one else f"{IN_ALL} functions"
        self.tell(f"{TRIED}more than {most}")
        self.told = True

    def _place(self, frame: types.FrameType | None) -> object:
        """The place in the answer's code from which a call comes; None for a call by somebody else.

        Code of text is the answer's where the answer calls it: libraries make their classes of text as well.
        """
        of_text = False
        while frame is not None:
            kind = self._kind(frame.f_code)
            if kind == _OWN:
                return "text" if of_text else (id(frame.f_code), frame.f_lasti)
            if kind != _TEXT and (of_text or kind != _HANDS_ON):
                return None
            of_text = of_text or kind == _TEXT
            frame = frame.f_back
        return "thread" if self.in_own_thread() else None

    def _kind(self, code: types.CodeType) -> int:
        name = code.co_filename
        found = self.kinds.get(name)
        if found is None:
            found = self.kinds[name] = self._new_kind(code)
            if found in (_LIBRARY, _NEITHER):
                self.foreign.add(name)
        return found

    def _new_kind(self, code: types.CodeType) -> int:
        owner = self.owners.of(code)
        if owner == "library":
            if is_standard_library(code):
                return _HANDS_ON if code.co_filename.endswith(_HANDING) else _NEITHER
            return _TEXT if code.co_filename.startswith("<") else _LIBRARY
        return _OWN if owner == "candidate" else _NEITHER
