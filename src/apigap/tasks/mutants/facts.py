"""Facts about a target and the code around an answer, gathered before anything is mutated."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from apigap.knowledge.usages.names import bound_names
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse
from apigap.tasks.mutants.target import Target

_NAMES = 40


@dataclass(frozen=True)
class Facts:
    """The inputs of the mutators; an empty field means that it is not known.

    `positional` are the parameters that can be given by position, without self. `defaults` maps parameters to the
    source of their default, `former_defaults` those whose default is another now to what it was. `changed` are the
    parameters that the old version does not have in this form. `values` maps an expression to its fingerprints before
    the answer runs, one per scenario; `names` are those that the context binds.
    """

    siblings: Sequence[Candidate] = ()
    positional: Sequence[str] = ()
    defaults: Mapping[str, str] = field(default_factory=dict[str, str])
    former_defaults: Mapping[str, str] = field(default_factory=dict[str, str])
    changed: frozenset[str] = frozenset()
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    names: Sequence[str] = ()

    def forms(self, text: str) -> Sequence[Any]:
        """The fingerprints of an expression in every scenario; empty where one is not known."""
        found = self.values.get(text, ())
        return () if any(isinstance(form, dict) and "raises" in form for form in found) else found

    def same(self, left: ast.expr, right: ast.expr) -> bool:
        """Check that two expressions provably have the same value in every scenario."""
        if ast.dump(left) == ast.dump(right):
            return True
        one, other = constant(left), constant(right)
        if one is not None and other is not None:
            return _equal(one[0], other[0])
        forms, others = self.forms(ast.unparse(left)), self.forms(ast.unparse(right))
        return bool(forms) and all(map(is_plain, forms)) and list(forms) == list(others)


def context_names(context: str) -> tuple[str, ...]:
    """The names that a context binds, other than by imports, in order."""
    bound = [
        name
        for statement in parse(context).body
        if not isinstance(statement, (ast.Import, ast.ImportFrom))
        for name in sorted(bound_names(statement))
    ]
    return tuple(dict.fromkeys(name for name in bound if not name.startswith("__")))[:_NAMES]


def questions(code: str, leaf: str, facts: Facts) -> tuple[str, ...]:
    """The expressions whose values before the answer tell which mutants are none: see `Facts.values`."""
    target = Target(code, leaf)
    found: list[str] = []
    for call in target.calls(target.parse()):
        if isinstance(call.func, ast.Attribute):
            found.append(ast.unparse(call.func.value))
        values = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
        found += [ast.unparse(value) for value in (*values, *(keyword.value for keyword in call.keywords))]
    return tuple(dict.fromkeys((*found, *facts.names, *facts.defaults.values(), *facts.former_defaults.values())))


def constant(node: ast.expr) -> tuple[Any] | None:
    """The value of a literal, in a tuple of one; None for any other expression."""
    try:
        return (ast.literal_eval(node),)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def is_plain(form: Any) -> bool:
    """Check that equal fingerprints of this form mean equal values: no object whose state is not seen, nothing cut."""
    if isinstance(form, list):
        return all(map(is_plain, cast("list[Any]", form)))
    if not isinstance(form, dict):
        return True
    known = cast("dict[str, Any]", form)
    if {"cut", "raises", "fields", "iterator", "samples", "sha256", "function"} & known.keys():
        return False
    return all(map(is_plain, known.values()))


def _equal(left: Any, right: Any) -> bool:
    """Equality that tells True from 1, and takes 1 and 1.0 for the same."""
    numbers = (int, float, complex)
    if type(left) in numbers and type(right) in numbers:
        return left == right
    return type(left) is type(right) and repr(left) == repr(right)
