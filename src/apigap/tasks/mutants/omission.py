"""Left-out keyword arguments, for authors who want none in a task that changes nothing."""

import ast
from collections.abc import Collection

from apigap.tasks.mutants.target import Target


def omitted_arguments(code: str, leaf: str) -> list[tuple[str, str]]:
    """`code` with one keyword argument of a call of `leaf` left out: (argument, code) pairs, in order of place."""
    target = Target(code, leaf)
    made: list[tuple[str, str]] = []
    for index in range(len(_keywords(target, target.parse()))):
        tree = target.parse()
        call, keyword = _keywords(target, tree)[index]
        call.keywords.remove(keyword)
        made.append((keyword.arg or "**", ast.unparse(tree)))
    return made


def without_arguments(code: str, leaf: str, places: Collection[int]) -> str:
    """`code` without the keyword arguments at `places` (indices into `omitted_arguments`)."""
    target = Target(code, leaf)
    tree = target.parse()
    for index, (call, keyword) in enumerate(_keywords(target, tree)):
        if index in places:
            call.keywords.remove(keyword)
    return ast.unparse(tree)


def _keywords(target: Target, tree: ast.AST) -> list[tuple[ast.Call, ast.keyword]]:
    return [(call, keyword) for call in target.calls(tree) for keyword in call.keywords]
