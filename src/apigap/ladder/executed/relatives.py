"""Relatives of an API: others of its home and kind, which code can call in its place."""

import ast
from collections.abc import Sequence
from difflib import SequenceMatcher

from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse

_MOST = 16


def relatives_of(candidate: Candidate, others: Sequence[Candidate]) -> list[str]:
    """The last names of at most sixteen of `others` that are of its home and kind, first those most like it.

    Like it is what shares its parameters, then what has a like name.
    """
    home = candidate.api_name.rpartition(".")[0]
    own = {parameter.name for parameter in candidate.parameters}
    near = {
        other.leaf: other
        for other in others
        if other.api_name.rpartition(".")[0] == home and other.kind == candidate.kind and other.leaf != candidate.leaf
    }

    def rank(leaf: str) -> tuple[int, float, str]:
        names = {parameter.name for parameter in near[leaf].parameters}
        return len(own ^ names) - len(own & names), -SequenceMatcher(None, candidate.leaf, leaf).ratio(), leaf

    return sorted(near, key=rank)[:_MOST]


def with_relative(code: str, leaf: str, relative: str) -> str:
    """`code` with another API of the same home wherever it names the one whose last name is `leaf`."""
    return ast.unparse(ast.fix_missing_locations(_Instead(leaf, relative).visit(parse(code))))


class _Instead(ast.NodeTransformer):
    def __init__(self, leaf: str, relative: str) -> None:
        self.leaf = leaf
        self.relative = relative

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.relative, node.ctx) if node.id == self.leaf else node

    def visit_alias(self, node: ast.alias) -> ast.alias:
        return ast.alias(self.relative, node.asname) if node.name == self.leaf else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        return ast.Attribute(node.value, self.relative, node.ctx) if node.attr == self.leaf else node
