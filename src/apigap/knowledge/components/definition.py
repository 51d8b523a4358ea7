"""The definition of a candidate in its release: in source, or, for compiled code, in a stub."""

import ast
from collections.abc import Iterator

from apigap.knowledge.components.sources import Located, Sources
from apigap.records.candidate import DATA_KINDS, Candidate

MEMBERS = frozenset(("method", "classmethod", "staticmethod", "property", *DATA_KINDS))


def definition_of(candidate: Candidate, sources: Sources) -> Located | None:
    """The definition of `candidate`, of a field or an enum member that of its class; None where only a binary has it.

    Source comes before stubs, the module that holds the code before the one that callers import.
    """
    for stub in (False, True):
        for module, path in _places(candidate):
            found = sources.find(module, path, stub)
            if found is not None:
                return found
    return None


def _places(candidate: Candidate) -> Iterator[tuple[str, tuple[str, ...]]]:
    public = candidate.api_name.removeprefix(f"{candidate.import_module}.").split(".")
    names = candidate.api_name.split(".")
    if candidate.kind in DATA_KINDS:
        public, names = public[:-1], names[:-1]
    least = 2 if candidate.kind in MEMBERS - DATA_KINDS else 1
    if candidate.defined_in:
        yield candidate.defined_in, tuple(names[-least:])
        if len(public) > least:
            yield candidate.defined_in, tuple(public)
    yield candidate.import_module, tuple(public)


def docstring_of(candidate: Candidate, sources: Sources) -> str:
    """The docstring of `candidate`; of a method that has none, that of the method it stands for in a base class."""
    if candidate.docstring and candidate.docstring.strip():
        return candidate.docstring
    found = definition_of(candidate, sources) if candidate.kind in MEMBERS - DATA_KINDS else None
    name = candidate.leaf
    return next((text for one in _own_and_inherited(found, name, sources) if (text := _docstring(one.node))), "")


def _own_and_inherited(located: Located | None, name: str, sources: Sources, far: int = 6) -> Iterator[Located]:
    if located is None or far == 0:
        return
    yield located
    for base in sources.bases(located.module, located.owner) if located.owner else ():
        inherited = sources.member(base, name)
        yield from _own_and_inherited(inherited, name, sources, far - 1)


def _docstring(node: ast.stmt) -> str | None:
    return ast.get_docstring(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else None
