"""The masked region with every use of the API replaced by `...`: what must be written, without saying how."""

import ast
import re
from collections.abc import Sequence

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

_GAP = "__gap__"


def outline(masked: Sequence[str], leaf: str, *, rest: bool = False) -> str:
    """The statements of `masked`, each expression that goes through `leaf` written as `...`.

    With `rest` what is done with the API's value stays: `result = (...).normalize()`.
    """
    text = "\n".join(ast.unparse(_Hide(leaf, rest).visit(node)) for code in masked for node in parse(code).body)
    return re.sub(rf"{_GAP}(?=[.\[(])", "(...)", text).replace(_GAP, "...")


def hidden_expressions(masked: Sequence[str], leaf: str, *, rest: bool = False) -> list[ast.expr]:
    """The expressions that `outline` hides, outermost first."""
    hide = _Hide(leaf, rest)
    for code in masked:
        for node in parse(code).body:
            hide.visit(node)
    return hide.hidden


class _Hide(ast.NodeTransformer):
    def __init__(self, leaf: str, rest: bool) -> None:
        self.leaf = leaf
        self.rest = rest
        self.hidden: list[ast.expr] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return node  # no value can stand there; a target that names the API is a leak, which is looked for later
        if isinstance(node, ast.expr) and self.leaf in _chain(node) and not (self.rest and self._goes_on(node)):
            self.hidden.append(node)
            return ast.Name(_GAP, ast.Load())
        return self.generic_visit(node)

    def _goes_on(self, node: ast.expr) -> bool:
        """Check for an expression that only does something with what the API gives."""
        if isinstance(node, ast.Call):
            return last_name(node.func) != self.leaf
        inner = node.value if isinstance(node, (ast.Attribute, ast.Subscript, ast.Await, ast.Starred)) else None
        return inner is not None and last_name(node) != self.leaf and self.leaf in _chain(inner)


def _chain(node: ast.expr) -> set[str]:
    """Names along a chain of calls, attributes and subscripts: `a.b(c).d[e]` gives a, b and d."""
    found: set[str] = set()
    while True:
        if isinstance(node, ast.Name):
            return found | {node.id}
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, (ast.Subscript, ast.Await, ast.Starred)):
            node = node.value
        else:
            return found


def literals(nodes: Sequence[ast.AST]) -> list[str]:
    """Source of the constants in `nodes` that carry data, in order, each once."""
    found: dict[str, None] = {}
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, (int, float, str, bytes)):
                found[ast.unparse(part)] = None
    return list(found)
