"""Deprecations that a function hands on: a private one of the same file, which it calls, gives the warning."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from apigap.discovery.retired.deprecation_classes import last_name
from apigap.discovery.retired.warned import Function, Warned, speaks_of

Told = Mapping[str, Sequence[Warned]]
"""The warnings of the private functions of a file, by name, and of its private methods, by `self.name`."""


class _Call(NamedTuple):
    """A call of a private function: its name, the names that it is passed as they are, and the dictionaries."""

    name: str
    passed: frozenset[str]
    opened: frozenset[str]


def handed_on(function: Function, told: Told) -> Iterator[Warned]:
    """The warnings that a call of `function` brings with it.

    Of a parameter that is passed on under its own name; of a keyword, where `**kwargs` or their dictionary is passed
    on; of the function itself, where it does nothing but call, and the words name it.
    """
    arguments = function.args
    own = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    rest = arguments.kwarg.arg if arguments.kwarg else ""
    for call in _calls(function, rest):
        for one in told.get(call.name, ()):
            if one.parameter in own:
                if one.parameter in call.passed:
                    yield one
            elif one.parameter and rest and rest in call.opened | call.passed:
                yield one
    only = _only_call(function)
    yield from (one for one in told.get(only, ()) if one.parameter is None and speaks_of(one.text, function.name))


def _calls(function: Function, rest: str) -> Iterator[_Call]:
    """The calls of private functions in statements that are reached, or are under `if kwargs:`."""
    for node in function.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == rest:
            yield from _in_statements(node.body)
        else:
            yield from _in_statements([node])
        if isinstance(node, ast.Raise | ast.Return):
            return


def _in_statements(body: Sequence[ast.stmt]) -> Iterator[_Call]:
    for node in body:
        value = node.value if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return) else None
        name = _private_name(value) if isinstance(value, ast.Call) else ""
        if name and isinstance(value, ast.Call):
            names = [name for one in value.args for name in _whole(one)]
            names += [k.arg for k in value.keywords if k.arg and isinstance(k.value, ast.Name) and k.value.id == k.arg]
            opened = {last_name(keyword.value) for keyword in value.keywords if keyword.arg is None}
            yield _Call(name, frozenset(names), frozenset(opened))


def _whole(node: ast.expr) -> list[str]:
    """The names that a value is made of whole: itself, or one of the dictionaries in `kwargs | {...}`."""
    names: list[str] = []
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            left += [part.right, part.left]
        elif isinstance(part, ast.Name):
            names.append(part.id)
    return names


def _only_call(function: Function) -> str:
    """The private function that is all there is beside a docstring; empty where there is more."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    call = next(_in_statements(body), None) if len(body) == 1 else None
    return call.name if call else ""


def _private_name(call: ast.Call) -> str:
    """The name in `_f(...)`, and `self._f` of a method; empty for any other call."""
    target, name = call.func, last_name(call.func)
    if not name.startswith("_") or name.startswith("__"):
        return ""
    if isinstance(target, ast.Attribute):
        return f"self.{name}" if last_name(target.value) in ("self", "cls") else ""
    return name
