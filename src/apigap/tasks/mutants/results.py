"""Mutants that call the API without using what it gives, and that do not call it."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

from apigap.records.parsing.syntax import expression_tree
from apigap.tasks.mutants.facts import Facts
from apigap.tasks.mutants.mutant import SAME, Mutant
from apigap.tasks.mutants.target import Target, Use, ancestors, parents, replace_node, unparse

_PROBE = f"""{SAME} = []
def _note(result, other):
    {SAME}.append(result is other)
    return result
"""


def unused(target: Target, facts: Facts) -> Iterator[Mutant]:
    """The call is made; an input or a dummy stands for its result."""
    for number, stand_in in _stand_ins(target, facts):
        code = _replaced(target, number, lambda use, s=stand_in: expression_tree(f"({ast.unparse(use)}, {s})[1]"))
        probe = _replaced(target, number, lambda use, s=stand_in: expression_tree(f"_note({ast.unparse(use)}, {s})"))
        yield Mutant("result not used", f"{stand_in} for its result", code, probe=_PROBE + probe)


def left_out(target: Target, facts: Facts) -> Iterator[Mutant]:
    """The statement dropped, every statement dropped, or an input in the place of the call."""
    count = len(target.uses(target.parse()))
    for number in range(count):
        yield Mutant("call omitted", f"use {number + 1} dropped", _dropped(target, (number,)))
    if count > 1:
        yield Mutant("call omitted", "all uses dropped", _dropped(target, tuple(range(count))))
    for number, stand_in in _stand_ins(target, facts):
        code = _replaced(target, number, lambda _, s=stand_in: expression_tree(s))
        yield Mutant("call omitted", f"{stand_in} instead of the call", code)


def _stand_ins(target: Target, facts: Facts) -> Iterator[tuple[int, str]]:
    """(number of the use, source) pairs: what can stand where a result was used."""
    tree = target.parse()
    above = parents(tree)
    for number, use in enumerate(target.uses(tree)):
        if not isinstance(use, (ast.Call, ast.Attribute)):
            continue
        around = above[id(use)]
        if isinstance(around, ast.Await):
            around = above[id(around)]
        if isinstance(around, ast.Expr):
            continue  # nothing uses the result there
        yield from ((number, source) for source in _sources(use, around, facts))


def _sources(use: ast.Call | ast.Attribute, around: ast.AST, facts: Facts) -> Iterator[str]:
    if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
        isinstance(around, ast.ClassDef) and use in around.decorator_list
    ):
        yield "lambda it: it"
    elif isinstance(around, ast.ClassDef):
        yield "object"
    elif isinstance(around, ast.withitem):
        yield "__import__('contextlib').nullcontext()"
    else:
        given = _input(use, facts)
        if given is not None:
            yield given
        yield "None"


def _input(use: ast.Call | ast.Attribute, facts: Facts) -> str | None:
    """The first argument or, where there is none, the object that the method or property belongs to."""
    arguments = [*use.args, *(keyword.value for keyword in use.keywords)] if isinstance(use, ast.Call) else []
    plain = [value for value in arguments if not isinstance(value, (ast.Starred, ast.Lambda, ast.GeneratorExp))]
    if plain:
        text = ast.unparse(plain[0])
        return None if text == "None" or isinstance(plain[0], ast.NamedExpr) else text
    function = use.func if isinstance(use, ast.Call) else use
    if not isinstance(function, ast.Attribute):
        return None
    receiver = ast.unparse(function.value)
    forms = facts.forms(receiver)
    return receiver if forms and not any(isinstance(form, dict) and "module" in form for form in forms) else None


def _replaced(target: Target, number: int, make: Callable[[ast.AST], ast.expr]) -> str:
    """The code with a use of the API, and the `await` around it, replaced by what `make` gives for it."""
    tree = target.parse()
    use: ast.AST = target.uses(tree)[number]
    around = parents(tree)[id(use)]
    node = around if isinstance(around, ast.Await) else use
    replace_node(tree, node, make(node))
    return unparse(tree)


def _dropped(target: Target, numbers: tuple[int, ...]) -> str:
    """The code without the statements, or the parts of their heads, that hold these uses."""
    tree = target.parse()
    uses = target.uses(tree)
    above = parents(tree)
    gone: set[int] = set()
    for number in numbers:
        _drop(uses[number], above, gone)
    return unparse(tree)


def _drop(use: Use, above: dict[int, ast.AST], gone: set[int]) -> None:
    """Take away the smallest thing around `use` that can be missing; `gone` are ids of what has been taken away."""
    inner: ast.AST = use
    for node in ancestors(use, above):
        if id(inner) in gone:
            return
        head = _head(node, inner)
        if head is not None:
            gone.add(id(inner))
            head[:] = [part for part in head if part is not inner]
            if isinstance(node, (ast.With, ast.AsyncWith)) and not node.items:
                _unwrap(node, above)
            return
        if isinstance(node, ast.stmt):
            _put(node, [], above)
            return
        inner = node


def _head(node: ast.AST, part: ast.AST) -> list[Any] | None:
    """The list of items, decorators, bases or keywords of a statement's head that `part` is in."""
    lists: list[list[Any]] = []
    if isinstance(node, (ast.With, ast.AsyncWith)):
        lists = [node.items]
    elif isinstance(node, ast.ClassDef):
        lists = [node.decorator_list, node.bases, node.keywords]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        lists = [node.decorator_list]
    return next((found for found in lists if any(part is one for one in found)), None)


def _unwrap(node: ast.With | ast.AsyncWith, above: dict[int, ast.AST]) -> None:
    """Put the body of a `with` in its place."""
    _put(node, node.body, above)
    for child in node.body:
        above[id(child)] = above[id(node)]


def _put(statement: ast.stmt, instead: list[ast.stmt], above: dict[int, ast.AST]) -> None:
    for name in ("body", "orelse", "finalbody"):
        block: list[ast.stmt] | None = getattr(above[id(statement)], name, None)
        if isinstance(block, list) and statement in block:
            at = block.index(statement)
            block[at : at + 1] = instead
            return
