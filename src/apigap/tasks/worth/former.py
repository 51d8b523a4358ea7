"""Functions of an older release that have the name of a new one, elsewhere: what they do is not new."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from apigap.discovery.distribution import modules_of
from apigap.records.candidate import Candidate
from apigap.sandbox.environment import Environment

_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+([A-Za-z]\w*)[ \t]*\(", re.M)


def former_place(candidate: Candidate, old: Environment) -> str | None:
    """The public module of the older release that defines a function or method of the name of a new function.

    A function that took the place of a method (`shapely.simplify`, `geometry.simplify`) asks for nothing new. Of new
    methods nothing is said: what other classes have under that name is another thing.
    """
    if candidate.change != "added" or candidate.kind != "function":
        return None
    return _defined(old.library, old.site_packages).get(candidate.leaf)


@lru_cache(maxsize=4)
def _defined(library: str, site_packages: Path) -> dict[str, str]:
    """The names of functions and methods in public modules, each with the first module that defines it."""
    found: dict[str, str] = {}
    for module in modules_of(library, site_packages).public:
        for name in _functions(module, site_packages):
            found.setdefault(name, module)
    return found


def _functions(module: str, site_packages: Path) -> Iterator[str]:
    folder = site_packages.joinpath(*module.split("."))
    for path in (folder.with_suffix(".py"), folder / "__init__.py"):
        if path.is_file():
            yield from _DEFINITION.findall(path.read_text(encoding="utf-8", errors="replace"))
