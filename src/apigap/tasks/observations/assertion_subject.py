"""The subject of an assertion: the value in it that the API gives, without the comparison around it.

And statements without the checks in them, which are no part of an answer.
"""

import ast
from typing import TypeVar

from apigap.knowledge.usages.names import identifiers
from apigap.knowledge.usages.snippets import is_assertion
from apigap.knowledge.usages.usage import Step
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import last_name, with_bodies

_Block = TypeVar("_Block", ast.For, ast.If)
_TESTS = frozenset(
    {"isinstance", "all", "any", "bool", "allclose", "array_equal", "array_equiv", "hasattr", "issubclass"}
)


def assertion_subject(step: Step, leaf: str) -> str | None:
    """The source of the value that `leaf` gives in a check; None where the step is none, or checks something else."""
    if step.expression is None:
        return None
    expression = expression_tree(step.expression)
    if _has(expression, leaf):
        return ast.unparse(_within(expression, leaf))
    node = parse(step.code).body[0] if step.code else None
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and is_assertion(call) and not _has(call.func, leaf):
        return next((ast.unparse(_within(value, leaf)) for value in call.args if _has(value, leaf)), None)
    return None


def _within(node: ast.expr, leaf: str) -> ast.expr:
    """The part of a yes-or-no expression that goes through `leaf`, as long as there is only one."""
    while True:
        parts = [part for part in _parts(node) if _has(part, leaf)]
        if len(parts) != 1:
            return node
        node = parts[0]


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.Call):
        function = node.func
        whole = [function.value] if isinstance(function, ast.Attribute) and not node.args else []
        return [*node.args, *whole] if last_name(function) in _TESTS else []
    return []


def _has(node: ast.AST, leaf: str) -> bool:
    return leaf in identifiers(ast.unparse(node))


def without_checks(code: str, leaf: str) -> str:
    """A statement without the assertions inside it that do not use the API; empty where nothing else is in it."""
    node = parse(code).body[0]
    if not isinstance(node, (ast.With, ast.For, ast.If)):
        return code
    left = _Unchecked(leaf).visit(node)
    return "" if left is None else ast.unparse(with_bodies(left))


class _Unchecked(ast.NodeTransformer):
    def __init__(self, leaf: str) -> None:
        self.leaf = leaf

    def visit_Assert(self, node: ast.Assert) -> ast.Assert | None:
        return node if _has(node, self.leaf) else None

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        checks = isinstance(node.value, ast.Call) and is_assertion(node.value)
        return None if checks and not _has(node, self.leaf) else node

    def visit_For(self, node: ast.For) -> ast.For | None:
        return self._left(node)

    def visit_If(self, node: ast.If) -> ast.If | None:
        return self._left(node)

    def _left(self, node: _Block) -> _Block | None:
        """The block, or None where only checks were in it."""
        was_idle = _is_idle(node.body)
        self.generic_visit(node)
        return None if _is_idle(node.body) and not was_idle and not node.orelse else node


def _is_idle(body: list[ast.stmt]) -> bool:
    return all(isinstance(node, ast.Pass) for node in body)
