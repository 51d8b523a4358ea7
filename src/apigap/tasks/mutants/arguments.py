"""Mutants of the arguments that an answer gives to the API."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from apigap.records.parsing.syntax import expression_tree
from apigap.tasks.mutants.facts import Facts
from apigap.tasks.mutants.mutant import Mutant
from apigap.tasks.mutants.target import Target
from apigap.tasks.mutants.values import other_value


@dataclass(frozen=True)
class _Argument:
    """One argument of one call; `parameter` is None where it cannot be told."""

    call: int
    number: int
    value: ast.expr
    parameter: str | None
    positional: bool

    @property
    def title(self) -> str:
        if isinstance(self.value, ast.Starred):
            return ast.unparse(self.value)
        return self.parameter or ("**" if not self.positional else f"argument {self.number + 1}")

    @property
    def place(self) -> tuple[int, int]:
        return (self.call, self.number)


def omitted(target: Target, facts: Facts) -> Iterator[Mutant]:
    """One argument left out, unless it is the default anyway."""
    for argument in _arguments(target, facts):
        if not _is_default(argument, facts):
            code = target.edit(argument.call, lambda call, n=argument.number: _remove(call, {n}))
            vital = argument.parameter in facts.changed
            yield Mutant("omitted argument", f"without {argument.title}", code, vital, (argument.place,))


def as_before(target: Target, facts: Facts) -> Iterator[Mutant]:
    """The call without what the old version does not know; where it passes none of that, with its former defaults."""
    arguments = list(_arguments(target, facts))
    for number in range(len(target.calls(target.parse()))):
        own = [argument for argument in arguments if argument.call == number]
        new = [one for one in own if one.parameter in facts.changed and not isinstance(one.value, ast.Starred)]
        if new and not all(_is_default(one, facts) for one in new):
            code = target.edit(number, lambda call, n={one.number for one in new}: _remove(call, n))
            names = ", ".join(one.title for one in new)
            yield Mutant("old signature", f"without {names}", code, True, tuple(one.place for one in new))
        elif not new and not any(one.parameter is None for one in own):  # a star may pass any parameter
            yield from _with_former_defaults(target, number, {one.parameter for one in own}, facts)


def _with_former_defaults(target: Target, number: int, passed: set[str | None], facts: Facts) -> Iterator[Mutant]:
    for name, source in facts.former_defaults.items():
        if name not in passed and not _same_source(source, facts.defaults.get(name), facts):
            keyword = ast.keyword(name, expression_tree(source))
            code = target.edit(number, lambda call, added=keyword: call.keywords.append(added))
            yield Mutant("old signature", f"{name}={source}, its former default", code)


def default_written(target: Target, facts: Facts) -> Iterator[Mutant]:
    """The parameter's default in the place of the value."""
    for argument in _arguments(target, facts):
        source = facts.defaults.get(argument.parameter or "")
        if source is not None and not _is_default(argument, facts):
            code = _with_value(target, argument, expression_tree(source))
            yield Mutant("default written", f"{argument.title}={source}", code, places=(argument.place,))


def changed(target: Target, facts: Facts) -> Iterator[Mutant]:
    """Another value of the same type in the place of the value."""
    for argument in _arguments(target, facts):
        other = other_value(argument.value, facts)
        if other is not None and not facts.same(argument.value, other):
            what = f"{argument.title}: {ast.unparse(other)}"
            yield Mutant("changed argument", what, _with_value(target, argument, other), places=(argument.place,))


def swapped(target: Target, facts: Facts) -> Iterator[Mutant]:
    """Two neighbouring positional arguments in each other's place."""
    arguments = [argument for argument in _arguments(target, facts) if argument.positional]
    for first, second in pairwise(arguments):
        starred = isinstance(first.value, ast.Starred) or isinstance(second.value, ast.Starred)
        if first.call == second.call and not starred and not facts.same(first.value, second.value):
            code = target.edit(first.call, lambda call, n=first.number: _swap(call, n))
            what = f"{first.title} and {second.title} swapped"
            yield Mutant("swapped arguments", what, code, places=(first.place, second.place))


def _arguments(target: Target, facts: Facts) -> Iterator[_Argument]:
    """Every argument of every call, in order; positions behind a star have no known parameter."""
    for number, call in enumerate(target.calls(target.parse())):
        starred = False
        for index, value in enumerate(call.args):
            starred = starred or isinstance(value, ast.Starred)
            known = not starred and index < len(facts.positional)
            yield _Argument(number, index, value, facts.positional[index] if known else None, positional=True)
        for index, keyword in enumerate(call.keywords, start=len(call.args)):
            yield _Argument(number, index, keyword.value, keyword.arg, positional=False)


def _is_default(argument: _Argument, facts: Facts) -> bool:
    source = facts.defaults.get(argument.parameter or "")
    return source is not None and facts.same(argument.value, expression_tree(source))


def _same_source(left: str, right: str | None, facts: Facts) -> bool:
    return right is not None and facts.same(expression_tree(left), expression_tree(right))


def _with_value(target: Target, argument: _Argument, value: ast.expr) -> str:
    def change(call: ast.Call) -> None:
        if argument.number < len(call.args):
            call.args[argument.number] = value
        else:
            call.keywords[argument.number - len(call.args)].value = value

    return target.edit(argument.call, change)


def _remove(call: ast.Call, numbers: set[int]) -> None:
    """Without these arguments; what stood behind a removed positional one moves forward."""
    count = len(call.args)
    call.keywords = [keyword for index, keyword in enumerate(call.keywords, start=count) if index not in numbers]
    call.args = [value for index, value in enumerate(call.args) if index not in numbers]


def _swap(call: ast.Call, first: int) -> None:
    call.args[first], call.args[first + 1] = call.args[first + 1], call.args[first]
