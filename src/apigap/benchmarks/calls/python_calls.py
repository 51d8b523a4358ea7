"""Calls that are written as Python writes them: `[first(a=1), second(b="x")]`, or one after the other between prose.

Nothing is evaluated: a call is read as a tree, and its arguments as literals. `true`, `false` and `null` stand for the
values that JSON gives these words.
"""

import ast
import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, cast

from apigap.benchmarks.calls.check import Call
from apigap.benchmarks.json_values import end_of_brackets
from apigap.records.parsing.json_shapes import is_object
from apigap.records.parsing.syntax import expression_tree

_ARGUMENT = r"\(\s*+(?:\)|\w++\s*+=(?!=))"
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|[()\[\]{}]")
_WORDS = {"true": True, "false": False, "null": None}
_LONGEST = 20_000
_DEEPEST = 50
_MOST_BROKEN = 100
_UNREADABLE = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)


class Written(NamedTuple):
    """The calls of a text in their order, and the number of those that begin and cannot be read."""

    calls: list[Call]
    broken: int


def read_written(text: str, offered: Collection[str]) -> Written:
    """The calls in `text`; never raises.

    A call begins with a name and a bracket behind it, within which an argument is named, or nothing stands. Behind the
    name of an `offered` function anything may stand; what is not `name=literal` then makes a call that cannot be read.
    """
    opening = _opening(offered)
    calls: list[Call] = []
    at, broken = 0, 0
    while broken < _MOST_BROKEN and (found := opening.search(text, at)):
        bracket = found.end("name")
        end = end_of_brackets(text, bracket, _TOKEN, _DEEPEST, _LONGEST)
        call = _call(found["name"], text[bracket:end]) if end else None
        if call is None:
            broken += 1
        else:
            calls.append(call)
        at = end or found.end()
    return Written(calls, broken)


def _opening(offered: Collection[str]) -> re.Pattern[str]:
    """The beginning of a call; longer names come first, so that none is cut short."""
    known = "|".join(re.escape(name) for name in sorted(offered, key=lambda name: (-len(name), name)))
    any_name = rf"[^\W\d][\w.]*+(?={_ARGUMENT})"
    return re.compile(
        rf"(?<![\w.])(?P<name>(?:{known})(?=\()|{any_name})" if known else rf"(?<![\w.])(?P<name>{any_name})"
    )


def _call(name: str, brackets: str) -> Call | None:
    """The call of a name with what stands in brackets behind it; None where that is not `name=literal` throughout."""
    try:
        tree = expression_tree(f"f{brackets}")
        if not isinstance(tree, ast.Call) or tree.args or not isinstance(tree.func, ast.Name):
            return None
        given = {keyword.arg: _json(ast.literal_eval(_Words().visit(keyword.value))) for keyword in tree.keywords}
    except _UNREADABLE:
        return None
    return Call(name, {key: value for key, value in given.items() if key}) if None not in given else None


class _Words(ast.NodeTransformer):
    """Gives the words of JSON their values."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Constant(_WORDS[node.id]), node) if node.id in _WORDS else node


def _json(value: Any) -> Any:
    """A literal as JSON has it: tuples are lists.

    Raises:
        ValueError: for what JSON has not: sets, bytes, complex numbers, keys that are no text.
    """
    if isinstance(value, tuple | list):
        return [_json(inner) for inner in cast("Sequence[Any]", value)]
    if is_object(value):
        if not all(isinstance(key, str) for key in list[Any](value)):
            raise ValueError("keys are texts")
        return {key: _json(inner) for key, inner in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"{type(value).__name__} is no JSON")
