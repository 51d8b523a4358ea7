"""Additions to a module's `__all__` after its first assignment: single names, lists, and loops over another module."""

import ast
from collections.abc import Iterator
from typing import NamedTuple


class Loop(NamedTuple):
    """`for VARIABLE in dir(MODULE): if CONDITIONS: __all__.append(VARIABLE)`."""

    module: str
    variable: str
    conditions: tuple[ast.expr, ...]

    def takes(self, name: str) -> bool:
        """Check whether the loop puts `name` into `__all__`; what cannot be told from the text counts as true."""
        return all(_value(condition, self.variable, name) is not False for condition in self.conditions)


class DynamicExports(NamedTuple):
    """Names added one by one, and loops that add those of another module."""

    names: frozenset[str] = frozenset()
    loops: tuple[Loop, ...] = ()


def dynamic_exports(tree: ast.Module) -> DynamicExports:
    """All that the text adds to `__all__` by `append` and `extend`."""
    names = {name for node in ast.walk(tree) for name in _literals(node)}
    loops = [loop for node in ast.walk(tree) if isinstance(node, ast.For) for loop in _loops(node)]
    return DynamicExports(frozenset(names), tuple(loops))


def _literals(node: ast.AST) -> Iterator[str]:
    argument = _added(node)
    items = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
    yield from (item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str))


def _loops(node: ast.For) -> Iterator[Loop]:
    source = node.iter
    if not isinstance(source, ast.Call) or not source.args or not isinstance(node.target, ast.Name):
        return
    if not isinstance(source.func, ast.Name) or source.func.id != "dir":
        return
    variable = node.target.id
    for conditions, statement in _statements(node.body, ()):
        argument = _added(statement.value) if isinstance(statement, ast.Expr) else None
        if isinstance(argument, ast.Name) and argument.id == variable:
            yield Loop(ast.unparse(source.args[0]), variable, conditions)


def _statements(body: list[ast.stmt], above: tuple[ast.expr, ...]) -> Iterator[tuple[tuple[ast.expr, ...], ast.stmt]]:
    """The statements of a body with the conditions under which they are reached; `continue` makes one too."""
    for statement in body:
        if isinstance(statement, ast.If):
            if isinstance(statement.body[-1], ast.Continue):
                above = (*above, ast.UnaryOp(ast.Not(), statement.test))
            yield from _statements(statement.body, (*above, statement.test))
        else:
            yield above, statement


def _added(node: ast.AST | None) -> ast.expr | None:
    """The argument of `__all__.append(...)` or `__all__.extend(...)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None
    on_all = isinstance(node.func.value, ast.Name) and node.func.value.id == "__all__"
    return node.args[0] if on_all and node.func.attr in ("append", "extend") else None


def _value(node: ast.expr, variable: str, name: str) -> bool | None:
    """The truth of a condition on `variable` being `name`; None where it asks for more than the text has."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _value(node.operand, variable, name)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        values = [_value(part, variable, name) for part in node.values]
        decisive = isinstance(node.op, ast.Or)
        return decisive if decisive in values else None if None in values else not decisive
    text = ast.unparse(node)
    for form, holds in (("startswith", name.startswith), ("endswith", name.endswith)):
        if text.startswith(f"{variable}.{form}(") and isinstance(node, ast.Call):
            ending = node.args[0]
            return holds(ending.value) if isinstance(ending, ast.Constant) and isinstance(ending.value, str) else None
    if text in (f"{variable}[0] != '_'", f"{variable}[0] == '_'"):
        return name.startswith("_") == ("==" in text)
    return None
