"""The names that the text of a module lists in its `__all__`."""

import ast
from pathlib import Path

from apigap.records.parsing.syntax import parse

MAX_BYTES = 2_000_000


def is_listed(root: Path, path: str) -> bool:
    """Check that the module of the dotted `path`, a file below `root`, has its last name in a statement on `__all__`.

    A module that cannot be read lists nothing.
    """
    module, _, leaf = path.rpartition(".")
    place = root.joinpath(*module.split("."))
    file = next((one for one in (place / "__init__.py", place.with_suffix(".py")) if one.is_file()), None)
    if file is None or file.is_symlink() or file.stat().st_size > MAX_BYTES:
        return False
    try:
        body = parse(file.read_text("utf-8-sig", "replace")).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(_writes(node, "__all__", leaf) for node in body)


def _writes(node: ast.stmt, name: str, text: str) -> bool:
    parts = list(ast.walk(node)) if not isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    has_name = any(isinstance(part, ast.Name) and part.id == name for part in parts)
    return has_name and any(isinstance(part, ast.Constant) and part.value == text for part in parts)
