"""Texts in a program: a message as its author wrote it, with `{...}` in place of what is only known when it runs."""

import ast
from collections.abc import Iterable

MAX_TEXT = 600
_MAX_DEPTH = 8


def text_of(node: ast.expr | None, constants: dict[str, ast.expr], depth: int = 0) -> str:
    """The text that `node` gives; empty where it is none. `constants` are the values of names."""
    if node is None or depth > _MAX_DEPTH:
        return ""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(part, constants, depth) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left, constants, depth + 1) + text_of(node.right, constants, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return text_of(node.left, constants, depth + 1)
    if isinstance(node, ast.Call):
        return _of_call(node, constants, depth)
    if isinstance(node, ast.Name) and node.id in constants:
        return text_of(constants[node.id], constants, depth + 1)
    return ""


def one_line(text: str) -> str:
    """`text` on one line, cut to its first characters."""
    return " ".join(text.split())[:MAX_TEXT]


def constants_of(body: Iterable[ast.stmt]) -> dict[str, ast.expr]:
    """The names that are given a value at the top of a body."""
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found


def _piece(part: ast.expr, constants: dict[str, ast.expr], depth: int) -> str:
    if isinstance(part, ast.FormattedValue):
        known = text_of(part.value, constants, depth + 1)
        return known or f"{{{ast.unparse(part.value)}}}"
    return text_of(part, constants, depth + 1)


def _of_call(node: ast.Call, constants: dict[str, ast.expr], depth: int) -> str:
    """The text that is formatted or dedented, or that a warning's class is made of."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in ("format", "strip", "replace"):
        return text_of(function.value, constants, depth + 1)
    return text_of(node.args[0], constants, depth + 1) if node.args else ""
