"""The scenarios that a description shows: the basic one, and those of its worked examples."""

import ast
import re
from collections.abc import Iterator

from apigap.knowledge.usages.names import bound_names
from apigap.records.parsing.syntax import parse
from apigap.records.task import Task

_EXAMPLE = re.compile(r"^- after (`.+?`): `", re.MULTILINE)


def shown_contexts(task: Task) -> list[str]:
    """The contexts of the basic scenario and of each worked example, as `worked_examples` writes them."""
    return [task.context_code, *_of_examples(task)]


def _of_examples(task: Task) -> Iterator[str]:
    for listed in _EXAMPLE.findall(task.description):
        context = _with(task.context_code, listed[1:-1].split("` and `"))
        if context is not None:
            yield context


def _with(context: str, statements: list[str]) -> str | None:
    """The context with each statement in the place of the one that binds the same; None where there is none."""
    body = parse(context).body
    for code in statements:
        new = parse(code).body
        places = [n for n, node in enumerate(body) if new and _is_same_place(node, new[0])]
        if len(new) != 1 or not places:
            return None
        body[places[-1]] = new[0]
    return "\n".join(ast.unparse(node) for node in body)


def _is_same_place(node: ast.stmt, new: ast.stmt) -> bool:
    names = bound_names(new)
    if names:
        return bound_names(node) == names
    return isinstance(node, ast.Expr) and isinstance(new, ast.Expr) and _called(node) == _called(new)


def _called(node: ast.Expr) -> str:
    return ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else ""
