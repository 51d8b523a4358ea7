"""The imports that a snippet leaves out, as the release's own documents and tests write them elsewhere."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from apigap.knowledge.usages.names import bound_names, free_names
from apigap.knowledge.usages.usage import Usage, bindings
from apigap.records.parsing.syntax import parse

_IMPORT = re.compile(r"^\s*(?:from|import)\s", re.M)


class ImportBook:
    """For each name, the import statement that binds it most often in the release; first by text among equals."""

    def __init__(self, modules: Iterable[str], usages: Iterable[Usage]) -> None:
        self._counts: dict[str, Counter[str]] = {}
        for usage in usages:
            for code in usage.prelude:
                for name, line in single_imports(code):
                    self._counts.setdefault(name, Counter())[line] += 1
        for module in modules:
            self._counts.setdefault(module, Counter({f"import {module}": 1}))

    def completed(self, usage: Usage) -> Usage:
        """`usage` with imports for the names that it needs and does not have; itself where it lacks none."""
        lines = (*usage.prelude, *bindings(usage.inputs), *(s.code or s.expression or "" for s in usage.steps))
        missing = free_names(node for line in lines for node in parse(line).body)
        added = [most_frequent(self._counts[name])[0] for name in sorted(missing) if name in self._counts]
        return usage.replaced(prelude=(*dict.fromkeys(added), *usage.prelude)) if added else usage


def most_frequent(counts: Counter[str]) -> list[str]:
    """The texts that were counted, the most frequent ones first, among equals by text."""
    return sorted(counts, key=lambda text: (-counts[text], text))


def single_imports(code: str) -> Iterator[tuple[str, str]]:
    """Each name that an import statement binds, with a statement that imports it alone."""
    if not _IMPORT.match(code):
        return
    for node in parse(code).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield next(iter(bound_names(ast.Import([alias])))), ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, ast.unparse(ast.ImportFrom(node.module, [alias], 0))
