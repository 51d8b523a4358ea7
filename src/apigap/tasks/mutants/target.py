"""Uses of the API in an answer: its calls, and other references to it."""

import ast
import builtins
from collections.abc import Callable, Iterator

from apigap.records.parsing.syntax import parse

Use = ast.Call | ast.Name | ast.Attribute
_BLOCKS = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor,
    ast.While, ast.If, ast.Try, ast.TryStar, ast.ExceptHandler, ast.match_case,
)  # fmt: skip


class Target:
    """The uses of the API whose last name is `leaf` in `code`, found by that name or by what it is imported as.

    A builtin of the same name that the code does not import is another thing. Calls are numbered in the order of
    their places.
    """

    def __init__(self, code: str, leaf: str) -> None:
        self.code = code
        self.leaf = leaf
        self._names = _local_names(parse(code), leaf)

    def parse(self) -> ast.Module:
        """A tree of the code that the caller may change."""
        return parse(self.code)

    def refers(self, node: ast.AST) -> bool:
        """Check that an expression stands for the API."""
        if isinstance(node, ast.Name):
            return node.id in self._names
        return isinstance(node, ast.Attribute) and node.attr == self.leaf

    def calls(self, tree: ast.AST) -> list[ast.Call]:
        """The calls of the API, in order."""
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and self.refers(node.func)]
        return sorted(found, key=_position)

    def uses(self, tree: ast.AST) -> list[Use]:
        """The calls, and the places where the API is read without being called, in order."""
        called = {id(call.func) for call in self.calls(tree)}
        bare = [
            node
            for node in ast.walk(tree)
            if isinstance(node, (ast.Name, ast.Attribute))
            and isinstance(node.ctx, ast.Load)
            and self.refers(node)
            and id(node) not in called
        ]
        return sorted([*self.calls(tree), *bare], key=_position)

    def edit(self, number: int, change: Callable[[ast.Call], None]) -> str:
        """The code with the call of that number changed in place."""
        tree = self.parse()
        change(self.calls(tree)[number])
        return unparse(tree)


def unparse(tree: ast.Module) -> str:
    """The text of a tree that has been changed; empty bodies get a `pass`."""
    for node in ast.walk(tree):
        if isinstance(node, _BLOCKS) and not node.body:
            node.body = [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))


def parents(tree: ast.AST) -> dict[int, ast.AST]:
    """The parent of every node, by the id of the child."""
    return {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def ancestors(node: ast.AST, above: dict[int, ast.AST]) -> Iterator[ast.AST]:
    """The nodes around `node`, the nearest first."""
    while (found := above.get(id(node))) is not None:
        yield found
        node = found


def replace_node(tree: ast.Module, old: ast.AST, new: ast.expr) -> None:
    """Put `new` where `old` (by identity) stands in `tree`."""

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    Replace().visit(tree)


def _local_names(tree: ast.AST, leaf: str) -> frozenset[str]:
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == leaf
    }
    return frozenset(imported or ({leaf} - set(dir(builtins))))


def _position(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
