"""A call made once more after another one, on data of its own as far as that differs: what it binds has other names."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from apigap.knowledge.usages.names import bound_names
from apigap.records.parsing.syntax import parse

_IMPORT = (ast.Import, ast.ImportFrom)
_DEFINITION = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Way:
    """A way to make a call: the code that leads to it, the code that makes it, and what that gives."""

    context: str
    completion: str
    value: str

    @property
    def code(self) -> str:
        """The whole program."""
        return _joined(self.context, self.completion)


def both(first: Way, second: Way, names: frozenset[str]) -> str:
    """The program that goes the `first` way and then the `second`, whose variables have other names.

    Of its context comes again what differs, what builds on that, and what binds one of `names`.
    """
    renamed = differing(first.context, second.context, names)
    lines = [node for node in _body(second.context) if _touches(node, renamed)]
    code = ast.unparse(ast.Module([*lines, *_body(second.completion)], []))
    return _joined(first.context, first.completion, with_number(code, renamed | bound(second.completion)))


def differing(first: str, second: str, names: frozenset[str]) -> frozenset[str]:
    """The variables that the `second` context must have for itself: of `names`, or bound or changed differently."""
    known = {ast.unparse(node) for node in parse(first).body}
    body = _body(second)
    variables = frozenset(name for node in body if not isinstance(node, _DEFINITION) for name in bound_names(node))
    found = names & bound(second)
    size = -1
    while len(found) > size:
        size = len(found)
        for node in body:
            if ast.unparse(node) not in known or _touches(node, found):
                found |= bound_names(node) or _names(node) & variables
    return found


def bound(code: str) -> frozenset[str]:
    """The names that the code binds, imports apart."""
    return frozenset(name for node in _body(code) for name in bound_names(node))


def with_number(code: str, names: frozenset[str]) -> str:
    """The code in which `names` are followed by `_2`."""
    return ast.unparse(_Renamed(names).visit(parse(code)))


def _body(code: str) -> Sequence[ast.stmt]:
    return [node for node in parse(code).body if not isinstance(node, _IMPORT)]


def _touches(node: ast.stmt, names: frozenset[str]) -> bool:
    return bool((_names(node) | bound_names(node)) & names)


def _names(node: ast.stmt) -> frozenset[str]:
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _joined(*parts: str) -> str:
    return "\n".join(part.strip("\n") for part in parts if part.strip())


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}_2", node.ctx) if node.id in self.names else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.name = f"{node.name}_2" if node.name in self.names else node.name
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = f"{node.name}_2" if node.name in self.names else node.name
        return node
