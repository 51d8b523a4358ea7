"""An answer without the checks of its own results: asserts, and conditions on which it raises."""

import ast

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import with_bodies
from apigap.sandbox.limits import MAX_PARSED


def without_own_checks(code: str) -> str | None:
    """The code without such statements; None where it has none, does not parse, or is too long to be parsed here."""
    if len(code) > MAX_PARSED:
        return None
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    checks = _Checks()
    left = checks.visit(tree)
    return ast.unparse(with_bodies(left)) if checks.found and left.body else None


class _Checks(ast.NodeTransformer):
    def __init__(self) -> None:
        self.found = False

    def visit_Assert(self, node: ast.Assert) -> None:
        self.found = True

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        call = node.value
        name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
        if not name.startswith("assert"):
            return node
        self.found = True
        return None

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not node.body or not isinstance(node.body[-1], ast.Raise):
            return node
        self.found = True
        return node.orelse
