"""Comparison of defaults by meaning, not by spelling."""

import functools
import re

from apigap.records.parsing.syntax import literal_value

_NUMPY_SCALAR = re.compile(r"\b(?:np|numpy)\.(?:float|int|uint|complex|bool|str)\w*\(((?:[^()]|\([^()]*\))*)\)")
_MODULES = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")
NOT_GIVEN = re.compile(r"(?:no_?(?:default|value)|not_?(?:given|set)|unset|undefined|missing|sentinel)$", re.IGNORECASE)
"""The end of a name by which a library says that nothing was given."""

_FACTORIES = {"<factory list>": "[]", "<factory dict>": "{}", "<factory tuple>": "()", "set()": "<factory set>"}


@functools.cache
def same_value(old: str | None, new: str | None) -> bool:
    """Check that two defaults mean the same to a caller who leaves the parameter out.

    Equal values are the same however they are written (`1e-3`, `0.001`; `()`, `[]`), a flag and a number are not. A
    default that only says that nothing was given has no value: from or to such a one nothing is known to change.
    """
    if old == new or _is_opaque(old) or _is_opaque(new):
        return True
    one, other = _normal(old or ""), _normal(new or "")
    if one == other:
        return True
    try:
        return _plain(literal_value(one)) == _plain(literal_value(other))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _is_opaque(default: str | None) -> bool:
    """A sentinel without a readable form: another one of it means the same to a caller."""
    if default is None or default.startswith("<"):
        return not (default or "").startswith("<factory ")
    return bool(NOT_GIVEN.search(default))


def _normal(text: str) -> str:
    """Without numpy's names around its numbers, and without the modules that a name is reached by."""
    text = _FACTORIES.get(text, text)
    return _MODULES.sub("", _NUMPY_SCALAR.sub(r"\1", text)) if "'" not in text and '"' not in text else text


def _plain(value: object) -> object:
    """A form in which flags differ from numbers, and a list is like a tuple."""
    if isinstance(value, list | tuple):
        return ("sequence", *map(_plain, value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, dict):
        return ("mapping", frozenset((_plain(key), _plain(item)) for key, item in value.items()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return (isinstance(value, bool), value)
