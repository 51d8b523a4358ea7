"""Exceptions as data: whose frames they passed through, and which name was missing."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import os
import re
import types
from typing import Any

from .own_words import in_own_words
from .values.names import type_module, type_mro, type_name

MAX_FRAMES = 60
MAX_MESSAGE = 4_000
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CANNOT_IMPORT = re.compile(r"cannot import name '([^']+)'")
_type = type


class Owners:
    """Tells whose code a frame is: the completion's file is the candidate's, the context's file the context's."""

    def __init__(self, context: str, completion: str) -> None:
        self.files = {context: "context", completion: "candidate"}

    def of(self, code: types.CodeType) -> str:
        """`candidate`, `context`, `harness` or `library`."""
        name = code.co_filename
        known = self.files.get(name)
        if known is not None:
            return known
        return "harness" if name.startswith(_HERE) or name == "<observe>" else "library"

    def exception(self, error: BaseException) -> dict[str, Any]:
        """An `ExceptionRecord` as a dictionary; the program's own `__str__` cannot break it."""
        cls = _type(error)
        name, owner = _missing(error)
        return {
            "type": type_name(cls).rpartition(".")[2],
            "module": type_module(cls),
            "bases": [base.__name__ for base in type_mro(cls)[1:-1]],
            "message": _message(error),
            "name": name,
            "owner_type": owner,
            "own_words": in_own_words(error),
            "frames": self._frames(error),
        }

    def _frames(self, error: BaseException) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = []
        trace = _traceback(error)
        if isinstance(error, SyntaxError) and error.filename in self.files:
            owner = self.files[error.filename]
            frames.append({"owner": owner, "module": "__main__", "function": "<module>", "line": error.lineno or 0})
        while trace is not None:
            code = trace.tb_frame.f_code
            module = trace.tb_frame.f_globals.get("__name__")
            owner = self.of(code)
            if owner != "harness":
                frames.append(
                    {
                        "owner": owner,
                        "module": module if _type(module) is str else None,
                        "function": code.co_name,
                        "line": trace.tb_lineno or 0,
                    }
                )
            trace = trace.tb_next
        if len(frames) > MAX_FRAMES:
            frames = frames[: MAX_FRAMES // 2] + frames[-MAX_FRAMES // 2 :]
        return frames


_traceback = BaseException.__dict__["__traceback__"].__get__
_args = BaseException.__dict__["args"].__get__


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException as broken:
        text = f"<its __str__ raised {type_name(_type(broken))}>"
    return str.__str__(text)[:MAX_MESSAGE]


def _missing(error: BaseException) -> tuple[str | None, str | None]:
    """The missing name, and the type (for a module its name) that does not have it."""
    name: Any = None
    owner: str | None = None
    try:
        if isinstance(error, ImportError):
            found = _CANNOT_IMPORT.search(_message(error))
            name, owner = (found.group(1), error.name) if found else (error.name, None)
        elif isinstance(error, AttributeError):
            name = getattr(error, "name", None)
            owner = _owner(getattr(error, "obj", None)) if name is not None else None
        elif isinstance(error, NameError):
            name = getattr(error, "name", None)
        elif isinstance(error, KeyError):
            name = _args(error)[0]
    except Exception:
        name = None
    plain = name if _type(name) is str else None
    return plain, owner if _type(owner) is str else None


def _owner(value: Any) -> str:
    if _type(value) is types.ModuleType:
        return str(types.ModuleType.__getattribute__(value, "__dict__").get("__name__"))
    cls = _type(value)
    return type_name(value) if any(base is _type for base in type_mro(cls)) else type_name(cls)


def is_standard_library(code: types.CodeType) -> bool:
    """Tell whether a frame is plumbing of the standard library (asyncio, functools, threading, typing...)."""
    name = code.co_filename
    return name.startswith(("<frozen", _STANDARD)) and "site-packages" not in name


_STANDARD = os.path.dirname(os.__file__) + os.sep
