"""Runs in the sandbox, where apigap is not installed: the code of a session so far, silently, and then one more piece.

The session is replayed, so nothing is kept between two runs but its texts: whatever ended one has no say in the next.
"""

import ast
import contextlib
import io
import linecache
import os
import sys
import traceback
import types
from collections.abc import Generator
from typing import Any

_MOST = 3_600
"""Bytes of output that are told: the sandbox keeps no more than four thousand."""
_TAIL = 900


def play(context: str, before: list[str], code: str) -> None:
    """Run `context` and the pieces `before` without a word, then `code`; what it raises is told and raised again."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    names: dict[str, Any] = module.__dict__
    with _silence():
        _run(context, "<context>", names, show=False)
        for number, piece in enumerate(before, 1):
            with contextlib.suppress(BaseException):
                _run(piece, f"<run {number}>", names, show=False)
    spoken = _listener()
    failure: BaseException | None = None
    with contextlib.redirect_stdout(spoken), contextlib.redirect_stderr(spoken):
        try:
            _run(code, f"<run {len(before) + 1}>", names, show=True)
        except BaseException as error:  # noqa: BLE001  raised again below
            failure = error
    if failure is not None:
        spoken.write(_told(failure))
    sys.stdout.write(_bounded(spoken.buffer.getvalue()))
    sys.stdout.flush()
    if failure is not None:
        raise failure


def _run(text: str, name: str, names: dict[str, Any], show: bool) -> None:
    """Run a text; with `show` the value of a last expression is printed, as a prompt does it."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    tree = ast.parse(text, name)  # noqa: TID251  in the sandbox, which has no other and no second thread
    last = tree.body.pop() if show and tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)  # noqa: S102  what the sandbox is for
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307  what the sandbox is for
        if value is not None:
            print(repr(value))


def _told(failure: BaseException) -> str:
    """The traceback from the session's own code on."""
    trace = failure.__traceback__
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith(("<run", "<context")):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(failure), failure, trace))


def _listener() -> Any:
    """A stream in the place of the standard ones, to which bytes can be written as well."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n", write_through=True)


def _bounded(data: bytes) -> str:
    """As much as is told of a long text: its beginning and its end."""
    if len(data) <= _MOST:
        return data.decode("utf-8", "replace")
    head, tail = data[: _MOST - _TAIL], data[-_TAIL:]
    left_out = len(data) - len(head) - len(tail)
    return f"{head.decode('utf-8', 'ignore')}\n... ({left_out:,} bytes left out) ...\n{tail.decode('utf-8', 'ignore')}"


@contextlib.contextmanager
def _silence() -> Generator[None]:
    """Let nothing be printed, by Python or by what it calls."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [(number, os.dup(number)) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number, _ in kept:
            os.dup2(nowhere, number)
        with contextlib.redirect_stdout(_listener()), contextlib.redirect_stderr(_listener()):
            yield
    finally:
        os.close(nowhere)
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)
