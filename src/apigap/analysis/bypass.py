"""Ways in which an answer goes past the API that it should use, as far as its text says."""

import ast
from typing import Literal

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

BypassMode = Literal["empty", "unreadable", "same-name reimplementation", "reimplementation", "not called", "other"]
MODES: tuple[BypassMode, ...] = (
    "empty", "unreadable", "same-name reimplementation", "reimplementation", "not called", "other",
)  # fmt: skip
_SHORTEST = 5


def bypass_mode(code: str, api_name: str) -> BypassMode:
    """The way in which `code` does without the API.

    At most five characters are `empty`; a function or class of the API's own last name is a `same-name
    reimplementation`; its name without a call of it is `not called`; a function or class of another name, without
    the API's, is a `reimplementation`; what is left (another call of that name, another API) is `other`.
    """
    if len(code.strip()) <= _SHORTEST:
        return "empty"
    try:
        nodes = list(ast.walk(parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "unreadable"
    leaf = api_name.rpartition(".")[2]
    written = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    if leaf in written:
        return "same-name reimplementation"
    called = {last_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    named = {last_name(node) for node in nodes} | {
        alias.name.rpartition(".")[2]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    if leaf in named:
        return "other" if leaf in called else "not called"
    return "reimplementation" if written else "other"
