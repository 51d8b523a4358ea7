"""Usages of a changed parameter where upstream has none: an upstream usage of the API, given that parameter too."""

import ast
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.usages.imports import most_frequent
from apigap.knowledge.usages.snippets import steps_of
from apigap.knowledge.usages.typical_values import values_of_type
from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.candidate import Candidate, Parameter
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import last_name

_BASES = 8
_VALUES = 2
_MOST = 32
_COMMON = frozenset({"with", "from", "include", "exclude", "allow", "default"})


class ValueBook:
    """Literal values that the release itself passes by keyword, the most frequent ones first."""

    def __init__(self, usages: Iterable[Usage]) -> None:
        self._counts: dict[str, Counter[str]] = {}
        for usage in usages:
            for name, value in _keywords(usage):
                self._counts.setdefault(name, Counter())[value] += 1

    def values(self, parameter: Parameter) -> list[str]:
        """Values to try for `parameter`: its default's opposite, and what upstream passes under that name."""
        found = most_frequent(self._counts.get(parameter.name, Counter[str]()))
        opposite = {"True": "False", "False": "True"}.get(parameter.default or "")
        candidates = [opposite, *found] if opposite else found
        return [value for value in dict.fromkeys(candidates) if value != parameter.default][:_VALUES]


def _keywords(usage: Usage) -> Iterator[tuple[str, str]]:
    for step in usage.steps:
        for node in ast.walk(parse(step.code)):
            if isinstance(node, ast.keyword) and node.arg and _is_literal(node.value):
                yield node.arg, ast.unparse(node.value)


def _is_literal(node: ast.expr) -> bool:
    try:
        return ast.literal_eval(node) is not None
    except (ValueError, TypeError):
        return False


def transplants(candidate: Candidate, changed: Collection[str], bases: Sequence[Usage], book: ValueBook) -> list[Usage]:
    """Usages of `bases` with one of the `changed` parameters passed too, at most 24, all parameters in turn.

    For each parameter the bases that mention words of its name come first: an argument about aliases shows in
    code that has aliases.
    """
    parameters = [p for p in surface_of(candidate).parameters if p.name in changed and not p.kind.startswith("var_")]
    rows = [
        [
            made
            for usage in _nearest(parameter.name, bases)
            for value in _values(parameter, book)
            if (made := with_argument(usage, candidate.leaf, parameter.name, value)) is not None
        ]
        for parameter in parameters
    ]
    turns = itertools.zip_longest(*rows)
    return [usage for turn in turns for usage in turn if usage is not None][:_MOST]


def _values(parameter: Parameter, book: ValueBook) -> list[str]:
    """Values that the release passes under the parameter's name, and choices that its declared type names."""
    declared = (value for value in values_of_type(parameter.annotation or "") if value != parameter.default)
    return list(dict.fromkeys((*book.values(parameter), *declared)))[: _VALUES + 1]


def _nearest(name: str, bases: Sequence[Usage]) -> list[Usage]:
    words = {word for word in name.lower().split("_") if len(word) > 3 and word not in _COMMON}

    def affinity(usage: Usage) -> int:
        mentioned = {identifier.lower() for identifier in usage.identifiers}
        return sum(any(word.rstrip("s") in identifier for identifier in mentioned) for word in words)

    return sorted(bases, key=lambda usage: -affinity(usage))[:_BASES]


def with_argument(usage: Usage, leaf: str, name: str, value: str, *, instead: bool = False) -> Usage | None:
    """`usage` with `name=value` in its first call of `leaf`; None where there is none, or it has the argument already.

    With `instead` an argument that the call has already gets the value.
    """
    steps: list[Step] = []
    done = False
    for step in usage.steps:
        if done or not step.code:
            steps.append(step)
            continue
        tree = parse(step.code)
        call = next(
            (node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) == leaf), None
        )
        if call is None:
            steps.append(step)
            continue
        if any(keyword.arg == name for keyword in call.keywords):
            if not instead:
                return None
            call.keywords = [keyword for keyword in call.keywords if keyword.arg != name]
        steps.append(_extended(step, call, tree, ast.keyword(name, expression_tree(value))))
        done = True
    if not done:
        return None
    return usage.replaced(steps=tuple(steps), source=f"{usage.source} with {name}={value}")


def _extended(step: Step, call: ast.Call, tree: ast.Module, keyword: ast.keyword) -> Step:
    """The step with one more argument; what an assertion then claims is no longer known, so it only shows its value."""
    call.keywords.append(keyword)
    if step.expression is None:
        return Step(code=ast.unparse(tree))
    expression = next(iter(steps_of(tree.body[0]))).expression or ast.unparse(call)
    return Step(code=f"print({expression})", expression=expression)
