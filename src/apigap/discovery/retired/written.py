"""Words and wrappers of a release's source: what stands in it as a text, and functions that decorators stand before."""

import ast
from collections.abc import Iterator

from apigap.discovery.retired.deprecation_classes import last_name

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_KEEPS_SIGNATURE = (
    "property", "cached_property", "staticmethod", "classmethod", "overload", "abstractmethod", "override", "setter",
    "final", "cache", "lru_cache", "contextmanager", "asynccontextmanager",
)  # fmt: skip


def words_in(tree: ast.Module) -> frozenset[str]:
    """The single words that stand in a module as texts: what its code compares with, or looks up."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(text for text in texts if isinstance(text, str) and 0 < len(text) < 40 and " " not in text)


def is_wrapped(node: Definition) -> bool:
    """Check for a decorator that may take other parameters than the function that it stands before."""
    names = [last_name(decorator) for decorator in node.decorator_list]
    return any(name not in _KEEPS_SIGNATURE and "deprecat" not in name.lower() for name in names)


def wrapped_homes(
    definitions: Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]],
) -> Iterator[str]:
    """The homes of functions with such a decorator."""
    yield from (home for home, node in definitions if not isinstance(node, ast.ClassDef) and is_wrapped(node))
