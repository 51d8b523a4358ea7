"""Comparison of defaults and of annotations by meaning, not by spelling."""

import ast
import functools
import re

_NUMPY_SCALAR = re.compile(r"\b(?:np|numpy)\.(?:float|int|uint|complex|bool|str)\w*\(((?:[^()]|\([^()]*\))*)\)")
_MODULES = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")
_OF_ANYTHING = re.compile(r"\[Any(?:,Any)*(?:,\.\.\.)?\]")
_PRIVATE_NAME = re.compile(r"\b_[A-Za-z]\w*")
_NOT_GIVEN = re.compile(
    r"(?:no_?(?:default|value)|not_?(?:given|set)|unset|undefined|missing|sentinel)$", re.IGNORECASE
)

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
        return _plain(ast.literal_eval(one)) == _plain(ast.literal_eval(other))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def same_annotation(old: str, new: str) -> bool:
    """Check that two annotations name the same types, however imported, quoted or written as a union.

    `floating[Any]` says no more than `floating`. What a private name (`_ArrayT`) stands for is not known, so nothing
    is known to differ from it.
    """
    if _PRIVATE_NAME.search(old) or _PRIVATE_NAME.search(new):
        return True
    return _types(old) == _types(new)


def _is_opaque(default: str | None) -> bool:
    """A sentinel without a readable form: another one of it means the same to a caller."""
    if default is None or default.startswith("<"):
        return not (default or "").startswith("<factory ")
    return bool(_NOT_GIVEN.search(default))


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


def _types(text: str) -> frozenset[str]:
    text = _MODULES.sub("", text.replace("'", "").replace('"', "").replace(" ", ""))
    text = _OF_ANYTHING.sub("", text)
    whole = re.fullmatch(r"(?:Optional|Union)\[(.*)\]", text)
    if whole:
        parts = _split(whole[1], ",")
        return frozenset([*parts, "None"] if text.startswith("Optional") else parts)
    return frozenset(_split(text, "|"))


def _split(text: str, mark: str) -> list[str]:
    """The parts between marks that are in no brackets; `List` and its like by their modern names."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(letter, 0)
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [re.sub(r"\b(List|Dict|Tuple|Set|Type|FrozenSet)\b", lambda name: name[1].lower(), part) for part in parts]
