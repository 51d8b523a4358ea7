"""Constructions of objects in a release's own examples: calls of a class that need nothing but imports."""

import ast
import itertools
from collections.abc import Iterator, Sequence

from apigap.knowledge.usages.imports import single_imports
from apigap.knowledge.usages.names import free_names
from apigap.knowledge.usages.usage import Usage, bindings
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

_MOST = 3
_USAGES = 80
_CHARACTERS = 160


class ConstructionExamples:
    """Calls by the called name, from the first usages of a release that write them; looked up when first needed."""

    def __init__(self, pool: Sequence[Usage]) -> None:
        self._pool = pool
        self._known: dict[str, list[tuple[str, tuple[str, ...]]]] = {}

    def calls_of(self, leaf: str) -> list[tuple[str, tuple[str, ...]]]:
        """At most three calls of `leaf` with the imports that they need, the shortest ones first."""
        if leaf not in self._known:
            naming = (usage for usage in self._pool if f"{leaf}(" in usage.code)
            found = dict(call for usage in itertools.islice(naming, _USAGES) for call in _calls(usage, leaf))
            self._known[leaf] = sorted(found.items(), key=lambda entry: (len(entry[0]), entry[0]))[:_MOST]
        return self._known[leaf]


def _calls(usage: Usage, leaf: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    imports = {name: line for code in usage.prelude for name, line in single_imports(code)}
    steps = (step.code or step.expression or "" for step in usage.steps)
    for code in (*usage.prelude, *bindings(usage.inputs), *steps):
        for node in ast.walk(parse(code)):
            if isinstance(node, ast.Call) and last_name(node.func) == leaf and not _placeholder(node):
                text = ast.unparse(node)
                needed = free_names([ast.Expr(node)])
                if len(text) <= _CHARACTERS and needed <= imports.keys() and _named(node) in imports:
                    yield text, tuple(imports[name] for name in sorted(needed))


def _named(node: ast.Call) -> str | None:
    """The imported name with which the called expression begins; None where it begins with a value."""
    begin = node.func
    while isinstance(begin, ast.Attribute):
        begin = begin.value
    return begin.id if isinstance(begin, ast.Name) else None


def _placeholder(node: ast.Call) -> bool:
    return any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(node))
