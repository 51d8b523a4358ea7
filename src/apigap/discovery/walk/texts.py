"""Values of a library as text that is the same on every machine and in every run."""

# Whatever a library raises is a fact about it, so everything is caught; there are no files here to handle.
# ruff: noqa: BLE001, PTH109, PTH111
from __future__ import annotations

import enum
import functools
import inspect
import os
import re
import sys
from collections.abc import Callable
from typing import Any

MAX_TEXT = 20_000
MAX_DEFAULT = 300
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def annotation_of(annotation: Any) -> str | None:
    """An annotation as text."""
    if annotation is inspect.Signature.empty:
        return None
    if isinstance(annotation, str):
        return clean(annotation)
    try:
        forward = getattr(annotation, "__forward_arg__", None)
        return clean(forward if isinstance(forward, str) else inspect.formatannotation(annotation))
    except BaseException:
        return None


def default_of(default: Any) -> str:
    """A default as text; in angle brackets where it is no value but a sign that none was given."""
    if isinstance(default, enum.Enum):
        kind = type(default).__name__
        return f"<{default.name}>" if kind.startswith("_") else f"{kind}.{default.name}"
    if isinstance(default, type) or inspect.isroutine(default):
        module, name = getattr(default, "__module__", None), getattr(default, "__qualname__", None)
        return clean(f"{module}.{name}" if module and module != "builtins" else str(name))
    if type(default) in (set, frozenset):
        return "{" + ", ".join(sorted(default_of(item) for item in default)) + "}"
    return clean(text_of(default, MAX_DEFAULT, repr))


def clean(text: str) -> str:
    """Without addresses and the folders of this machine."""
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    if "/" in text or "\\" in text:
        for folder in _folders(os.getcwd()):
            text = text.replace(folder, "<folder>")
    return text


@functools.cache
def _folders(here: str) -> list[str]:
    """The longest first."""
    found = {sys.prefix, sys.base_prefix, here, os.path.expanduser("~")}
    return sorted((folder for folder in found if len(folder) > 1), key=len, reverse=True)


def text_of(value: Any, length: int, how: Callable[[Any], str] = str) -> str:
    """`how(value)`, cut; never an error."""
    try:
        text = how(value)
        return text if len(text) <= length else text[:length] + "..."
    except BaseException:
        return f"<{type(value).__name__}>"


def text_or_none(value: Any) -> str | None:
    """A string as it is, anything else as None."""
    return value if isinstance(value, str) else None
