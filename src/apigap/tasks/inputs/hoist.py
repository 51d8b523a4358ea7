"""Arguments and receivers with names of their own in the context: what is an input there can be changed, and shown."""

import ast
import builtins
import re
from itertools import takewhile

from apigap.knowledge.usages.names import bound_names, identifiers, imported_names, loaded_names
from apigap.knowledge.usages.usage import Usage, bindings
from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

_MOST = 4
_WORKED_OUT = (ast.Compare, ast.BinOp, ast.BoolOp)
_OF_OBJECTS = frozenset({"method", "property"})


def hoisted(
    setup: tuple[str, ...], masked: tuple[str, ...], candidate: Candidate, usage: Usage, *, named: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`setup` and `masked`, what is given to the calls moved from the latter to the former.

    Literals that carry data move; of the API's own call also other positional arguments, and the object that it is a
    method or property of. Definitions stay as they are. Unless the API is `named`, what is given to a parameter is
    called like it, apart from one that changed, and names of builtins and of what is imported move too, as do
    comparisons and sums.
    """
    nodes = [node for code in masked for node in parse(code).body]
    if any(isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) for node in nodes):
        return setup, masked
    variables = {node.id for node in ast.walk(parse(usage.code)) if isinstance(node, ast.Name)}
    taken = identifiers(usage.code) if named else frozenset(variables)
    ready = _ready_names(usage.prelude)
    hoist = _Hoist(candidate, taken, set[str]().union(*map(bound_names, nodes)), ready, named=named)
    lines = tuple(ast.unparse(hoist.visit(node)) for node in nodes)
    return (*setup, *bindings(tuple(hoist.hoisted))), lines


def _ready_names(prelude: tuple[str, ...]) -> frozenset[str]:
    """The names of builtins and those that a prelude imports."""
    return frozenset({*dir(builtins), *imported_names(prelude)})


def positional_names(candidate: Candidate) -> list[str]:
    """The parameters that take arguments by position, one each, in order: none after `*args`."""
    own = [parameter for parameter in candidate.parameters if parameter.name not in ("self", "cls")]
    return [parameter.name for parameter in takewhile(lambda one: one.kind.startswith("positional"), own)]


class _Hoist(ast.NodeTransformer):
    def __init__(
        self, candidate: Candidate, taken: frozenset[str], bound: set[str], ready: frozenset[str], *, named: bool
    ) -> None:
        self.hoisted: list[tuple[str, str]] = []
        self._names = [p.name for p in candidate.parameters if p.name not in ("self", "cls")]
        self._by_position = positional_names(candidate)
        self._leaf = candidate.leaf
        self._of_object = candidate.kind in _OF_OBJECTS
        self._taken = {*taken, *dir(builtins)}
        self._bound = bound
        self._secret = frozenset(self._names) if named else changed_parameters(candidate)
        self._setting = "value" if named else "setting"
        self._open = not named
        self._ready = frozenset[str]() if named else ready

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        if (
            node.attr == self._leaf
            and self._of_object
            and isinstance(node.value, ast.Call)
            and self._movable(node.value)
        ):
            node.value = ast.Name(self._bind(_noun(node.value), node.value), ast.Load())
        else:
            self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        is_target = last_name(node.func) == self._leaf
        for index, argument in enumerate(node.args):
            if _is_input(argument) or (is_target and self._is_made(argument) and self._movable(argument)):
                named = is_target and index < len(self._by_position)
                self._move(node.args, index, self._by_position[index] if named else "value")
        for keyword in node.keywords:
            made = self._is_ready(keyword.value) or (self._open and isinstance(keyword.value, _WORKED_OUT))
            moves = _is_input(keyword.value) or (made and self._movable(keyword.value))
            if is_target and keyword.arg and moves and len(self.hoisted) < _MOST:
                keyword.value = ast.Name(self._bind(self._wish(keyword.arg), keyword.value), ast.Load())
        self.generic_visit(node)
        return node

    def _is_made(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) or self._is_ready(node) or (self._open and isinstance(node, _WORKED_OUT))

    def _is_ready(self, node: ast.expr) -> bool:
        """Check for a name that is there before all data: `sum`, `Weekday.FRIDAY`, `np.float64`."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._ready

    def _wish(self, parameter: str) -> str:
        """The name for what a keyword is given: the keyword's own would tell the parameter."""
        return self._setting if parameter in self._secret or self._setting == "value" else parameter

    def _move(self, arguments: list[ast.expr], index: int, wish: str) -> None:
        if len(self.hoisted) < _MOST:
            arguments[index] = ast.Name(self._bind(wish, arguments[index]), ast.Load())

    def _movable(self, node: ast.expr) -> bool:
        """Check that the value is the same before the answer: nothing in it uses the API, or a name of the answer."""
        code = ast.unparse(node)
        own = self._leaf in identifiers(code) or loaded_names(node) & self._bound
        return not own and len(self.hoisted) < _MOST and len(code) <= 200

    def _bind(self, wish: str, value: ast.expr) -> str:
        name = next(n for n in (wish, *(f"{wish}_{i}" for i in range(2, 99))) if n not in self._taken)
        self._taken.add(name)
        self.hoisted.append((name, ast.unparse(value)))
        return name


def _noun(call: ast.Call) -> str:
    """A name for what a call gives: of the class `TypeAdapter` the name `type_adapter`, else `source`."""
    name = last_name(call.func)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() if name[:1].isupper() else "source"


def _is_input(node: ast.expr) -> bool:
    """True for a literal that carries data: a number, text, bytes, or a container of literals."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float, str, bytes)) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_input(node.operand)
    if not isinstance(node, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
        return False
    try:
        return bool(ast.literal_eval(node))
    except ValueError:
        return False
