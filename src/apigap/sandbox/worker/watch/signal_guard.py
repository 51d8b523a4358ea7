"""Notes when an answer has its own code called for a signal: such a handler is given the frame that was interrupted.

No audit event tells of it, so the one function that sets handlers is replaced by another that tells and does the same.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import _imp
import functools
import signal
import sys
import types
from collections.abc import Callable
from typing import Any

from ..frames import is_standard_library
from .opaque_call import opaque

_HARMLESS = {"_on_sigint", "_sighandler_noop"}
"""Handlers of asyncio, which look at no frame."""


def watch_handlers(looks: Callable[[], bool], tell: Callable[[str], None]) -> None:
    """From now on `tell` hears of a handler that is set while `looks()` says that the answer's own code sets it."""
    module: Any = sys.modules["_signal"]
    system: Any = _imp
    original, create = module.signal, system.create_builtin

    def set_handler(number: Any, handler: Any) -> Any:
        if not _gives_no_frame_away(handler) and looks():
            tell("signal.signal")
        return original(number, handler)

    def create_builtin(spec: Any) -> Any:
        if spec.name in ("_signal", "_imp", "_thread"):  # a second copy of the module has the function as it was
            tell(f"a second {spec.name}")
        return create(spec)

    module.signal = opaque(set_handler)
    system.create_builtin = opaque(create_builtin)


def _gives_no_frame_away(handler: Any) -> bool:
    """Tell whether a handler is a setting of the system's, or known not to look at the frame that it is given."""
    if issubclass(type(handler), int) or handler is None or handler is signal.default_int_handler:
        return True
    if type(handler) is functools.partial:
        handler = handler.func
    if type(handler) is types.MethodType:
        handler = handler.__func__
    if type(handler) is not types.FunctionType:
        return False
    code = handler.__code__
    return code.co_name in _HARMLESS and is_standard_library(code)
