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
import types
from collections.abc import Callable
from typing import Any

from ..frames import Owners, is_standard_library

_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
_EVENTS = {
    "sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile",
    "sys.addaudithook", "sys.monitoring.register_callback", "gc.get_objects", "gc.get_referrers", "gc.get_referents",
    "object.__getattr__", "open", "compile", "code.__new__", "marshal.loads", "cpython.PyInterpreterState_New",
    "ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.cdata", "ctypes.cdata/buffer",
    "ctypes.PyObj_FromPtr", "ctypes.string_at", "ctypes.wstring_at",
}  # fmt: skip
_PROCESSES = {"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"}
STARTED = "started a process"
_MEMORY = ("/mem", "/fd", "/maps")
_PREFIXES = (sys.prefix + os.sep, sys.base_prefix + os.sep)
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HARMLESS = {
    "namedtuple", "_caller", "findCaller", "NamedTuple", "TypedDict", "NewType", "_create_", "_make_class",
    "print_exc", "format_exc", "print_exception", "format_exception", "format_exception_only", "extract_tb", "print_tb",
    "format_tb", "print_stack", "format_stack", "extract_stack", "_format_coroutine", "_fill_in_docstring",
}  # fmt: skip
"""Functions of the standard library that look at frames and give none of them away."""
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_read = os.read


def guard_introspection(owners: Owners, tell: Callable[[str], None]) -> None:
    """From now on `tell` hears, at most once per kind, what the answer's own code looks at, and of a new process."""
    told: set[str] = set()
    busy: list[bool] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _PROCESSES and STARTED not in told:
            told.add(STARTED)
            tell(STARTED)
        if event not in _EVENTS or busy or event in told:
            return
        busy.append(True)
        try:
            if _is_introspection(owners, event, arguments, _getframe(1)):
                told.add(event)
                tell(event)
        finally:
            busy.pop()

    sys.addaudithook(hook)


def _is_introspection(owners: Owners, event: str, arguments: tuple[Any, ...], frame: types.FrameType | None) -> bool:
    if event == "compile":
        return not _is_harness(owners, frame) and _is_disguised(owners, arguments[1], arguments[0])
    if event == "code.__new__":
        return _is_trusted_name(owners, arguments[1]) and _is_own(owners, frame)
    if event == "object.__getattr__" and arguments[1] not in _FRAMES:
        return False
    if event == "open" and not _is_memory(arguments[0]):
        return False
    return _is_own(owners, frame)


def _is_memory(given: Any) -> bool:
    """Whether a path leads to a process's memory or descriptors, by whatever way it is written."""
    path: Any = os.fspath(given) if hasattr(type(given), "__fspath__") else given
    if type(path) is bytes:
        path = path.decode("utf-8", "surrogateescape")
    if type(path) is not str:
        return False
    real = os.path.abspath(path) if not os.path.islink(path) else os.path.realpath(path)
    return real.startswith("/proc/") and real.endswith(_MEMORY)


def _is_harness(owners: Owners, frame: types.FrameType | None) -> bool:
    """Whether a task's own observation is running: a test in the release's format is a text that it compiles."""
    return frame is not None and owners.of(frame.f_code) == "harness"


def _is_trusted_name(owners: Owners, name: Any) -> bool:
    """Whether code of this file name would be taken for somebody else's than the answer's."""
    if type(name) is not str:
        return False
    return owners.files.get(name) == "context" or name.startswith(("<frozen", "<observe", _HERE, *_PREFIXES))


def _is_disguised(owners: Owners, name: Any, source: Any) -> bool:
    """Whether a text is compiled under a name that is not its own: code is told apart by the name of its file."""
    if not _is_trusted_name(owners, name):
        return False
    if not name.startswith(_PREFIXES):
        return True
    return name.endswith(".py") and not _is_text_of(name, source)


def _is_text_of(path: str, source: Any) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        data = b""
        while part := _read(descriptor, 1 << 20):
            data += part
    finally:
        os.close(descriptor)
    if type(source) is str:
        return data.decode("utf-8", "replace").splitlines() == source.splitlines()
    return source is None or (type(source) is bytes and source == data)


def _is_own(owners: Owners, frame: types.FrameType | None) -> bool:
    """Whether the answer's code looks, itself or through the standard library; what it makes from text is its own."""
    while frame is not None and is_standard_library(frame.f_code):
        if frame.f_code.co_name in _HARMLESS or _imports_installed(frame):
            return False
        frame = frame.f_back
    if frame is None:
        return False
    owner = owners.of(frame.f_code)
    name = frame.f_code.co_filename
    return owner == "candidate" or (owner == "library" and (not name.startswith(_PREFIXES) or "/.." in name))


def _imports_installed(frame: types.FrameType) -> bool:
    """Whether the import system is loading a module that is installed: what its code does is its own affair."""
    if not frame.f_code.co_filename.startswith("<frozen importlib"):
        return False
    if frame.f_code.co_name == "exec_module":
        return True  # the frames below it, down to the look, are all of the standard library
    path = frame.f_locals.get("bytecode_path") or frame.f_locals.get("path")
    return type(path) is str and path.startswith(_PREFIXES) and "/.." not in path
