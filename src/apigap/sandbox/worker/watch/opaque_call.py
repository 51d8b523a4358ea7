"""Callables that the program may come to hold, with nothing to be seen of what is behind them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_TEXT = """
def make(call):
    def {name}({self}*args, **kwargs):
        return call({self}*args, **kwargs)
    return {name}
"""


def opaque(function: Callable[..., Any]) -> Any:
    """A callable made in C that calls `function`: it has no closure, no globals and no code to look at."""
    wrapped = functools.lru_cache(maxsize=0)(function)  # of such callables the cheapest: it keeps nothing
    vars(wrapped).clear()
    return wrapped


def forwarding(function: Callable[..., Any], name: str = "stub", is_method: bool = False) -> Any:
    """A plain Python function, which binds like one, around an opaque call of `function`; its globals are empty."""
    space: dict[str, Any] = {"__builtins__": {}}
    exec(_TEXT.format(name=name, self="self, " if is_method else ""), space)  # the text is made here
    return space.pop("make")(opaque(function))
