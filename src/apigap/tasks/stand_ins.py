"""Detection of collaborators that stand in for real ones: mocks, fake transports, functions put over others."""

import ast
import re

from apigap.records.parsing.syntax import parse

_NAMES = frozenset({"Mock", "MagicMock", "AsyncMock", "MockTransport", "MonkeyPatch", "monkeypatch"})
_DOUBLE = re.compile(r"_*(Fake|Mock|Stub|Dummy)[A-Z_]|(fake|mock|stub|dummy)_")


def has_stand_in(code: str) -> bool:
    """Check for a stand-in in `code`: one of `unittest.mock`, one that says so by its name, or a function replaced."""
    tree = parse(code)
    modules = _imported(tree)
    return any(_stands_in(node, modules) for node in ast.walk(tree))


def _stands_in(node: ast.AST, modules: set[str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module in ("unittest.mock", "mock") or any(alias.name in _NAMES for alias in node.names)
    if isinstance(node, ast.Import):
        return any(alias.name in ("unittest.mock", "mock") for alias in node.names)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return isinstance(node.value, ast.Name) and node.value.id in modules
    if isinstance(node, ast.Attribute):
        return node.attr in _NAMES
    return isinstance(node, (ast.ClassDef, ast.FunctionDef)) and _DOUBLE.match(node.name) is not None


def _imported(tree: ast.Module) -> set[str]:
    """Names of modules that the code imports as such."""
    nodes = [node for node in tree.body if isinstance(node, ast.Import)]
    return {(alias.asname or alias.name).partition(".")[0] for node in nodes for alias in node.names}
