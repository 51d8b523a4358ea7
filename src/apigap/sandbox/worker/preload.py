"""Load what programs will need, before the fork: modules, and names that a module only loads when asked for."""

from __future__ import annotations

import contextlib
import importlib
import sys

_ON_FIRST_USE = {"numpy": ("numpy.random", ""), "pydantic": ("pydantic.plugin._loader", "get_plugins")}
"""Work of a library at its first use, at some cost: done here once instead of in every child. numpy loads its
generators (each child seeds them); pydantic reads the metadata of all installed distributions for plugins."""


def preload(name: str) -> None:
    """Import the longest module that begins `name` and look the rest up in it.

    A rest that is not there (another version of the library) is no error; a top-level module that cannot be
    imported is. Packages that load their parts on first access (`pydantic`) are only warm after such a look-up.
    """
    parts = name.split(".")
    module = importlib.import_module(parts[0])
    rest = parts[1:]
    while rest:
        try:
            module = importlib.import_module(module.__name__ + "." + rest[0])
        except ImportError:
            break
        rest = rest[1:]
    found: object = module
    for part in rest:
        found = getattr(found, part, None)
    for library, (part, function) in _ON_FIRST_USE.items():
        if library in sys.modules:
            with contextlib.suppress(Exception):  # other versions have other parts
                getattr(importlib.import_module(part), function, lambda: None)()
