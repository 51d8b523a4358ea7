"""Python text read as a tree, the one way that is safe on the threads that judge."""

import ast
import threading
import warnings
from typing import Any

BYTE_ORDER_MARK = "\ufeff"
"""A mark that some editors write in front of a text; Python takes it from a file, but not from a string."""
_ONE_AT_A_TIME = threading.RLock()


def parse(code: str | bytes) -> ast.Module:
    """`ast.parse` for one thread at a time, without the warnings of the text.

    CPython up to 3.12 counts the depth of a tree under construction once for all threads (cpython issue 106905): two
    that build trees at once may end with a SystemError, or with a RecursionError for a text that is not deep.
    `warnings.catch_warnings` is not safe on threads either.

    Raises: as `ast.parse`, SyntaxError, ValueError, RecursionError or MemoryError.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in a model's string is not the user's concern
        return ast.parse(code.removeprefix(BYTE_ORDER_MARK) if isinstance(code, str) else code)  # noqa: TID251


def expression_tree(text: str) -> ast.expr:
    """The tree of one expression, made as `parse` makes the tree of a module.

    Raises: as `parse`.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body  # noqa: TID251


def literal_value(text: str) -> Any:
    """The value of a literal, as `ast.literal_eval` reads it.

    Raises: as `parse`; also TypeError, and ValueError where the text is no literal.
    """
    return ast.literal_eval(expression_tree(text.lstrip(" \t")))


def is_literal(text: str) -> bool:
    """Check that `literal_value` reads a text."""
    try:
        literal_value(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
