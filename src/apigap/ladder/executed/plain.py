"""Observed values that can be written as a short Python literal."""

import ast
import re
from typing import Any, cast

from apigap.records.parsing.syntax import literal_value, parse

MOST = 80
"""The characters that a literal may have."""
_DIGITS = 8
_WORD = re.compile(r"\w+")


class NotPlainError(Exception):
    """Raised for a value that no short literal stands for."""


def literal(form: Any) -> str | None:
    """The literal of a fingerprint: None, truth values, numbers, texts, and containers of them; else None."""
    try:
        text = _text(form)
    except NotPlainError:
        return None
    return text if len(text) <= MOST and "\n" not in text else None


def _text(form: Any) -> str:
    if form is None or isinstance(form, bool | int | str):
        return repr(form)
    if isinstance(form, float):
        if len(repr(form)) > _DIGITS:
            raise NotPlainError
        return repr(form)
    if isinstance(form, list):
        return f"[{', '.join(map(_text, cast('list[Any]', form)))}]"
    tags = cast("dict[str, Any]", form)
    if tags.keys() == {"tuple"}:
        parts = [_text(part) for part in tags["tuple"]]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    if tags.keys() == {"set"}:
        return f"{{{', '.join(sorted(_text(part) for part in tags['set']))}}}" if tags["set"] else "set()"
    if tags.keys() == {"dict"}:
        return f"{{{', '.join(f'{_text(key)}: {_text(value)}' for key, value in tags['dict'])}}}"
    raise NotPlainError


def kind_of(text: str) -> str:
    """The type of a literal, that of what it holds with it: options of one kind look alike."""
    value = value_of(text)
    name = type(value).__name__
    parts = cast("list[Any]", value) if isinstance(value, list | tuple) else []
    inner = sorted({type(part).__name__ for part in parts})
    return f"{name} of {'/'.join(inner)}" if inner else name


def value_of(text: str) -> Any:
    """The value of a literal that `literal` has written."""
    return literal_value(text)


def stands_in(text: str, code: str) -> bool:
    """Check that a literal is in `code` word by word: as a value of its own, or, where it is longer, as text."""
    value = value_of(text)
    bare = value if isinstance(value, str) else text
    if len(bare) > 2 and bare in code:
        return True
    return any(_same(node, text) for node in ast.walk(parse(code)) if isinstance(node, ast.expr))


def tells_call(text: str, leaf: str, code: str) -> bool:
    """Check for the text of an object of the class `leaf` that says no more than the `code` that made it."""
    value = value_of(text)
    return (
        isinstance(value, str)
        and value.startswith(f"{leaf}(")
        and set(_WORD.findall(value)) <= set(_WORD.findall(code))
    )


def _same(node: ast.expr, text: str) -> bool:
    try:
        return repr(ast.literal_eval(node)) == text
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
