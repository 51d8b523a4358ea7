"""Tests and clean-up of Python text; any text may be given, and a parser that gives up means no."""

import ast
import re
import textwrap
from collections.abc import Callable

from apigap.records.parsing.newer_syntax import parse_leniently
from apigap.records.parsing.syntax import parse
from apigap.sandbox.limits import MAX_PARSED

_MAX_BUDGET = 4_000_000
_MAX_COST = 4 * MAX_PARSED
_COST_OF_ASKING = 500
_WRAPPERS = {"solution", "main", "complete", "completion", "answer", "task"}
_GIVES_UP = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError, SystemError)


class Parser:
    """Parses until a budget of characters is used up, then says no to everything: seconds at most for one answer."""

    def __init__(self) -> None:
        self._left = _MAX_BUDGET
        self.stopped_at: int | None = None

    @property
    def exhausted(self) -> bool:
        """True when the budget is used up."""
        return self._left < 0

    def parses(self, code: str) -> bool:
        """True for Python that does something: not empty, not a comment, not a few words of prose.

        A newer Python than this one counts as well: whether its own environment takes it is not decided here.

        Afterwards `stopped_at` is the line (from 1) where the parser gave up, if it was one line's fault.
        """
        self._left -= min(len(code), _MAX_COST) + _COST_OF_ASKING
        self.stopped_at = None
        if self.exhausted:
            return False
        try:
            tree = _parse(code, parse_leniently)
        except SyntaxError as error:
            self.stopped_at = error.lineno
            return False
        except _GIVES_UP:
            return False
        return any(not _idle(statement) for statement in tree.body)


def tree_of(code: str) -> ast.Module | None:
    """The syntax tree of `code`; None where it is not Python, or too long to be looked at."""
    if len(code) > MAX_PARSED:
        return None
    try:
        return _parse(code, parse_leniently)
    except _GIVES_UP:
        return None


def only_values(code: str) -> bool:
    """True for code, which parses, of nothing but values: the output of a program rather than a program."""
    return all(
        isinstance(statement, ast.Expr) and _is_value(statement.value)
        for statement in _parse(code, parse_leniently).body
    )


def _is_value(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return isinstance(node, (ast.Name, ast.Attribute))
    return True


def why_unparsed(code: str) -> str | None:
    """The reason why `code` is not Python, in one line; None where it is."""
    try:
        _parse(code)
    except SyntaxError as error:
        return str(error)
    except _GIVES_UP as error:
        return f"{type(error).__name__}: {error}"
    return None


def unindented(code: str) -> str:
    """`code` without the indentation that all its lines share, or its first line has."""
    even = textwrap.dedent(code.expandtabs(4) if "\t" in code else code)
    first = next((line for line in even.split("\n") if line.strip()), "")
    width = len(first) - len(first.lstrip(" "))
    if not width:
        return even
    return "\n".join(line[width:] if line[:width].isspace() else line for line in even.split("\n"))


def without_prompts(code: str) -> str:
    """The input lines of an interactive session, without `>>>` and `...` and without its output."""
    found = re.findall(r"(?m)^[ \t]*(?:>>>|\.\.\.)(?: |$)(.*)$", code)
    return "\n".join(found)


def unwrapped(code: str) -> str:
    """The body of `def solution():` where it is all that `code` has beside imports, and nothing calls it.

    Its comments are lost. A last `return value` becomes the expression `value`.
    """
    try:
        tree = _parse(code)
    except _GIVES_UP:
        return code
    wrapper = _wrapper(tree)
    if wrapper is None:
        return code
    body = [*wrapper.body]
    last = body[-1]
    if isinstance(last, ast.Return):
        body[-1:] = [ast.Expr(last.value)] if last.value else []
    if any(_leaves(statement) for statement in body):
        return code
    before = [statement for statement in tree.body if statement is not wrapper]
    try:
        return ast.unparse(ast.Module(body=[*before, *body], type_ignores=[]))
    except _GIVES_UP:
        return code


def _wrapper(tree: ast.Module) -> ast.FunctionDef | None:
    """The one function without parameters that wraps everything and that nothing calls."""
    functions = [statement for statement in tree.body if not isinstance(statement, ast.Import | ast.ImportFrom)]
    if len(functions) != 1 or not isinstance(functions[0], ast.FunctionDef):
        return None
    function = functions[0]
    arguments = function.args
    takes = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    if function.name not in _WRAPPERS or function.decorator_list or any(takes):
        return None
    called = any(isinstance(node, ast.Name) and node.id == function.name for node in ast.walk(function))
    return None if called else function


def _leaves(statement: ast.stmt) -> bool:
    """True for a statement that cannot leave its function: it returns, yields or uses outer names in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Nonlocal):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _idle(statement: ast.stmt) -> bool:
    """A bare name or constant: prose such as `Done` or `"so"` parses too."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name | ast.Constant | ast.Tuple)


def _parse(code: str, read: Callable[[str], ast.Module] = parse) -> ast.Module:
    if len(code) > MAX_PARSED:
        raise ValueError(f"{len(code)} characters are more than the host parses")
    return read(code)
