"""The names that the text of a module lists in its `__all__`."""

import ast
from pathlib import Path

from apigap.discovery.static.dynamic_exports import dynamic_exports
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import statements_within

MAX_BYTES = 2_000_000
_OTHER = ast.AnnAssign | ast.AugAssign


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
        tree = parse(file.read_text("utf-8-sig", "replace"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return leaf in dynamic_exports(tree).names or any(_lists(node, leaf) for node in statements_within(tree))


def _lists(node: ast.AST, text: str) -> bool:
    """Check for `__all__ = [..., text]` or `__all__ += [..., text]`."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, _OTHER) else []
    value = node.value if isinstance(node, ast.Assign | _OTHER) else None
    is_of_all = any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets)
    parts = ast.walk(value) if is_of_all and value is not None else ()
    return any(isinstance(part, ast.Constant) and part.value == text for part in parts)
