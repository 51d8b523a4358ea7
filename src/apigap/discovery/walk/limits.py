"""A time limit for each call into the library's code."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any, NoReturn

IMPORT_SECONDS = 60


class Slow(BaseException):
    """The library's code took longer than it may."""


def limited(seconds: int, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call, but for no longer than `seconds`.

    Raises:
        Slow: when it took longer; whatever the function raises otherwise.
    """

    def late(*_: object) -> NoReturn:
        raise Slow(f"took more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        return function(*arguments)
    finally:
        signal.alarm(0)
