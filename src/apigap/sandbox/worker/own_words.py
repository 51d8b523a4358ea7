"""Errors that a library tells in words of its own, apart from those of the system that it runs on.

`OSError` is both: the kernel's word that there is no descriptor, process or disk space left, and what libraries raise
when a file is not in some archive or a host is not to be reached. What the machine lacks has an error number, or comes
out of a call into C, or lies behind the error that is seen.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import opcode
from typing import Any

_RAISE = opcode.opmap["RAISE_VARARGS"]
_LONGEST = 50
_base = vars(BaseException)
_traceback = _base["__traceback__"].__get__
_behind = _base["__cause__"].__get__, _base["__context__"].__get__
_number = vars(OSError)["errno"].__get__
_type, _os_error, _wants = type, OSError, (OSError, MemoryError, BlockingIOError)


def in_own_words(error: BaseException) -> bool:
    """Tell whether an `OSError` was raised by a statement of Python code, and nothing of the system is behind it."""
    if _type(error) is not _os_error:
        return False
    chain: list[Any] = [error]
    for one in chain:  # grows while it is gone through
        cls = _type(one)  # compared by identity: a class of the answer's may have an __eq__ of its own
        if len(chain) > _LONGEST or (any(cls is want for want in _wants) and not _is_said(one)):
            return False
        chain += [
            other for read in _behind if (other := read(one)) is not None and all(other is not old for old in chain)
        ]
    return True


def _is_said(error: BaseException) -> bool:
    """Tell whether an error of the system's kind has no number and was raised by a statement."""
    trace = _traceback(error)
    if _type(error) is not _os_error or _number(error) is not None or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    steps = trace.tb_frame.f_code.co_code
    return 0 <= trace.tb_lasti < len(steps) and steps[trace.tb_lasti] == _RAISE
