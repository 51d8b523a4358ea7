"""Mutants that use another API in the place of the right one."""

import ast
from collections.abc import Iterator, Sequence

from apigap.records.candidate import Candidate
from apigap.tasks.mutants.facts import Facts
from apigap.tasks.mutants.mutant import Mutant
from apigap.tasks.mutants.target import Target

_SIBLINGS = 3


def siblings_of(api_name: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Up to three APIs of the kind of `api_name`, those beside it first, by name; none where it is not among them."""
    target = next((c for c in candidates if c.api_name == api_name), None)
    if target is None:
        return []
    parent = api_name.rpartition(".")[0]
    same = [c for c in candidates if c.kind == target.kind and c.leaf != target.leaf]
    same.sort(key=lambda c: (c.api_name.rpartition(".")[0] != parent, c.api_name))
    return list({c.leaf: c for c in reversed(same)}.values())[::-1][:_SIBLINGS]


def renamed(code: str, leaf: str, other: Candidate) -> str:
    """The code with every use of the API called `leaf`, its import included, turned into one of `other`."""
    target = Target(code, leaf)
    return ast.unparse(ast.fix_missing_locations(_Rename(target, other).visit(target.parse())))


def wrong_api(target: Target, facts: Facts) -> Iterator[Mutant]:
    """Every use of the API, its import included, turned into one of a sibling."""
    for other in facts.siblings:
        yield Mutant("wrong API", other.api_name, renamed(target.code, target.leaf, other))


class _Rename(ast.NodeTransformer):
    def __init__(self, target: Target, other: Candidate) -> None:
        self.target = target
        self.other = other

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt] | ast.stmt:
        rest = [alias for alias in node.names if alias.name != self.target.leaf]
        if len(rest) == len(node.names):
            return node
        own = ast.ImportFrom(self.other.import_module, [ast.alias(self.other.leaf)], 0)
        return [own, ast.ImportFrom(node.module, rest, node.level)] if rest else own

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.other.leaf, node.ctx) if self.target.refers(node) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.value, self.other.leaf, node.ctx) if self.target.refers(node) else node
