"""Questions to Python syntax trees that several rooms ask: expressions, the names of calls and assignments."""

import ast
from collections import deque
from collections.abc import Iterator, Mapping

_HOLDERS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Fields of statements that hold statements, in the order in which every statement has them."""


def last_name(node: ast.AST) -> str:
    """The last name of an expression that is a name or an attribute (`c` of `a.b.c`); empty for any other."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    inner = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def imported_paths(tree: ast.AST) -> dict[str, str]:
    """The dotted path that each imported name stands for; relative imports say nothing."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def assigned_name(node: ast.AST) -> str | None:
    """`x` of a plain assignment `x = value`; None for any other statement."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None


def statements_within(tree: ast.AST) -> Iterator[ast.AST]:
    """`tree` and the statements in it, however deep, in the order of `ast.walk`; no expression is looked into."""
    left = deque([tree])
    while left:
        node = left.popleft()
        yield node
        for field in _HOLDERS:
            left.extend(getattr(node, field, ()))


def with_bodies(tree: ast.AST) -> ast.AST:
    """A tree that statements were taken out of, changed in place: a block of which nothing is left does nothing."""
    for node in ast.walk(tree):
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        if isinstance(node, ast.Try) and not node.handlers and not node.finalbody:
            node.finalbody = [ast.Pass()]
    return tree


class Substitution(ast.NodeTransformer):
    """Replaces names that are read by their `values`."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of the name, where it has one."""
        return self._values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node
