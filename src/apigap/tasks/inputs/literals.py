"""Literals in a program that carry data: where they are, and what else could stand there."""

import ast
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from apigap.records.parsing.syntax import parse
from apigap.tasks.inputs.fitting import fitting_word

Place = tuple[ast.AST, str, int | None]
Change = Callable[[ast.expr], ast.expr | None]
Where = Callable[[ast.Module], Iterator[Place]]
_WORDS = (
    "tea", "cup", "ink", "map", "milk", "lamp", "rope", "salt", "bread", "chair", "river", "stone", "bottle", "garden",
    "window", "pencil", "lantern", "blanket", "harvest", "station", "mountain", "notebook", "calendar", "umbrella",
    "telephone", "newspaper", "orchestra", "playground", "restaurant", "lighthouse",
)  # fmt: skip
"""Words of everyday things, several of each length from three to ten letters."""
_A_WORD = re.compile(r"(?<![A-Za-z0-9.%\\])[A-Za-z]{3,}(?!-?\d|[A-Za-z])")
_LARGE = 1000
_SOME = 3
_TYPES = {"int": "str", "str": "int", "float": "int", "bool": "int", "dict": "list", "list": "dict"}


def rewritten(code: str, change: Change, where: Where) -> Iterator[str]:
    """`code` with one literal changed, for every literal that `where` finds and `change` knows another value of."""
    count = sum(1 for _ in where(parse(code)))
    for index in range(count):
        tree = parse(code)
        if _put(list(where(tree))[index], change):
            yield ast.unparse(tree)


def all_rewritten(code: str, change: Change, where: Where) -> str:
    """`code` with every literal changed that `where` finds; an inner one before the display that holds it."""
    tree = parse(code)
    for place in reversed(list(where(tree))):
        _put(place, change)
    return ast.unparse(tree)


def consistent(code: str) -> Iterator[str]:
    """`code` with one text changed wherever it stands (as a key too), for every text in it."""
    for text in texts_of(code):
        yield with_texts(code, {text: other_text(text)})


def with_texts(code: str, texts: Mapping[str, str]) -> str:
    """`code` with other texts in the place of those that `texts` names."""
    tree = parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = texts.get(node.value, node.value)
    return ast.unparse(tree)


def texts_of(code: str) -> list[str]:
    """The texts in `code` that carry data, each once."""
    constants = (node.value for node in ast.walk(parse(code)) if isinstance(node, ast.Constant))
    return list(dict.fromkeys(value for value in constants if isinstance(value, str) and value))


def _put(at: Place, change: Change) -> bool:
    holder, field, place = at
    value = getattr(holder, field)
    new = change(value if place is None else value[place])
    if new is None:
        return False
    if place is None:
        setattr(holder, field, new)
    else:
        value[place] = new
    return True


def in_statements(tree: ast.Module) -> Iterator[Place]:
    """Places of literals that carry data in plain statements: not in definitions, f-strings, subscripts or sets."""
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) and statement.value is not None:
            yield from _places(statement, "value", None, statement.value)


def in_definitions(tree: ast.Module) -> Iterator[Place]:
    """Places of literals in the classes, functions and blocks of a context: fields, results, configuration."""
    for definition in tree.body:
        if isinstance(definition, (ast.ClassDef, ast.FunctionDef, ast.With, ast.For)):
            for node in ast.walk(definition):
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) and node.value is not None:
                    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                        yield from _places(node, "value", None, node.value)
                elif isinstance(node, ast.keyword):
                    yield from _places(node, "value", None, node.value)


def in_types(tree: ast.Module) -> Iterator[Place]:
    """Places of names of builtin types, as values and as annotations."""
    for node in ast.walk(tree):
        for field, child in ast.iter_fields(node):
            if isinstance(child, ast.Name) and child.id in _TYPES and field in ("annotation", "slice"):
                yield node, field, None
            elif isinstance(child, list) and field == "args":
                for index, item in enumerate(cast("list[Any]", child)):
                    if isinstance(item, ast.Name) and item.id in _TYPES:
                        yield node, field, index


def _places(holder: ast.AST, field: str, place: int | None, node: ast.expr) -> Iterator[Place]:
    if isinstance(node, ast.Constant):
        yield holder, field, place
        return
    if isinstance(node, (ast.JoinedStr, ast.Subscript, ast.Lambda, ast.Set)):
        return
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        yield holder, field, place
    for name, child in ast.iter_fields(node):
        if isinstance(node, ast.Dict) and name == "keys":
            continue
        if isinstance(child, ast.expr):
            yield from _places(node, name, None, child)
        elif isinstance(child, list):
            for index, item in enumerate(cast("list[Any]", child)):
                if isinstance(item, ast.expr):
                    yield from _places(node, name, index, item)
                elif isinstance(item, ast.keyword):
                    yield from _places(item, "value", None, item.value)


def changed(node: ast.expr) -> ast.expr | None:
    """Another ordinary value of the same type."""
    if isinstance(node, ast.List):
        return ast.List(elts=[*node.elts, node.elts[0]], ctx=node.ctx)
    if not isinstance(node, ast.Constant):
        return None
    value = node.value
    if isinstance(value, bool):
        return ast.Constant(not value)
    if isinstance(value, float) and 0 < value < 1:  # as a share or a probability stays one
        return ast.Constant(round((1 + value) / 2, 6))
    if isinstance(value, (int, float)):
        return ast.Constant(value + 1)
    if isinstance(value, str):
        return ast.Constant(other_text(value)) if value else None
    if isinstance(value, bytes):
        return ast.Constant(value[:-1] + bytes([_next(value[-1])])) if value else None
    return None


def otherwise(node: ast.expr) -> ast.expr | None:
    """A second other value of the same type, where the first one may not do: smaller, shorter, turned round."""
    if isinstance(node, ast.List):
        return ast.List(elts=node.elts[:-1], ctx=node.ctx) if len(node.elts) > 1 else None
    if isinstance(node, ast.Tuple):
        return ast.Tuple(elts=node.elts[::-1], ctx=node.ctx) if len(node.elts) > 1 else None
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return ast.Constant(value - 1) if value > 1 else ast.Constant(value + 2)
    if isinstance(value, float):
        return ast.Constant(value / 2 if value else 0.5)
    if isinstance(value, str):
        return ast.Constant(value.upper() if value != value.upper() else value.lower()) if value else None
    return None


def only_data(node: ast.expr) -> ast.expr | None:
    """`changed`, for constants alone: lengths stay."""
    return changed(node) if isinstance(node, ast.Constant) else None


def other_number(node: ast.expr) -> ast.expr | None:
    """`changed`, for numbers alone."""
    number = (
        isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    )
    return changed(node) if number else None


def smaller_number(node: ast.expr) -> ast.expr | None:
    """`otherwise`, for numbers alone."""
    return otherwise(node) if other_number(node) is not None else None


def twice(node: ast.expr) -> ast.expr | None:
    """A number twice as large, so that what is below or between others stays so; no year, no large one.

    A share, between 0 and 1, becomes half as large: it stays one, and below all that was above it.
    """
    value = node.value if isinstance(node, ast.Constant) and other_number(node) is not None else None
    if not isinstance(value, (int, float)) or abs(value) >= _LARGE:
        return None
    return ast.Constant(value / 2 if 0 < value < 1 else 2 * value)


def turned(node: ast.expr) -> ast.expr | None:
    """A list in the other order, where that is another one."""
    if not isinstance(node, ast.List) or len({ast.unparse(item) for item in node.elts}) < 2:
        return None
    return ast.List(elts=node.elts[::-1], ctx=node.ctx)


def shorter_list(node: ast.expr) -> ast.expr | None:
    """A list without its last item, of those that still are some."""
    return otherwise(node) if isinstance(node, ast.List) and len(node.elts) > _SOME else None


def other_type(node: ast.expr) -> ast.expr | None:
    """Another builtin type for a name of one."""
    return ast.Name(_TYPES[node.id], ast.Load()) if isinstance(node, ast.Name) and node.id in _TYPES else None


def extreme(node: ast.expr) -> ast.expr | None:
    """An edge value of the same type: empty, zero or negative."""
    if isinstance(node, ast.List):
        return ast.List(elts=[], ctx=node.ctx)
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    if isinstance(node.value, (int, float)):
        return ast.UnaryOp(ast.USub(), ast.Constant(node.value)) if node.value > 0 else None
    return ast.Constant("") if isinstance(node.value, str) and node.value else None


def other_text(value: str) -> str:
    """Another text of the same look: its last word is another word, else its last digit or letter is the next one.

    A word has three letters or more that are not all capitals, and no digit goes on with it, as in `utf-8`. The other
    one is as long where there is such a one, and as capital.
    """
    words = [match for match in _A_WORD.finditer(value) if not match[0].isupper()]
    if words and not value.startswith("_"):
        last = words[-1]
        return f"{value[: last.start()]}{_other_word(last[0])}{value[last.end() :]}"
    for index in range(len(value) - 1, -1, -1):
        if value[index].isascii() and value[index].isalnum():
            return f"{value[:index]}{chr(_next(ord(value[index])))}{value[index + 1 :]}"
    return value + "a"


def _other_word(word: str) -> str:
    """The same one for the same word, whatever stands around it: of its kind, where that is known."""
    fitting = fitting_word(word)
    if fitting is not None:
        return fitting
    others = [other for other in _WORDS if other != word.lower()]
    alike = [other for other in others if len(other) == len(word)] or others
    other = alike[zlib.crc32(word.lower().encode()) % len(alike)]
    return other.capitalize() if word[0].isupper() else other


def _next(code: int) -> int:
    """The code of the digit or letter after that one, round at the end."""
    return {ord("9"): ord("0"), ord("z"): ord("a"), ord("Z"): ord("A")}.get(code, (code + 1) % 256)
