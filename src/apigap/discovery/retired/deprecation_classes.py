"""The warning classes by which a library says that something is deprecated: Python's own, and those made of them."""

import ast
from collections.abc import Iterable

BUILT_IN = frozenset({"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"})


def deprecation_classes(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The bare names of warning classes for deprecations among the classes of `trees`."""
    bases: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(map(last_name, node.bases))
    found = set(BUILT_IN)
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, and of a call of it; empty for what is no name."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
