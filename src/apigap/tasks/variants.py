"""Other inputs for the same completion: literals of the context, or of the observations, changed one at a time."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from apigap.knowledge.usage import bindings
from apigap.tasks.cut import Draft

_MOST = 14


@dataclass(frozen=True)
class Variant:
    """A context and observations in which something differs from the basic scenario."""

    context: str
    observes: tuple[str, ...]
    edge: bool


def variants(draft: Draft) -> list[Variant]:
    """At most 14 variants in a fixed order: further rows of the test first, then changed literals, then edge values."""
    found: dict[tuple[str, tuple[str, ...]], Variant] = {}
    for variant in _all(draft):
        key = (variant.context, variant.observes)
        if key != (draft.context, draft.observes):
            found.setdefault(key, variant)
    ordered = sorted(found.values(), key=lambda variant: variant.edge)
    edges = [variant for variant in ordered if variant.edge]
    return [variant for variant in ordered if not variant.edge][: _MOST - min(len(edges), 4)] + edges[:4]


def _all(draft: Draft) -> Iterator[Variant]:
    head = "\n".join(draft.prelude)
    for row in draft.variants[:4]:
        yield Variant("\n".join((head, *bindings(row), *draft.setup)), draft.observes, edge=False)
    inputs = "\n".join((*bindings(draft.inputs), *draft.setup))
    for edge, change in ((False, _changed), (True, _extreme)):
        for code in _rewritten(inputs, change, _statements):
            yield Variant("\n".join(part for part in (head, code) if part), draft.observes, edge)
    for edge, change in ((False, _changed), (True, _extreme)):
        for code in _rewritten("\n".join(draft.observes), change, _statements):
            observes = tuple(ast.unparse(node) for node in ast.parse(code).body)
            yield Variant(draft.context, observes, edge)
    for code in _rewritten(draft.context, _changed, _definitions):
        yield Variant(code, draft.observes, edge=False)


_Place = tuple[ast.AST, str, int | None]


def _rewritten(
    code: str, change: Callable[[ast.expr], ast.expr | None], where: Callable[[ast.Module], Iterator[_Place]]
) -> Iterator[str]:
    """`code` with one literal changed, for every literal that `where` finds."""
    count = sum(1 for _ in where(ast.parse(code)))
    for index in range(count):
        tree = ast.parse(code)
        holder, field, place = list(where(tree))[index]
        value = getattr(holder, field)
        new = change(value if place is None else value[place])
        if new is None:
            continue
        if place is None:
            setattr(holder, field, new)
        else:
            value[place] = new
        yield ast.unparse(tree)


def _statements(tree: ast.Module) -> Iterator[_Place]:
    """Places of literals that carry data in plain statements: not in definitions, f-strings or subscripts."""
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) and statement.value is not None:
            yield from _places(statement, "value", None, statement.value)


def _definitions(tree: ast.Module) -> Iterator[_Place]:
    """Places of literals in the classes and functions of a context: values of fields, results, configuration."""
    for definition in tree.body:
        if isinstance(definition, (ast.ClassDef, ast.FunctionDef)):
            for node in ast.walk(definition):
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)) and node.value is not None:
                    yield from _places(node, "value", None, node.value)


def _places(
    holder: ast.AST, field: str, place: int | None, node: ast.expr
) -> Iterator[tuple[ast.AST, str, int | None]]:
    if isinstance(node, ast.Constant):
        yield holder, field, place
        return
    if isinstance(node, (ast.JoinedStr, ast.Subscript, ast.Lambda)):
        return
    if isinstance(node, ast.List) and node.elts:
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


def _changed(node: ast.expr) -> ast.expr | None:
    """Another ordinary value of the same type."""
    if isinstance(node, ast.List):
        return ast.List(elts=[*node.elts, node.elts[0]], ctx=node.ctx)
    if not isinstance(node, ast.Constant):
        return None
    value = node.value
    if isinstance(value, bool):
        return ast.Constant(not value)
    if isinstance(value, (int, float)):
        return ast.Constant(value + 1)
    if isinstance(value, str):
        return ast.Constant(_other_text(value))
    if isinstance(value, bytes):
        return ast.Constant(value + b"7") if value else None
    return None


def _other_text(value: str) -> str:
    """Another text of the same look: the last digit or letter moved on by one."""
    for index in range(len(value) - 1, -1, -1):
        if value[index].isdigit():
            return f"{value[:index]}{(int(value[index]) + 1) % 10}{value[index + 1 :]}"
        if value[index].isascii() and value[index].isalpha():
            moved = {"z": "a", "Z": "A"}.get(value[index], chr(ord(value[index]) + 1))
            return f"{value[:index]}{moved}{value[index + 1 :]}"
    return value + "a"


def _extreme(node: ast.expr) -> ast.expr | None:
    """An edge value of the same type: empty, zero or negative."""
    if isinstance(node, ast.List):
        return ast.List(elts=[], ctx=node.ctx)
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    if isinstance(node.value, int):
        return ast.UnaryOp(ast.USub(), ast.Constant(node.value)) if node.value > 0 else None
    return ast.Constant("") if isinstance(node.value, str) and node.value else None
