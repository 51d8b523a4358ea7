"""Annotations of Python as types of parameters. They are read as text; nothing in them is looked up or run."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from apigap.apibank_generator.checks.value_types import value_type
from apigap.apibank_generator.records import ValueType
from apigap.apibank_generator.seeds.call_values import MAPPING, as_list_of, type_of
from apigap.records.parsing.syntax import expression_tree, literal_value


class AnnotationType(NamedTuple):
    """A type: None where JSON has none such; `unsupported` as `sayable.given` has it; the values of a `Literal`."""

    kind: ValueType | None
    unsupported: str = ""
    choices: tuple[Any, ...] = ()


_UNKNOWN = AnnotationType(None)


def annotation_type(text: str) -> AnnotationType:
    """The type that an annotation or a docstring means; of several (`int | str`) the first that a call can hold."""
    try:
        return _typed(expression_tree(text.strip()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        kind = value_type(text)
        return AnnotationType(kind, MAPPING if kind == "dict" else "")


def default_type(default: str | None) -> AnnotationType:
    """The type of a default, of which the source text is given; unknown of None, and of what is no literal."""
    try:
        value: Any = literal_value(default or "None")
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return _UNKNOWN
    return _UNKNOWN if value is None else _typed_value(value)


def _typed_value(value: Any) -> AnnotationType:
    kind = value_type(type(value).__name__)
    if kind != "list":
        return AnnotationType(kind, MAPPING if kind == "dict" else "")
    return _list_of([_typed_value(item) for item in value])


def _typed(node: ast.expr) -> AnnotationType:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return annotation_type(node.value)
    if isinstance(node, ast.BinOp | ast.BoolOp):
        return _first(list(_members(node)))
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _generic(node.value, inner)
    if not isinstance(node, ast.Name | ast.Attribute):
        return _UNKNOWN
    kind = value_type(_name(node)) if _name(node) != "object" else None
    return AnnotationType(kind, MAPPING if kind == "dict" else "")


def _generic(outer: ast.expr, inner: Sequence[ast.expr]) -> AnnotationType:
    name = _name(outer)
    if name in ("Optional", "Union"):
        return _first(inner)
    if name == "Annotated":
        return _first(inner[:1])
    if name == "Literal":
        choices = tuple(one.value for one in inner if isinstance(one, ast.Constant) and one.value is not None)
        return AnnotationType(type_of(choices), "", choices)
    plain = _typed(outer)
    return _list_of([_typed(one) for one in inner]) if plain.kind == "list" else plain


def _first(members: Sequence[ast.expr]) -> AnnotationType:
    """The first that a call can hold; where it can hold none, the first that is known."""
    found = [one for one in map(_typed, members) if one.kind is not None]
    return next((one for one in found if not one.unsupported), found[0] if found else _UNKNOWN)


def _list_of(items: Sequence[AnnotationType]) -> AnnotationType:
    unsupported_items = (as_list_of(item.kind, item.unsupported) for item in items if item.kind is not None)
    return AnnotationType("list", next((one for one in unsupported_items if one), ""))


def _members(node: ast.expr) -> Iterator[ast.expr]:
    """The members of `a | b`, and of a docstring's `a or b`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _members(node.left)
        yield from _members(node.right)
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        yield from node.values
    elif not isinstance(node, ast.BinOp | ast.BoolOp):
        yield node


def _name(node: ast.expr) -> str:
    """The last part of a dotted name; empty of anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
