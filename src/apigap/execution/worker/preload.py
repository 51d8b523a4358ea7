"""Load what programs will need, before the fork: modules, and names that a module only loads when asked for."""

import importlib
import sys


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
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random")  # numpy loads it when it is first asked for: here by every child's seed
