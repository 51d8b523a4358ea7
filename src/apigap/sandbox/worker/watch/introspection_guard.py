"""Notes when a program looks into the machinery around it, where the evidence of its calls is kept.

Whatever runs in one process with the spy can in the end forge what the spy has seen. It cannot do so without
looking: at frames, at the collector's objects, at raw memory. An audit hook, which cannot be taken off again,
tells the host of each such look at the moment it happens. An honest answer that does it is not failed for it,
but a person should see it.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from ..frames import Owners, is_standard_library
from .memory_guard import CTYPES, is_memory, last_part, watch_ctypes
from .signal_guard import watch_handlers
from .standard_library import StandardLibrary
from .thread_guard import watch_threads

_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
_EVENTS: dict[str, tuple[str, ...]] = {
    "sys._getframe": ("_getframe", "currentframe", "getframe", "get_frame"), "object.__getattr__": _FRAMES,
    "sys._current_frames": ("_current_frames",), "sys._current_exceptions": ("_current_exceptions",),
    "sys.settrace": ("settrace",), "sys.setprofile": ("setprofile",), "sys.addaudithook": ("addaudithook",),
    "sys.monitoring.register_callback": ("register_callback",), "gc.get_objects": ("get_objects",),
    "gc.get_referrers": ("get_referrers",), "gc.get_referents": ("get_referents",),
    "open": (), "os.symlink": (), "compile": (), "code.__new__": (), "marshal.loads": (),
    "cpython.PyInterpreterState_New": (), "ctypes.dlopen": (), "ctypes.dlsym": (), "ctypes.dlsym/handle": (),
    "ctypes.cdata": (), "ctypes.cdata/buffer": (), "ctypes.PyObj_FromPtr": (), "ctypes.string_at": (),
    "ctypes.wstring_at": (),
}  # fmt: skip
"""Looks, each with the words by which a library's own code names what it looks at: none, where any library may."""
_PROCESSES = {"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"}
STARTED = "started a process"
_THREAD_HOOKS = {"sys.setprofile": "_profile_hook", "sys.settrace": "_trace_hook"}
_PREFIXES = (sys.prefix + os.sep, sys.base_prefix + os.sep)
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HARMLESS = {
    "namedtuple", "_caller", "findCaller", "NamedTuple", "TypedDict", "NewType", "_create_", "_make_class",
    "print_exc", "format_exc", "print_exception", "format_exception", "format_exception_only", "extract_tb", "print_tb",
    "format_tb", "print_stack", "format_stack", "extract_stack", "_format_coroutine", "_fill_in_docstring",
}  # fmt: skip
"""Functions of the standard library that look at frames and give none of them away."""
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_open, _read, _close, _FLAGS = os.open, os.read, os.close, os.O_RDONLY | os.O_CLOEXEC
_system, _threads = vars(sys), vars(threading)  # a module of another class would run the answer's code when asked
_thread = threading.get_ident
_thread_begins = threading.Thread.__dict__["_bootstrap_inner"].__code__


def guard_introspection(
    owners: Owners, tell: Callable[[str], None], hooks: Callable[[], list[Any]], standard: StandardLibrary
) -> None:
    """From now on `tell` hears, at most once per kind, what the answer's own code looks at, and of a new process.

    `hooks` gives those of the watch itself, which every thread that starts puts in force; `standard` is the standard
    library as it was before the answer.
    """
    told: set[str] = set()
    busy: set[int] = set()
    asking: set[int] = set()
    looks = _Looks(owners, hooks, standard)

    def _is_foreign(thread: int) -> bool:
        """While one event is looked at, nothing but the watch has any business in its thread."""
        try:
            asking.add(thread)
            return not _is_harness(owners, _getframe(2))
        finally:
            asking.discard(thread)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _PROCESSES and STARTED not in told:
            tell(STARTED)
            told.add(STARTED)
        thread = _thread()
        if event not in _EVENTS or event in told:
            return
        if thread in busy:
            if thread not in asking and _is_foreign(thread):
                tell(event)
                told.add(event)
            return
        try:  # an interrupt may come anywhere: what is told is told before that is noted
            busy.add(thread)
            if looks.is_introspection(event, arguments, _caller()):
                tell(event)
                told.add(event)
        finally:
            busy.discard(thread)

    sys.addaudithook(hook)
    watch_handlers(lambda: looks.is_own("signal.signal", _getframe(2)), tell)
    own = next((known for known in hooks() if known is not None), None)
    watch_threads(own, lambda: looks.is_own("_thread", _getframe(2)), tell)
    watch_ctypes(looks.reaches_ctypes, tell)


def _caller() -> types.FrameType | None:
    """The frame that an event comes from; None where C code alone runs in its thread."""
    try:
        return _getframe(2)
    except ValueError:
        return None


class _Looks:
    """Tells the answer's looks from those of libraries and of the standard library."""

    def __init__(self, owners: Owners, hooks: Callable[[], list[Any]], standard: StandardLibrary) -> None:
        self.owners = owners
        self.hooks = hooks
        self.standard = standard

    def is_introspection(self, event: str, arguments: tuple[Any, ...], frame: types.FrameType | None) -> bool:
        """Tell whether an event is a look into the machinery by the answer's own code."""
        owners = self.owners
        if event == "compile":
            return not _is_harness(owners, frame) and _is_disguised(owners, arguments[1], arguments[0])
        if event == "code.__new__":
            return _is_trusted_name(owners, arguments[1]) and self.is_own(event, frame)
        if event == "object.__getattr__" and arguments[1] not in _FRAMES:
            return False
        if event in ("open", "os.symlink"):
            return is_memory(arguments[0]) and not self._is_libraries_own_path(last_part(arguments[0]), frame)
        if event in _THREAD_HOOKS and frame is not None and frame.f_code is _thread_begins:
            hook = _threads[_THREAD_HOOKS[event]]
            return not any(hook is known for known in self.hooks())
        if (
            event == "sys._getframe"
            and arguments
            and self._is_machinery(arguments[0])
            and not self._is_machinery(frame)
        ):
            return True  # a library that looks as deep as the answer tells it to
        return self.is_own(event, frame)

    def _is_machinery(self, frame: types.FrameType | None) -> bool:
        return frame is not None and self.owners.of(frame.f_code) == "harness"

    def _is_libraries_own_path(self, part: str, frame: types.FrameType | None) -> bool:
        """Tell whether libraries alone, one of which writes this part of a path in its code, open it."""
        while frame is not None and self.owners.of(frame.f_code) == "library" and _is_installed(frame.f_code):
            if any(type(const) is str and last_part(const) == part for const in frame.f_code.co_consts):
                return True
            frame = frame.f_back
        return False

    def reaches_ctypes(self, frame: types.FrameType | None) -> bool:
        """Tell whether the answer's code takes something of ctypes, itself or through the standard library.

        Libraries may: those made in C do so without a word in any code that could be read.
        """
        if frame is not None and is_standard_library(frame.f_code) and CTYPES in frame.f_code.co_names:
            return False
        return self.is_own(CTYPES, frame)

    def is_own(self, event: str, frame: types.FrameType | None) -> bool:
        """Tell whether the answer's code looks, itself or through others; what it makes from text is its own.

        A thread in which nothing but the standard library runs was given its work by the answer, and a library whose
        code names neither what it looks at nor the function of the standard library that does was given that by the
        answer.
        """
        first = last = frame
        while frame is not None and is_standard_library(frame.f_code):
            if frame.f_code.co_name in _HARMLESS or _imports_installed(frame):
                return not self.standard.is_whole()
            last, frame = frame, frame.f_back
        if frame is None or first is None or last is None:
            return True
        owner = self.owners.of(frame.f_code)
        if owner != "library":
            return owner == "candidate"
        asks_by_name = last.f_code.co_name in frame.f_code.co_names and _names(first.f_code, event)
        return not _is_installed(frame.f_code) or not (asks_by_name or _names(frame.f_code, event))


def _is_installed(code: types.CodeType) -> bool:
    return code.co_filename.startswith(_PREFIXES) and "/.." not in code.co_filename


def _names(code: types.CodeType, event: str) -> bool:
    """Tell whether code says by its own words what it looks at, or at least in which module it is."""
    words = _EVENTS.get(event)
    return not words or any(word in code.co_names for word in words)


def _is_harness(owners: Owners, frame: types.FrameType | None) -> bool:
    """Tell whether a task's own observation is running: a test in the release's format is a text that it compiles."""
    return frame is not None and owners.of(frame.f_code) == "harness"


def _is_trusted_name(owners: Owners, name: Any) -> bool:
    """Tell whether code of this file name would be taken for somebody else's than the answer's."""
    if type(name) is not str:  # a text of a class of its own says of itself whatever it likes; C code may give no name
        return issubclass(type(name), str)
    return owners.files.get(name) == "context" or name.startswith(("<frozen", "<observe", _HERE, *_PREFIXES))


def _is_disguised(owners: Owners, name: Any, source: Any) -> bool:
    """Tell whether a text is compiled under a name that is not its own: code is told apart by the name of its file."""
    if not _is_trusted_name(owners, name):
        return False
    if type(name) is not str or not name.startswith(_PREFIXES):
        return True
    return name.endswith(".py") and not _is_text_of(name, source)


def _is_text_of(path: str, source: Any) -> bool:
    try:
        descriptor = _open(path, _FLAGS)
    except OSError:
        return False
    try:
        data = b""
        while part := _read(descriptor, 1 << 20):
            data += part
    finally:
        _close(descriptor)
    if type(source) is str:
        return data.decode("utf-8", "replace").splitlines() == source.splitlines()
    return source is None or (type(source) is bytes and source == data)


def _imports_installed(frame: types.FrameType) -> bool:
    """Tell whether the import system is loading a module that is installed: what its code does is its own affair."""
    if not frame.f_code.co_filename.startswith("<frozen importlib"):
        return False
    if frame.f_code.co_name == "exec_module":
        return True  # the frames below it, down to the look, are all of the standard library
    path = frame.f_locals.get("bytecode_path") or frame.f_locals.get("path")
    return type(path) is str and path.startswith(_PREFIXES) and "/.." not in path
