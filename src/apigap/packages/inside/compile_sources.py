"""Compiles source files, inside the sandbox; they are read and not run.

Needs the standard library alone: it is run by a bare interpreter.
"""

from __future__ import annotations

import base64
import marshal
import os
import resource
import stat
import warnings
from importlib.machinery import SourceFileLoader
from typing import Any


def main(argument: dict[str, Any]) -> list[str | None]:
    """The marshalled code of each of `paths`, in base64; None of what cannot be compiled."""
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (argument["memory"], argument["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (argument["seconds"], argument["seconds"]))
    return [_compiled(path) for path in argument["paths"]]


def _compiled(path: str) -> str | None:
    try:
        code = SourceFileLoader("_", path).source_to_code(_read(path), path)
    except Exception:  # noqa: BLE001  (no sources of this Python, or made to break parsers)
        return None
    return base64.b64encode(marshal.dumps(code)).decode("ascii")


def _read(path: str) -> bytes:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a regular file")
        return file.read()
