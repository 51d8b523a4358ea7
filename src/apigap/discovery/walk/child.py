"""The walk in a forked child, because importing a library may end its interpreter, or never end itself.

The module that did so is then left out, with the reason, and the walk starts again.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import warnings
from typing import Any, NoReturn

from .limits import IMPORT_SECONDS
from .texts import text_of
from .walk import Walk

MAX_DEATHS = 20
_TICK = 0.5


def main(argument: dict[str, Any]) -> dict[str, Any]:
    """The surface of argument["modules"]; "seconds" is how long one import may take, "prepare" Python to run first.

    Raises:
        RuntimeError: when the walk ends outside of any import, or more than MAX_DEATHS modules end it.
    """
    tops = argument["tops"]
    seconds = argument.get("seconds", IMPORT_SECONDS)
    skipped: dict[str, str] = {}
    while True:
        lines, end = _in_child(argument, skipped, seconds)
        if lines and lines[-1][:1] == b"{":
            return json.loads(lines[-1])
        positions = [line[1:].decode("ascii", "replace") for line in lines if line[:1] == b"@"]
        current = positions[-1] if positions else ""
        if lines and lines[-1][:1] == b"!":
            end = f"looking at it fails with {lines[-1][1:].decode('ascii', 'replace')}"
        if not current or current in skipped or len(skipped) >= MAX_DEATHS:
            raise RuntimeError(f"the walk of {tops} ended early at {current or 'its start'}: {end}")
        skipped[current] = end


def _in_child(argument: dict[str, Any], skipped: dict[str, str], seconds: int) -> tuple[list[bytes], str]:
    """(complete lines, how the child ended): the modules as they came, and last the result, where there is one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _child(argument, skipped, seconds, writer)
    os.close(writer)
    try:
        lines, status = _lines(reader, child, 2 * seconds)
    finally:
        os.close(reader)
    if status is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return lines, f"importing it does not end: stopped after {seconds} s"
    code = os.waitstatus_to_exitcode(status)
    return lines, f"importing it ends the interpreter ({f'signal {-code}' if code < 0 else f'exit status {code}'})"


def _lines(reader: int, child: int, patience: float) -> tuple[list[bytes], int | None]:
    """The complete lines until the child's end, and its status; None where it said nothing for `patience` seconds.

    The end of the pipe is not waited for: processes that the library started may hold it.
    """
    data = bytearray()
    silent = 0.0
    status: int | None = None
    while status is None and silent < patience:
        if select.select([reader], [], [], _TICK)[0]:
            part = os.read(reader, 1 << 20)
            data += part
            silent = 0.0
            if part:
                continue
            status = os.waitpid(child, 0)[1]
        else:
            silent += _TICK
            ended, found = os.waitpid(child, os.WNOHANG)
            status = found if ended else None
    return bytes(data).split(b"\n")[:-1], status


def _child(argument: dict[str, Any], skipped: dict[str, str], seconds: int, writer: int) -> NoReturn:
    tops: list[str] = argument["tops"]
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.closerange(3, writer)  # no other way out than the pipe
    os.closerange(writer + 1, 1024)
    code = 70
    try:
        sys.argv = [tops[0] if tops else "walk"]
        sys.setrecursionlimit(5000)
        warnings.simplefilter("ignore")
        exec(argument.get("prepare", ""), {"__name__": "prepare"})  # noqa: S102  the user's own, in the sandbox
        walk = Walk(tops, seconds, lambda name: os.write(writer, f"@{name}\n".encode()))
        result = json.dumps(walk.run(argument["modules"], skipped))
        with os.fdopen(writer, "w", encoding="ascii", closefd=False) as out:
            out.write(result + "\n")
        code = 0
    except BaseException as error:  # noqa: BLE001  (the library's doing: the module is left out with this reason)
        reason = text_of(error, 200, lambda it: f"{type(it).__name__}: {str(it)!a}")
        os.write(writer, f"!{reason}\n".encode("ascii", "replace"))
    finally:
        os._exit(code)  # threads that the library started must not hold the walk
