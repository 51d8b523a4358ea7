"""Arguments of a call: the bound values from the callee's frame, the explicit names from the caller's source."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import ast
import enum
import inspect
from collections.abc import Callable
from typing import Any

from ..values.fingerprint import ARGUMENT_BOUNDS, fingerprint

_VARARGS, _VARKEYWORDS = 0x04, 0x08
MAX_ARGUMENTS = 60


def bound_arguments(frame: Any, skip_first: bool) -> dict[str, Any]:
    """Fingerprints of the parameters of a frame that has just been entered."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    names = code.co_varnames[:count]
    values = frame.f_locals
    wanted = names[1 if skip_first else 0 :][:MAX_ARGUMENTS]
    return {name: fingerprint(values[name], ARGUMENT_BOUNDS) for name in wanted if name in values}


class CallSites:
    """The completion's call expressions that name the target or an alias of it, found by their position."""

    def __init__(self, source: str, target: str) -> None:
        self.calls: list[ast.Call] = []
        self.leaf = target.rpartition(".")[2]
        self.aliases = {self.leaf}
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return
        nodes = list(ast.walk(tree))
        self.aliases.update(alias for node in nodes for alias in _aliases(node, self.leaf))
        self.calls = [node for node in nodes if isinstance(node, ast.Call) and _leaf(node.func) in self.aliases]

    def explicit(self, frame: Any, parameters: Callable[[], list[str]]) -> list[str] | None:
        """The parameter names that the call at the frame's present instruction passes; None when not known."""
        call = self._at(frame)
        if call is None or any(isinstance(part, ast.Starred) for part in call.args):
            return None
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        names = parameters()
        if len(call.args) > len(names):
            return None
        return [*names[: len(call.args)], *(keyword.arg for keyword in call.keywords if keyword.arg)]

    def _at(self, frame: Any) -> ast.Call | None:
        positions = getattr(frame.f_code, "co_positions", None)
        if positions is None:
            on_line = [call for call in self.calls if call.lineno == frame.f_lineno]
            return on_line[0] if len(on_line) == 1 else None
        spans = list(positions())
        at = frame.f_lasti // 2
        if not 0 <= at < len(spans):
            return None
        for call in self.calls:
            if (call.lineno, call.end_lineno, call.col_offset, call.end_col_offset) == spans[at]:
                return call
        return None


def _leaf(function: ast.expr) -> str | None:
    """The last name of what is called: `f` of `a.f(..)`, of `f[int](..)` and of `f(..)`."""
    if isinstance(function, ast.Subscript):
        function = function.value
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None


def _aliases(node: ast.AST, leaf: str) -> list[str]:
    """Names that a statement gives to the target."""
    if isinstance(node, ast.ImportFrom):
        return [alias.asname for alias in node.names if alias.asname and alias.name == leaf]
    if isinstance(node, ast.Assign) and _leaf(node.value) == leaf:
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def positional_names(value: Any, binds_first: bool) -> list[str]:
    """The names that positional arguments of a call would get; `binds_first` leaves self or cls out."""
    if isinstance(value, enum.EnumMeta):  # from Python 3.12 on its signature is that of making an enum
        return ["value"]
    function = getattr(value, "__func__", getattr(value, "fget", value))
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in kinds]
    return names[1:] if binds_first and not isinstance(value, type) else names
