"""The names that a `setattr` with a computed name may give, as far as its module writes them down."""

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from apigap.records.parsing.syntax_trees import last_name

Function = ast.FunctionDef | ast.AsyncFunctionDef
Affixes = tuple[str, str]
_PASSES_ON = ("dict", "enumerate", "iter", "list", "reversed", "set", "sorted", "tuple", "zip")
_VIEWS = ("items", "keys", "values", "copy")
_ADDS = ("add", "append", "extend", "insert", "setdefault", "update")
_DEPTH = 8
_STEPS = 300
"""The expressions that are looked at for one name; a text that leads to more is not followed."""


class Given(NamedTuple):
    """Names, and what stands before and after each word that the outermost function is called with."""

    names: frozenset[str] = frozenset()
    around_arguments: frozenset[Affixes] = frozenset()

    def __or__(self, other: "Given") -> "Given":  # type: ignore[override]
        return Given(self.names | other.names, self.around_arguments | other.around_arguments)

    def within(self, before: str, after: str) -> "Given":
        """The names with a text before and after each."""
        names = frozenset(f"{before}{name}{after}" for name in self.names)
        return Given(names, frozenset((before + first, last + after) for first, last in self.around_arguments))

    def with_arguments(self, words: Iterable[str]) -> set[str]:
        """The public names that a call with these words gives."""
        made = {f"{before}{word}{after}" for word in words for before, after in self.around_arguments}
        return {name for name in self.names | made if name.isidentifier() and not name.startswith("_")}


class ComputedNames:
    """Follows the names in one module back to where they are written: loops, tables, arguments of nested functions."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._steps = 0
        self._scopes: dict[int, _Scope] = {}
        self._tables = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for name in _changed_later(tree):
            self._tables.pop(name, None)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the module."""
        return frozenset(words_in(self._tree))

    def given(self, name: ast.expr, at: ast.stmt, functions: tuple[Function, ...]) -> Given:
        """The names that the expression `name` of the statement `at` stands for; any word of the module where the text
        does not tell. `functions` are those that `at` is in, the outermost first.
        """
        self._steps = _STEPS
        return self._found(name, at, functions, _DEPTH) or Given(self.words)

    def _found(self, node: ast.expr, at: ast.AST, functions: tuple[Function, ...], depth: int) -> Given | None:
        self._steps -= 1
        if depth == 0 or self._steps < 0:
            return None
        if isinstance(node, ast.Constant):
            return Given(frozenset({node.value})) if isinstance(node.value, str) else None
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            return Given(frozenset(words_in(node))) if _is_written_out(node) else None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, at, functions, depth - 1)
        if isinstance(node, ast.Call):
            return self._of_call(node, at, functions, depth - 1)
        parts = _parts(node)
        if parts is None:
            return None
        found = self._found(parts[1], at, functions, depth - 1)
        return found.within(parts[0], parts[2]) if found else None

    def _of_name(self, name: str, at: ast.AST, functions: tuple[Function, ...], depth: int) -> Given | None:
        scope = functions[0] if functions else self._tree
        known = self._scope(scope)
        sources = [*known.loops_around(at, name), *(known.assigned.get(name, ()) if functions else ())]
        if sources:
            return _together(self._found(source, at, functions, depth) for source in sources)
        for place in range(len(functions) - 1, -1, -1):
            if name in _parameters(functions[place]):
                return self._of_parameter(name, functions[: place + 1], depth)
        return self._found(self._tables[name], at, (), depth) if name in self._tables else None

    def _of_parameter(self, name: str, functions: tuple[Function, ...], depth: int) -> Given | None:
        """A parameter of the outermost function is what that is called with; of a nested one, what is passed inside."""
        *above, function = functions
        if not above:
            return Given(around_arguments=frozenset({("", "")}))
        passed = [
            (value, call)
            for call in self._scope(above[0]).calls.get(function.name, ())
            for value in _passed(call, function, name)
        ]
        outer = tuple(above)
        return _together(self._found(value, call, outer, depth) for value, call in passed) if passed else None

    def _scope(self, node: ast.AST) -> "_Scope":
        if id(node) not in self._scopes:
            self._scopes[id(node)] = _Scope(node)
        return self._scopes[id(node)]

    def _of_call(self, node: ast.Call, at: ast.AST, functions: tuple[Function, ...], depth: int) -> Given | None:
        function = node.func
        if isinstance(function, ast.Name) and function.id in _PASSES_ON and node.args:
            found = [self._found(argument, at, functions, depth) for argument in node.args]
            known = [one for one in found if one is not None]
            return _together(known) if known else None
        if isinstance(function, ast.Attribute) and function.attr in _VIEWS:
            return self._found(function.value, at, functions, depth)
        if (
            isinstance(function, ast.Attribute)
            and function.attr == "split"
            and not (node.args or node.keywords)
            and isinstance(function.value, ast.Constant)
        ):
            return Given(frozenset(str(function.value.value).split()))
        return None


def words_in(node: ast.AST) -> set[str]:
    """The identifiers that are written as texts or as keywords."""
    found = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    keywords = {part.arg for part in ast.walk(node) if isinstance(part, ast.keyword) and part.arg}
    return {word for word in found if word.isidentifier()} | keywords


def _together(found: Iterable[Given | None]) -> Given | None:
    every = list(found)
    known = [one for one in every if one is not None]
    if len(known) < len(every):
        return None
    total = Given()
    for one in known:
        total = total | one
    return total


def _parts(node: ast.expr) -> tuple[str, ast.expr, str] | None:
    """The text before, the computed part and the text after in `"is_" + x`, `"is_%s" % x` and `f"is_{x}"`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return (left, node.right, "") if left is not None else (("", node.left, right) if right is not None else None)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        before, hole, after = (_text(node.left) or "").partition("%s")
        return (
            (before, node.right, after) if hole and "%" not in after and not isinstance(node.right, ast.Tuple) else None
        )
    if isinstance(node, ast.JoinedStr):
        holes = [place for place, part in enumerate(node.values) if isinstance(part, ast.FormattedValue)]
        hole = node.values[holes[0]] if len(holes) == 1 else None
        if isinstance(hole, ast.FormattedValue):
            before = "".join(_text(part) or "" for part in node.values[: holes[0]])
            return before, hole.value, "".join(_text(part) or "" for part in node.values[holes[0] + 1 :])
    return None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class _Scope:
    """The loops, assignments and calls in a function or module, by the names in them; read once."""

    def __init__(self, scope: ast.AST) -> None:
        self.assigned: dict[str, list[ast.expr]] = {}
        self.calls: dict[str, list[ast.Call]] = {}
        self._loops: dict[str, list[ast.For | ast.AsyncFor]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.For | ast.AsyncFor):
                for name in _names(node.target):
                    self._loops.setdefault(name, []).append(node)
            elif isinstance(node, ast.Assign):
                for name in set[str]().union(*map(_names, node.targets)):
                    self.assigned.setdefault(name, []).append(node.value)
            elif isinstance(node, ast.Call):
                self.calls.setdefault(last_name(node.func), []).append(node)

    def loops_around(self, at: ast.AST, name: str) -> list[ast.expr]:
        """The iterables of the loops over `name` that hold `at`."""
        return [node.iter for node in self._loops.get(name, ()) if _holds(node, at)]


def _holds(loop: ast.stmt, part: ast.AST) -> bool:
    begin, end = getattr(part, "lineno", 0), getattr(part, "end_lineno", 0)
    return loop is part or (loop.lineno <= begin and end <= (loop.end_lineno or 0))


def _changed_later(tree: ast.Module) -> set[str]:
    """The names of tables that something is added to after they were written down."""
    found = {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AugAssign)
        if isinstance(node.target, ast.Name)
    }
    functions = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return found | {last_name(one.value) for one in functions if isinstance(one, ast.Attribute) and one.attr in _ADDS}


def _is_written_out(node: ast.expr) -> bool:
    """Check that a literal has no name, call or `*rest` for one of its words; of pairs, the first part counts."""
    if isinstance(node, ast.Dict):
        return all(isinstance(key, ast.Constant) for key in node.keys)
    items = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
    first = (one.elts[0] if isinstance(one, ast.Tuple | ast.List) and one.elts else one for one in items)
    return all(isinstance(one, ast.Constant) for one in first)


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    named = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [*named, *(one.arg for one in (arguments.vararg, arguments.kwarg) if one)]


def _passed(call: ast.Call, function: Function, name: str) -> list[ast.expr]:
    """The expressions that a call passes for a parameter; for `**all` and `*all` the whole of it."""
    rest = (function.args.kwarg, function.args.vararg)
    if any(one is not None and one.arg == name for one in rest):
        return [*call.args, *(ast.Constant(keyword.arg) for keyword in call.keywords if keyword.arg)]
    places = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    by_place = call.args[places.index(name) :][:1] if name in places else []
    return [*by_place, *(keyword.value for keyword in call.keywords if keyword.arg == name)]
