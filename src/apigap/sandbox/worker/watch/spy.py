"""Watches the calls of one target by its code objects, without rebinding anything.

The profile hook sees each frame that is entered and left, and each C function that bytecode calls; other callables
made in C (classes, ufuncs) are seen at the place of the call, see `silent`. A call is recorded with the owner of the
frame that made it: frames of decorators around the target, of proxies that stand for it, and plumbing of the standard
library in between (partial, asyncio, thread pools) are passed over. A class without any constructor in Python gets one
for the length of the run, which only passes on.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import dis
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from ..frames import Owners, is_standard_library
from ..values.names import type_name, type_namespace
from .aims import Aim, AnyUse
from .api_search import Tries
from .arguments import bound_arguments
from .c_call_tracer import make_watch
from .handing import is_held
from .opaque_call import opaque
from .proxies import is_layer, outermost
from .target import Target

MAX_CALLS = 200
_GENERATORS = 0x20 | 0x200
_RESUMABLE = _GENERATORS | 0x80 | 0x100
_RETURNS = {dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap}
_PAUSES = {
    dis.opmap[name]
    for name in ("YIELD_VALUE", "YIELD_FROM", "SEND", "RESUME", "RETURN_GENERATOR", "GEN_START")
    if name in dis.opmap
}
_YIELD_FROM = dis.opmap.get("YIELD_FROM")
_NEW = "__new__"
_BETWEEN = ("library", "context")
"""The owners of frames that may stand between an answer and a call that it made by handing the target over."""
_set, _get = sys.setprofile, sys.getprofile
_set_threads = threading.setprofile
_current = threading.current_thread
_thread_start = threading.Thread.start.__code__
_loaded = sys.modules
_GIVEN = (("asyncio.events", "Handle", "_run"), ("concurrent.futures.thread", "_WorkItem", "run"))
"""Modules, their classes of what is given to an event loop or a pool of threads, and the methods that run it."""
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_traceback = BaseException.__dict__["__traceback__"].__get__

Hook = Callable[[types.FrameType, str, Any], None]


class Watched:
    """A call that has begun: its frame, the instruction that made it, and its record."""

    def __init__(self, frame: types.FrameType, call: dict[str, Any]) -> None:
        self.frame = frame
        self.site = (frame.f_back, frame.f_back.f_lasti if frame.f_back else -1)
        self.call = call


class Spy:
    """The watch over the targets `names` during one run; `calls` are `CallRecord`s as dictionaries."""

    def __init__(self, names: list[str], owners: Owners, source: str, note: Callable[[str], None]) -> None:
        self.owners = owners
        self.calls: list[dict[str, Any]] = []
        self.outer_calls: list[dict[str, Any]] = []
        self.open: dict[int, Watched] = {}
        self.ended: list[Watched] = []
        self.starters: dict[int, str] = {}
        self.given: dict[int, types.CodeType] = {}
        self.runs_given: dict[int, types.CodeType] = {}
        self.unseen = {*_GIVEN}
        self.removed = self.echoes = False
        self.tries = Tries(owners, lambda: self.starters.get(id(_current())) == "candidate", note)
        self.silent: Any = None
        self.aims = [Aim(name, source) for name in names]
        silent = [aim for aim in self.aims if aim.is_silent]
        if silent:
            self.uses = AnyUse(silent)
            self.silent = make_watch(self.uses, self._begin_silent)
        self.hook = opaque(self._make_hook())

    def start(self) -> None:
        """Begin to watch this thread and those to come."""
        for aim in self.aims:
            aim.start()
        self._watch_given()
        _set_threads(self.hook)
        _set(self.hook)
        if self.silent is not None:
            self.silent.start(self._is_answer)

    def _is_answer(self, code: types.CodeType) -> bool:
        return _is_of_text(code) or self.owners.of(code) in ("candidate", "context")

    def _begin_silent(self, frame: types.FrameType) -> dict[str, Any] | None:
        if len(self.calls) >= MAX_CALLS:
            return None
        return self._record(frame, self.uses.found, True)

    def pause(self) -> None:
        """Stop watching while the harness reads a value."""
        self.removed = self.removed or _get() is not self.hook
        _set(None)
        if self.silent is not None:
            self.silent.pause()

    def resume(self) -> None:
        """Watch again."""
        _set(self.hook)
        if self.silent is not None:
            self.silent.resume()

    def stop(self, started: bool, error: BaseException | None) -> str | None:
        """Stop for good; gives what is wrong with the watch, if anything."""
        if not started:
            return None
        self.pause()
        _set_threads(None)  # pyright: ignore[reportArgumentType]
        if self.silent is not None:
            self.silent.stop()
        if not self.calls:  # a decorator that never calls what it says it wraps is itself what is called
            self.calls = self.outer_calls
        self._name_exception(error)
        for aim in self.aims:
            self.calls.extend(aim.derived())
        return "the program took the profile hook off" if self.removed else None

    def _make_hook(self) -> Hook:
        """The profile hook: a busy library raises thousands of events, and nearly all have to be let go at once.

        Code objects are told apart by address, since their hash is made anew of all that they hold.
        """
        targets = [aim.target for aim in self.aims]
        codes = {id(code) for target in targets for code in (*target.codes, *target.wrappers)}
        codes |= {id(_thread_start), id(_nothing.__code__)}
        self.codes = codes
        opened = self.open
        builtins = [aim for aim in self.aims if aim.target.builtin is not None]
        silent = self.silent
        tries, foreign = self.tries, self.tries.foreign

        def hook(frame: types.FrameType, event: str, argument: Any) -> None:
            if event == "call":
                back = frame.f_back
                is_first = back is None or back.f_code.co_filename not in foreign
                if is_first:
                    tries.enter(frame)
                    if self.unseen:  # before such a call nobody gives anything
                        self._watch_given()
                if (
                    silent is not None
                    and (is_first or frame.f_code.co_filename not in foreign)
                    and silent.misses(frame)
                    and self._is_told(frame)
                ):
                    silent.entered(frame)
                if id(frame.f_code) in codes and self._is_told(frame):
                    self._begin(frame)
            elif event == "return":
                if opened and id(frame) in opened and self._is_told(frame):
                    self._leave(frame, opened[id(frame)])
            else:
                if event == "c_call" and frame.f_code.co_filename not in foreign:
                    tries.enter_builtin(frame, argument)
                for aim in builtins:
                    if aim.target.is_builtin(argument) and self._is_told(frame):
                        self._builtin(frame, event, aim)

        return hook

    def _is_told(self, frame: types.FrameType) -> bool:
        """Tell whether the interpreter itself tells of the event: anybody can fetch the hook and call it.

        The interpreter tells of the frame that is running, and of nothing that the hook itself does.
        """
        if frame.f_code is _nothing.__code__:
            self.echoes = True
            return False
        if _getframe(2) is not frame:
            return False
        self.echoes = False
        _nothing()
        return not self.echoes

    def _begin(self, frame: types.FrameType) -> None:
        code = frame.f_code
        for aim in self.aims:
            if code in aim.target.codes:
                self._enter(frame, aim)
            elif code in aim.target.wrappers:
                self._enter_decorator(frame, aim)
        if code is _thread_start or id(code) in self.given:
            callers = [self._caller(frame.f_back, aim.target)[0] for aim in self.aims]
            self.starters[id(frame.f_locals.get("self"))] = "candidate" if "candidate" in callers else callers[0]

    def _watch_given(self) -> None:
        """Watch what is given to event loops and pools of threads, where their modules have been imported since."""
        for module, name, runner in [row for row in self.unseen if row[0] in _loaded]:
            space = vars(_loaded[module]) if type(_loaded[module]) is types.ModuleType else {}
            methods = type_namespace(space[name]) if type(space.get(name)) is type else {}
            begins, runs = (methods.get(method) for method in ("__init__", runner))
            if type(begins) is types.FunctionType and type(runs) is types.FunctionType:
                self.unseen.discard((module, name, runner))
                self.given[id(begins.__code__)] = begins.__code__
                self.runs_given[id(runs.__code__)] = runs.__code__
                self.codes.add(id(begins.__code__))

    def _is_given_by_answer(self, frame: types.FrameType) -> bool:
        return id(frame.f_code) in self.runs_given and self._giver(frame) == "candidate"

    def _giver(self, frame: types.FrameType) -> str:
        """The owner of who has given what runs in this frame."""
        return self.starters.get(id(frame.f_locals.get("self")), "library")

    def _enter(self, frame: types.FrameType, aim: Aim) -> None:
        code, target = frame.f_code, aim.target
        if id(frame) in self.open or len(self.calls) >= MAX_CALLS:
            return
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if not target.takes(first):
            return
        if target.cls is not None and frame.f_back is not None and frame.f_back.f_code in target.codes:
            return  # a further step of a construction that is already recorded
        call = self._record(frame.f_back, aim, not code.co_flags & _RESUMABLE)
        call["arguments"] = bound_arguments(frame, target.hides_first)
        watched = Watched(frame, call)
        if target.cls is not None and self.ended:
            last = self.ended[-1]
            if last.frame.f_code.co_name == _NEW and last.site == watched.site:
                self.calls.remove(last.call)  # __new__ and __init__ are one construction: the later one decides
        self.open[id(frame)] = watched

    def _enter_decorator(self, frame: types.FrameType, aim: Aim) -> None:
        code, target = frame.f_code, aim.target
        if id(frame) in self.open or len(self.outer_calls) >= MAX_CALLS or not is_layer(frame, target):
            return
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if target.takes(first):
            call = self._new_call(frame.f_back, aim, not code.co_flags & _RESUMABLE)
            self.outer_calls.append(call)
            self.open[id(frame)] = Watched(frame, call)

    def _record(self, back: types.FrameType | None, aim: Aim, at_call: bool) -> dict[str, Any]:
        """A new call, among those that are seen."""
        call = self._new_call(back, aim, at_call)
        self.calls.append(call)
        return call

    def _new_call(self, back: types.FrameType | None, aim: Aim, at_call: bool) -> dict[str, Any]:
        """A call; `at_call` says that the caller's present instruction is the call itself, not a resumption."""
        caller, at = self._caller(back, aim.target)
        explicit = None
        if caller == "candidate" and at is not None and at_call:
            explicit = aim.explicit(at)
        return {
            "target": aim.target.name, "caller": caller, "completed": False, "explicit": explicit,
            "arguments": {}, "raised": None,
        }  # fmt: skip

    def _caller(self, back: types.FrameType | None, target: Target) -> tuple[str, types.FrameType | None]:
        """The owner of the nearest calling frame that is not plumbing, and that frame."""
        while back is not None:
            code = back.f_code
            if id(code) in self.runs_given:
                return self._giver(back), None
            made_of_text = code.co_filename.startswith("<") and code.co_filename != "<observe>"
            if code not in target.wrappers and not made_of_text and not is_standard_library(code):
                owner = self.owners.of(code)
                stands_for_it = outermost(back, target, self._is_library) if owner == "library" else None
                if stands_for_it is None:
                    handed = owner in _BETWEEN and self._is_handed(back, target)
                    return ("candidate", None) if handed else (owner, back)
                back = stands_for_it
            back = back.f_back
        return self.starters.get(id(_current()), "library"), None

    def _is_handed(self, frame: types.FrameType, target: Target) -> bool:
        """Tell whether the answer called the outermost of these frames, not its own, with the target in its hands."""
        above: types.FrameType | None = frame
        outer = frame
        while above is not None and self.owners.of(above.f_code) in _BETWEEN and not _is_of_text(above.f_code):
            if self._is_given_by_answer(above) and is_held(outer, target, frame):
                return True
            outer, above = above, above.f_back
        if above is None:
            return self.starters.get(id(_current())) == "candidate" and is_held(outer, target, frame)
        return self.owners.of(above.f_code) == "candidate" and is_held(outer, target, frame)

    def _is_library(self, code: types.CodeType) -> bool:
        return self.owners.of(code) == "library"

    def _leave(self, frame: types.FrameType, watched: Watched) -> None:
        """A frame was left: by returning, by an exception, or (coroutines, generators) only for a while."""
        flags = frame.f_code.co_flags
        opcode = frame.f_code.co_code[frame.f_lasti] if frame.f_lasti >= 0 else -1
        if flags & _RESUMABLE and (opcode in _PAUSES or _before_yield_from(frame)):
            # What a generator function gives is the generator: it has kept its word with the first value.
            watched.call["completed"] = watched.call["completed"] or bool(flags & _GENERATORS)
            return
        if opcode in _RETURNS:
            watched.call["completed"] = True
        elif not watched.call["completed"]:
            watched.call["raised"] = "Exception"
        del self.open[id(frame)]
        self.ended = [*self.ended[-20:], watched]

    def _builtin(self, frame: types.FrameType, event: str, aim: Aim) -> None:
        if event == "c_call":
            if len(self.calls) < MAX_CALLS:
                self.open[-id(frame)] = Watched(frame, self._record(frame, aim, True))
            return
        watched = self.open.pop(-id(frame), None)
        if watched is not None:
            watched.call["completed"] = event == "c_return"
            watched.call["raised"] = None if event == "c_return" else "Exception"

    def _name_exception(self, error: BaseException | None) -> None:
        """Name the exception that ended the program, if the target let it out."""
        trace = _traceback(error) if error is not None else None
        while trace is not None:
            for watched in self.ended:
                if watched.frame is trace.tb_frame and watched.call["raised"]:
                    watched.call["raised"] = type_name(type(error)).rpartition(".")[2]
            trace = trace.tb_next


def _nothing() -> None:
    """Do nothing: the interpreter tells of this call, unless it is telling already."""


def _is_of_text(code: types.CodeType) -> bool:
    """Tell whether the code was made from a text without a file."""
    return code.co_filename.startswith("<") and not code.co_filename.startswith(("<observe", "<frozen"))


def _before_yield_from(frame: types.FrameType) -> bool:
    """Up to Python 3.10 a frame that waits stands one instruction before the YIELD_FROM that it will run again."""
    code, following = frame.f_code.co_code, frame.f_lasti + 2
    return _YIELD_FROM is not None and 0 < following < len(code) and code[following] == _YIELD_FROM
