"""Warnings of a deprecation in the body of a function: of the function itself, or of one of its parameters.

A warning counts for a function where nothing decides over it, and for a parameter where only the question whether that
was given does. What depends on a value is a matter of that value, and is left out.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apigap.discovery.retired.deprecation_classes import last_name
from apigap.discovery.retired.messages import constants_of, one_line, text_of

_WORDS = re.compile(
    r"deprecat|(?:will|to) be removed|removed in|renamed|no longer (?:supported|used)|obsolete|superseded|"
    r"pending removal",
    re.IGNORECASE,
)
_FUTURE_VALUE = re.compile(r"(?:default|behaviou?r|value|result|dtype)s? (?:\w+ )*(?:will|has|of)\b", re.IGNORECASE)
_ANY_KEYWORD = ("kwargs", "kw", "kwds", "options")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Reading(NamedTuple):
    """The terms by which a file is read: the names of warnings that speak of deprecations, and values of names."""

    classes: frozenset[str]
    constants: dict[str, ast.expr]

    def beside(self, body: Sequence[ast.stmt]) -> "Reading":
        """The terms with the names that `body` gives a value."""
        return self._replace(constants={**self.constants, **constants_of(body)})


class Warned(NamedTuple):
    """A warning: its line, its words, and the parameter that it speaks of; None where it speaks of the whole."""

    line: int
    text: str
    parameter: str | None = None


def warnings_in(function: Function, reading: Reading) -> Iterator[Warned]:
    """The deprecations that a call of `function` warns of.

    Who calls it rightly comes past a check that raises. After an early return only warnings on parameters count.
    """
    reading = reading.beside(function.body)
    asked = _Asked(function.args)
    is_always_reached = True
    for node in function.body:
        if isinstance(node, ast.Raise):
            return
        if is_always_reached and (text := deprecation(node, reading)) is not None:
            yield Warned(node.lineno, text)
        elif isinstance(node, ast.If):
            yield from _on_parameters(node, asked, reading)
        is_always_reached = is_always_reached and not _may_end(node)


def deprecation(node: ast.stmt, reading: Reading) -> str | None:
    """The words of a statement that warns that something is deprecated; None for any other."""
    text = warning_text(node, reading)
    return one_line(text) if text and _WORDS.search(text) and not _FUTURE_VALUE.search(text) else None


def warning_text(node: ast.stmt, reading: Reading) -> str | None:
    """The text of a statement that warns by a class for deprecations; None for any other."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return None
    name = last_name(call.func)
    if "warn" in name.lower():  # Python's own, or one that a library has around it
        made = call.args[0] if call.args else _keyword(call, "message")
        categories = [*call.args[1:], _keyword(call, "category"), made if isinstance(made, ast.Call) else None]
        if any(category is not None and last_name(category) in reading.classes for category in categories):
            return text_of(made, reading.constants)
        if name in ("warn", "warn_explicit"):
            return None
    if "deprecat" in name.lower():
        texts = [text for argument in call.args if (text := text_of(argument, reading.constants))]
        return max(texts, key=len, default=None)
    return None


def asks_for_keyword(function: Function) -> bool:
    """Check for a warning under a question about the `**kwargs` of a function."""
    rest = function.args.kwarg.arg if function.args.kwarg else ""
    questions = [node for node in function.body if isinstance(node, ast.If) and rest in _names_in(node.test)]
    calls = (part for node in questions for part in ast.walk(node) if isinstance(part, ast.Call))
    return any("warn" in last_name(call.func).lower() for call in calls)


def _names_in(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def speaks_of(text: str, name: str) -> bool:
    """Check that a text has `name` as a word."""
    return bool(re.search(rf"\b{re.escape(name)}\b", text))


class _Asked:
    """The parameters of a function whose presence a test asks for."""

    def __init__(self, arguments: ast.arguments) -> None:
        self._names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        self._unset = _unset(arguments)
        self._rest = (*_ANY_KEYWORD, *([arguments.kwarg.arg] if arguments.kwarg else []))

    def given(self, test: ast.expr) -> str | None:
        """The parameter of `x is not None`, `x is not no_default`, `"x" in kwargs`, `kwargs.get("x") is not None`, and
        of `x` alone where its default is false.
        """
        if isinstance(test, ast.Name):
            return test.id if test.id in self._unset else None
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        if isinstance(operator, ast.In) and isinstance(left, ast.Constant) and isinstance(left.value, str):
            return left.value if last_name(right) in self._rest else None
        if not isinstance(operator, ast.IsNot | ast.NotEq) or not _is_sentinel(right):
            return None
        if isinstance(left, ast.Call):
            return _taken_out(left, self._rest)
        return left.id if isinstance(left, ast.Name) and left.id in self._names else None


def _is_sentinel(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) or (isinstance(node, ast.Constant) and node.value is None)


def _taken_out(call: ast.Call, rest: Sequence[str]) -> str | None:
    """The keyword that `kwargs.get("x")` or `kwargs.pop("x", None)` asks for."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in ("get", "pop"):
        return None
    name = call.args[0] if call.args and last_name(function.value) in rest else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


def _unset(arguments: ast.arguments) -> set[str]:
    """The parameters whose default is false or empty: that one is true says that it was given."""
    places = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(places[::-1], arguments.defaults[::-1], strict=False)]
    pairs += [
        (one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default
    ]
    return {one.arg for one, default in pairs if _is_false(default)}


def _is_false(default: ast.expr) -> bool:
    if isinstance(default, ast.Tuple | ast.List):
        return not default.elts
    return isinstance(default, ast.Constant) and not default.value


def _on_parameters(node: ast.If, asked: _Asked, reading: Reading) -> Iterator[Warned]:
    either = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or)
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and either else [node.test]
    names = [asked.given(test) for test in tests]
    for inner in node.body if all(names) else ():
        text = warning_text(inner, reading.beside(node.body))
        for name in filter(None, names):
            if text and _WORDS.search(text) and speaks_of(text, name):
                yield Warned(inner.lineno, one_line(text), name)


def _may_end(node: ast.AST) -> bool:
    """Check for a return or a yield in a statement, outside of the functions that it defines."""
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, ast.Return | ast.Yield):
            return True
        if not isinstance(part, Function | ast.Lambda | ast.ClassDef):
            left.extend(ast.iter_child_nodes(part))
    return False


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
