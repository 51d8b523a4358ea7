"""Writing the calls of the target in a reference in another way."""

import ast
from collections.abc import Callable

from apigap.gates.battery.subject import Subject
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

Rewrite = Callable[[ast.Call], ast.expr | None]


def rewrite_calls(subject: Subject, rewrite: Rewrite) -> str | None:
    """The reference with each call of the target replaced; None where `rewrite` refuses one, or there is none.

    Calls are found by the target's name, whether it stands alone or behind a dot.
    """
    visitor = _Calls(subject.leaf, rewrite)
    tree = visitor.visit(parse(subject.reference))
    if not visitor.found or visitor.refused:
        return None
    return ast.unparse(ast.fix_missing_locations(tree))


class _Calls(ast.NodeTransformer):
    def __init__(self, leaf: str, rewrite: Rewrite) -> None:
        self.leaf = leaf
        self.rewrite = rewrite
        self.found = 0
        self.refused = False
        self._unassignable = 0

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Visit it; a name that is assigned in it would be one of its own."""
        self._unassignable += 1
        self.generic_visit(node)
        self._unassignable -= 1
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Visit it; within what it goes over no name may be assigned."""
        self._unassignable += 1
        node.iter = self.visit(node.iter)
        self._unassignable -= 1
        node.target, node.ifs = self.visit(node.target), [self.visit(one) for one in node.ifs]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if last_name(node.func) != self.leaf:
            return node
        self.found += 1
        made = self.rewrite(node)
        if made is None or (self._unassignable and any(isinstance(part, ast.NamedExpr) for part in ast.walk(made))):
            self.refused = True
            return node
        return made
