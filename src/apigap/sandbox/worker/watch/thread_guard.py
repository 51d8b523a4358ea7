"""Notes when an answer begins a thread in which nobody watches: what runs there leaves no trace of what it tries.

A thread of the standard library's class puts the watch in force before any of the answer's code runs in it. One that is
begun in another way, or by methods and names of `threading` that were replaced, may not. Before Python 3.12 no audit
event tells of it, so the functions that begin threads are replaced by others that tell and do the same. A hook that
raises, as at the limit of recursion, is taken off by the interpreter: whether it is still there is looked at when a
thread ends.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from ..values.names import instance_dict, type_mro, type_namespace
from .opaque_call import forwarding, opaque

_Methods = dict[str, tuple[Any, types.CodeType]]
_space = vars(threading)
_class = threading.Thread
_bootstrap = vars(_class)["_bootstrap"]
_get = sys.getprofile
_NAMES = ("_active", "_limbo", "_active_limbo_lock", "_sys")


def watch_threads(hook: Any, looks: Callable[[], bool], tell: Callable[[str], None]) -> None:
    """From now on `tell` hears of a thread that may begin without `hook`, while `looks()` says that the answer's own
    code begins it."""
    names = {name: _space[name] for name in _NAMES}  # a fork has made some of them anew
    begun: set[int] = set()
    if hook is not None:
        _look_at_the_end(hook, begun, tell)
    methods = _private_methods()

    def watched(original: Any) -> Any:
        def start(function: Any, *args: Any, **kwargs: Any) -> Any:
            if _is_unwatched(function, methods, {**names, "_profile_hook": hook}) and looks():
                tell("a thread that nobody watches")
            if type(function) is types.MethodType:
                begun.add(id(function.__self__))
            return original(function, *args, **kwargs)

        return opaque(start)

    for module in (sys.modules["_thread"], threading):
        for name in [name for name in vars(module) if name.lstrip("_").startswith("start_")]:
            setattr(module, name, watched(getattr(module, name)))


def _look_at_the_end(hook: Any, begun: set[int], tell: Callable[[str], None]) -> None:
    """Have each thread of those `begun` that ends without `hook` told."""
    original = vars(_class)["_delete"]

    def ends(thread: Any) -> None:
        if id(thread) in begun and _get() is not hook:
            tell("a thread in which the watch was taken off")
        original(thread)

    setattr(_class, "_delete", forwarding(ends, "_delete", is_method=True))  # noqa: B010  (a private name)


def _private_methods() -> _Methods:
    return {
        name: (held, held.__code__)
        for name, held in vars(_class).items()
        if type(held) is types.FunctionType and name.startswith("_") and not name.startswith("__")
    }


def _is_unwatched(begins: Any, methods: _Methods, names: dict[str, Any]) -> bool:
    """Tell whether a thread that `begins` with this call may come to the answer's code before the hook is in force.

    `methods` of the class and `names` of `threading`, with the hook, decide on it.
    """
    if type(begins) is not types.MethodType or begins.__func__ is not _bootstrap:
        return True
    thread = begins.__self__
    classes = [type_namespace(cls) for cls in type_mro(type(thread)) if cls is not _class]
    if any(name in space for space in (instance_dict(thread) or {}, *classes) for name in methods):
        return True
    held = type_namespace(_class)
    if any(held.get(name) is not now or now.__code__ is not code for name, (now, code) in methods.items()):
        return True
    return any(_space.get(name) is not now for name, now in names.items())
