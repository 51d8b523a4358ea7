"""Wrong answers made from the right one; a valid task fails every one of them."""

import ast
from collections.abc import Collection, Sequence

from apigap.records.candidate import Candidate
from apigap.records.task import Task


def wrong_api(task: Task, candidates: Sequence[Candidate]) -> str | None:
    """The reference with the target replaced by a sibling: the API of the same kind with the next name."""
    target = next((c for c in candidates if c.api_name == task.api_name), None)
    if target is None:
        return None
    parent = target.api_name.rpartition(".")[0]
    same = sorted(
        (c for c in candidates if c.kind == target.kind and c.leaf != target.leaf),
        key=lambda c: (c.api_name.rpartition(".")[0] != parent, c.api_name),
    )
    if not same:
        return None
    tree = ast.parse(task.masked_region)
    return ast.unparse(_Rename(target.leaf, same[0]).visit(tree))


class _Rename(ast.NodeTransformer):
    def __init__(self, leaf: str, other: Candidate) -> None:
        self.leaf = leaf
        self.other = other

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if any(alias.name == self.leaf for alias in node.names):
            return ast.ImportFrom(self.other.import_module, [ast.alias(self.other.leaf)], 0)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.other.leaf, node.ctx) if node.id == self.leaf else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.value, self.other.leaf, node.ctx) if node.attr == self.leaf else node


def omitted_arguments(code: str, leaf: str) -> list[tuple[str, str]]:
    """`code` with one keyword argument of a call of `leaf` left out: (argument, code) pairs, in order of place."""
    mutants: list[tuple[str, str]] = []
    for index in range(len(_keywords(ast.parse(code), leaf))):
        tree = ast.parse(code)
        call, keyword = _keywords(tree, leaf)[index]
        call.keywords.remove(keyword)
        mutants.append((keyword.arg or "**", ast.unparse(tree)))
    return mutants


def without_arguments(code: str, leaf: str, places: Collection[int]) -> str:
    """`code` without the keyword arguments at `places` (indices into `omitted_arguments`)."""
    tree = ast.parse(code)
    for index, (call, keyword) in enumerate(_keywords(tree, leaf)):
        if index in places:
            call.keywords.remove(keyword)
    return ast.unparse(tree)


def _keywords(tree: ast.AST, leaf: str) -> list[tuple[ast.Call, ast.keyword]]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _leaf(node.func) == leaf]
    return [(call, keyword) for call in calls for keyword in call.keywords]


def _leaf(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
