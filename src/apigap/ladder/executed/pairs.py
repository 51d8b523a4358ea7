"""Two calls asked for at once, where one gives too few values: each of both ways to call may stand in both places.

So the four options are the two by two ways to pair both values, and none differs in form from the others.
"""

import ast
from collections import Counter
from collections.abc import Sequence

from apigap.knowledge.usages.names import bound_names
from apigap.ladder.executed.options import Chosen, Executed
from apigap.ladder.executed.plain import MOST, kind_of, stands_in, value_of
from apigap.ladder.executed.wrong import WrongProgram
from apigap.records.parsing.syntax import parse

_STRAIN = 3
"""As that of a choice of single values whose right one is a place from its draw in each way: better ones come first."""
Paired = tuple[str, Executed, Chosen]
_Call = tuple[str, str]
"""A completion, and what it gives."""


def paired(
    context: str,
    completion: str,
    expression: str,
    right: str,
    others: Sequence[tuple[WrongProgram, str]],
    *,
    alike: bool,
) -> Paired | None:
    """The choice that asks for `expression` after the call and after one of `others`, in this order.

    `right` is what the call gives, `others` are programs that call the same API in another way with what they give.
    Where it is to be `alike`, another call that gives the same is asked for, as far as there is one: that two calls
    differ says nothing of what they give. None where no call gives another value.
    """
    own = [(one, value) for one, value in others if one.context == context and kind_of(value) == kind_of(right)]
    same = [(one.completion, value) for one, value in own if value == right] if alike else []
    for one, value in own:
        if value_of(value) == value_of(right) or len(_pair(right, value)) > MOST:
            continue
        call, other = (completion, right), (one.completion, value)
        for second in (*same[:1], other):
            made = _asked(context, call, second, other, expression)
            if made is not None:
                return made
    return None


def _asked(context: str, first: _Call, second: _Call, other: _Call, expression: str) -> Paired | None:
    """The choice whose right program has the `first` and the `second` call; the `other` one gives the wrong values."""
    if any(_reads_what_it_binds(call) for call, _ in (first, second, other)):
        return None  # in the second place its names would stand for what the first call has left
    names = _bound(first[0]) & _bound(second[0]) & _bound(other[0])
    renamed = _renamed(expression, names)
    if renamed == ast.unparse(parse(expression)):
        return None  # it looks at what goes in, which both calls share
    differing = [(first, second), (second, first), (first, first), (second, second)]
    rows = differing if second is other else [(first, second), (first, other), (other, second), (other, other)]
    options = [Executed(_pair(a[1], b[1]), _program(context, a[0], b[0])) for a, b in rows]
    values, calls = (first[1], other[1]), (first[0], other[0])
    is_visible = all(stands_in(value, "\n".join(calls)) or stands_in(value, context) for value in values)
    if is_visible and (not isinstance(value_of(values[0]), bool) or _is_handed_through(calls, values)):
        return None
    return f"({expression}, {renamed})", options[0], Chosen(tuple(options[1:]), _STRAIN)


def _is_handed_through(calls: tuple[str, str], values: tuple[str, str]) -> bool:
    """True where each call alone writes the value that it gives."""
    first, second = (Counter(_literals(call)) for call in calls)
    return bool((first - second)[values[0]] and (second - first)[values[1]])


def _literals(code: str) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(parse(code)) if isinstance(node, ast.Constant)]


def _pair(first: str, second: str) -> str:
    return f"({first}, {second})"


def _program(context: str, first: str, second: str) -> str:
    """Both calls after the context; what the second one binds has names of its own."""
    body = [node for node in parse(second).body if not isinstance(node, ast.Import | ast.ImportFrom)]
    again = _renamed(ast.unparse(ast.Module(body, [])), _bound(second))
    return "\n".join(part.strip("\n") for part in (context, first, again) if part.strip())


def _bound(code: str) -> frozenset[str]:
    nodes = [node for node in parse(code).body if not isinstance(node, ast.Import | ast.ImportFrom)]
    return frozenset(name for node in nodes for name in bound_names(node))


def _reads_what_it_binds(code: str) -> bool:
    """True of `data = f(data)`: a name is read by a statement before any other binds it, and bound by the code."""
    every, bound = _bound(code), set[str]()
    for node in parse(code).body:
        parts = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        read = {part.id for part in parts if isinstance(part.ctx, ast.Load)}
        here = set(bound_names(node))
        if isinstance(node, ast.AugAssign):
            read |= here
        elif not isinstance(node, ast.Assign | ast.AnnAssign):
            read -= here  # a loop, a definition: what it binds it may read
        if read & every - bound:
            return True
        bound |= here
    return False


def _renamed(code: str, names: frozenset[str]) -> str:
    return ast.unparse(_Renamed(names).visit(parse(code)))


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}_2", node.ctx) if node.id in self.names else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.name = f"{node.name}_2" if node.name in self.names else node.name
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = f"{node.name}_2" if node.name in self.names else node.name
        return node
