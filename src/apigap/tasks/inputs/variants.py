"""Other inputs for the same completion: literals of the context, or of the observations, changed."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from apigap.knowledge.usages.usage import bindings
from apigap.records.parsing.syntax import parse
from apigap.tasks.cut import Draft
from apigap.tasks.inputs.literals import (
    all_rewritten,
    changed,
    consistent,
    extreme,
    in_definitions,
    in_statements,
    in_types,
    only_data,
    other_type,
    otherwise,
    rewritten,
    turned,
    twice,
)

_MOST = 18
_EDGES = 5
_FURTHER = 6
_SOME = 3
_FLAGS = frozenset({0, 1})
_NUMPY = frozenset({"np", "numpy"})


@dataclass(frozen=True)
class Variant:
    """A context and observations in which something differs from the basic scenario."""

    context: str
    observes: tuple[str, ...]
    edge: bool

    @property
    def text(self) -> str:
        """The context and the observations as one program."""
        return "\n".join((self.context, *self.observes))


def variants(draft: Draft) -> list[Variant]:
    """At most 18 variants in a fixed order: further rows of the test first, then changed literals, then edge values."""
    found: dict[tuple[str, tuple[str, ...]], Variant] = {}
    for variant in _all(draft):
        key = (variant.context, variant.observes)
        if key != (draft.context, draft.observes):
            found.setdefault(key, variant)
    edges = [variant for variant in found.values() if variant.edge][:_EDGES]
    return [variant for variant in found.values() if not variant.edge][: _MOST - len(edges)] + edges


def in_other_order(draft: Draft) -> list[Variant]:
    """A few variants that show more than a changed literal: lists turned round, numbers doubled, arrays raised."""
    head = "\n".join(draft.prelude)
    inputs = "\n".join((*bindings(draft.inputs), *draft.setup))
    arrays = [index for index, node in enumerate(parse(inputs).body) if is_array(node)]
    codes = (
        *rewritten(inputs, turned, in_statements),
        all_rewritten(inputs, twice, in_statements),
        *(raised(inputs, index) for index in arrays),
    )
    found = [Variant("\n".join(part for part in (head, code) if part), draft.observes, edge=False) for code in codes]
    return [one for one in dict.fromkeys(found) if one.context != draft.context][:_FURTHER]


def in_turns(found: Sequence[Variant], context: str) -> list[Variant]:
    """The variants in turns by the statement of the context that they change first: every input has one soon."""
    own = [ast.unparse(node) for node in parse(context).body]
    groups: dict[int, list[Variant]] = {}
    for one in found:
        lines = [ast.unparse(node) for node in parse(one.context).body]
        place = next((n for n, (a, b) in enumerate(zip(own, lines, strict=False)) if a != b), len(own))
        groups.setdefault(place, []).append(one)
    return [one for turn in zip_longest(*groups.values()) for one in turn if one is not None]


def keeps_flags(context: str, original: str) -> bool:
    """Check that lists of zeros and ones stay such: labels of two classes, marks, masks."""
    before, after = _lists_of_numbers(original), _lists_of_numbers(context)
    return len(before) != len(after) or all(
        set(new) <= _FLAGS for old, new in zip(before, after, strict=True) if set(old) <= _FLAGS
    )


def _lists_of_numbers(code: str) -> list[list[Any]]:
    """The lists of some whole numbers in a program, in order."""
    lists = (node for node in ast.walk(parse(code)) if isinstance(node, (ast.List, ast.Tuple)))
    values: Iterator[list[Any]] = (
        [item.value for item in node.elts if isinstance(item, ast.Constant)] for node in lists
    )
    return [own for own in values if len(own) >= _SOME and all(type(value) is int for value in own)]


def is_array(node: ast.stmt) -> bool:
    """Check for a name that is given what a function or method of numpy makes."""
    value: ast.expr | None = node.value if isinstance(node, ast.Assign) else None
    while isinstance(value, (ast.Call, ast.Attribute)):
        value = value.func if isinstance(value, ast.Call) else value.value
    return isinstance(value, ast.Name) and value.id in _NUMPY and isinstance(node, ast.Assign)


def raised(code: str, index: int) -> str:
    """`code` with one more for every item of the array that its statement of that index makes: shapes stay."""
    tree = parse(code)
    node = tree.body[index]
    if isinstance(node, ast.Assign):
        node.value = ast.BinOp(node.value, ast.Add(), ast.Constant(1))
    return ast.unparse(tree)


def _all(draft: Draft) -> Iterator[Variant]:
    head = "\n".join(draft.prelude)
    inputs = "\n".join((*bindings(draft.inputs), *draft.setup))
    for row in draft.variants[:4]:
        yield Variant("\n".join((head, *bindings(row), *draft.setup)), draft.observes, edge=False)
    for edge, codes in ((False, _others(inputs)), (True, rewritten(inputs, extreme, in_statements))):
        for code in codes:
            yield Variant("\n".join(part for part in (head, code) if part), draft.observes, edge)
    asked = "\n".join(draft.observes)
    for edge, change in ((False, changed), (True, extreme)):
        for code in rewritten(asked, change, in_statements):
            yield Variant(draft.context, tuple(ast.unparse(node) for node in parse(code).body), edge)
    for code in rewritten(draft.context, changed, in_definitions):
        yield Variant(code, draft.observes, edge=False)
    for code in rewritten(draft.context, other_type, in_types):
        yield Variant(code, draft.observes, edge=False)


def _others(code: str) -> Iterator[str]:
    """`code` with one literal changed, one text changed wherever it stands, all changed, one in another way."""
    yield from rewritten(code, changed, in_statements)
    yield from consistent(code)
    yield all_rewritten(code, only_data, in_statements)
    yield from rewritten(code, otherwise, in_statements)
