"""Ways in which an answer goes past the API that it should use, as far as its text says."""

import ast
from functools import lru_cache
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
    leaf = api_name.rpartition(".")[2]
    try:
        if code.isascii() and leaf not in code:
            return "reimplementation" if _writes(code) else "other"
        written, called, named = _names(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "unreadable"
    if leaf in written:
        return "same-name reimplementation"
    if leaf in named:
        return "other" if leaf in called else "not called"
    return "reimplementation" if written else "other"


def _writes(code: str) -> bool:
    """True where it has a function or class; the tree is looked through only where a word says that it may."""
    tree = parse(code)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return ("def" in code or "class" in code) and any(isinstance(node, kinds) for node in ast.walk(tree))


@lru_cache(maxsize=4096)  # the same code is the answer in many cells
def _names(code: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The names of functions and classes that it writes, of what it calls, and of all that it names."""
    written, called, named = set[str](), set[str](), set[str]()
    for node in ast.walk(parse(code)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                written.add(node.name)
            case ast.Name() | ast.Attribute():
                named.add(last_name(node))
            case ast.Call():
                called.add(last_name(node.func))
            case ast.Import() | ast.ImportFrom():
                named |= {alias.name.rpartition(".")[2] for alias in node.names}
            case _:
                pass
    return frozenset(written), frozenset(called), frozenset(named)
