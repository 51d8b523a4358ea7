"""The name of the answer's module, by which warnings are told apart: an answer that changes it may silence them.

Python drops a warning without a word where the module that it is of calls itself None.
"""

import ast

from apigap.records.parsing.syntax import parse
from apigap.sandbox.limits import MAX_PARSED

_NAME = "__name__"
_PUT = frozenset(
    {"pop", "setattr", "delattr", "setdefault", "__setitem__", "__delitem__", "__setattr__", "__delattr__"}
)


def changes_its_name(code: str) -> bool:
    """Check for code that binds or deletes `__name__`, or writes it as a key. What does not parse binds nothing.

    Of code that is too long to be parsed here, any that has the word may.
    """
    if len(code) > MAX_PARSED:
        return _NAME in code
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(map(_changes, ast.walk(tree)))


def _changes(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id == _NAME and not isinstance(node.ctx, ast.Load)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any(_NAME in (alias.asname, alias.name) for alias in node.names)
    if isinstance(node, ast.Dict):
        return any(map(_is_name, node.keys))
    if isinstance(node, ast.Subscript):
        return _is_name(node.slice)
    if isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        named = any(keyword.arg == _NAME for keyword in node.keywords)
        return named or (called in _PUT and any(map(_is_name, node.args)))
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == _NAME


def _is_name(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == _NAME
