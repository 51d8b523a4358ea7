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

_STRAIN = 8
"""More than that of any choice of single values: a pair is asked for where there is none."""
Paired = tuple[str, Executed, Chosen]


def paired(
    context: str, completion: str, expression: str, right: str, others: Sequence[tuple[WrongProgram, str]]
) -> Paired | None:
    """The choice that asks for `expression` after the call and after the first of `others` that gives something else.

    `right` is what the call gives, `others` are programs that call the same API in another way with what they give.
    None where no other value fits.
    """
    for one, value in others:
        if one.context != context or kind_of(value) != kind_of(right) or value_of(value) == value_of(right):
            continue
        if len(_pair(right, value)) > MOST:
            continue
        made = _asked(context, (completion, one.completion), expression, (right, value))
        if made is not None:
            return made
    return None


def _asked(context: str, calls: tuple[str, str], expression: str, values: tuple[str, str]) -> Paired | None:
    renamed = _renamed(expression, _bound(calls[0]) & _bound(calls[1]))
    if renamed == ast.unparse(parse(expression)):
        return None  # it looks at what goes in, which both calls share
    options = [
        Executed(_pair(values[a], values[b]), _program(context, calls[a], calls[b]))
        for a, b in ((0, 1), (1, 0), (0, 0), (1, 1))
    ]
    right, *wrong = options
    is_visible = all(stands_in(value, right.program) for value in values)
    if is_visible and (not isinstance(value_of(values[0]), bool) or _is_handed_through(calls, values)):
        return None
    return f"({expression}, {renamed})", right, Chosen(tuple(wrong), _STRAIN)


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
