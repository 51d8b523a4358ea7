"""Functions of an older release that have the name of a new one, elsewhere: what they do is not new."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.distribution import modules_of
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse
from apigap.sandbox.environment import Environment

_LEAST = 4
"""So many letters of a parameter's name or type tell the class that it is of."""


class _Former(NamedTuple):
    """A function by its module, or a method by its module and the name of its class."""

    module: str
    owner: str


def former_place(candidate: Candidate, old: Environment) -> str | None:
    """The public module of the older release that defines a function of the name of a new function, or such a method.

    A function that took the place of a method (`shapely.simplify`, `geometry.simplify`) asks for nothing new: its first
    parameter is named or typed after the method's class, whose methods of the name any other class's do not replace.
    Of new methods nothing is said: what other classes have under that name is another thing.
    """
    if candidate.change != "added" or candidate.kind != "function":
        return None
    found = _defined(old.library, old.site_packages).get(candidate.leaf, ())
    return next((one.module for one in found if not one.owner or _is_of(candidate, one.owner)), None)


def _is_of(candidate: Candidate, owner: str) -> bool:
    """Check that the first parameter is of a class of that name, by its own name or its type."""
    first = next(iter(candidate.parameters), None)
    told = f"{first.name} {first.annotation or ''}".lower().replace("_", " ").split() if first else []
    return any(len(word) >= _LEAST and (word in owner.lower() or owner.lower() in word) for word in told)


@lru_cache(maxsize=4)
def _defined(library: str, site_packages: Path) -> dict[str, tuple[_Former, ...]]:
    """The functions of public modules and the methods of their public classes, by name."""
    found: dict[str, tuple[_Former, ...]] = {}
    for module in modules_of(library, site_packages).public:
        for name, owner in _functions(module, site_packages):
            found[name] = (*found.get(name, ()), _Former(module, owner))
    return found


def _functions(module: str, site_packages: Path) -> Iterator[tuple[str, str]]:
    """(name, class) of what the module defines at its top, and of the methods of its public classes."""
    folder = site_packages.joinpath(*module.split("."))
    for path in (folder.with_suffix(".py"), folder / "__init__.py"):
        if path.is_file():
            try:
                body = parse(path.read_text(encoding="utf-8", errors="replace")).body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            yield from ((node.name, "") for node in _own(body))
            for node in body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield from ((method.name, node.name) for method in _own(node.body))


def _own(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and not n.name.startswith("_"))
