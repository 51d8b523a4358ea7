"""Names that are in no file and in no list: those that a module gives on request, and modules that are put into
`sys.modules` by hand.
"""

import ast
from collections.abc import Iterator

from apigap.discovery.retired.messages import constants_of
from apigap.records.parsing.syntax_trees import dotted

_MAX_DEPTH = 8


def names_on_request(module: str, tree: ast.Module) -> Iterator[str]:
    """The dotted names that the `__getattr__` of a module compares what it is asked for with, or looks it up in."""
    body = list(_reached(tree.body))
    function = next((node for node in body if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"), None)
    if function is None or not function.args.args:
        return
    asked = function.args.args[0].arg
    tables = constants_of(body)
    names = {name for node in ast.walk(function) for name in _compared(node, asked, tables)}
    yield from (f"{module}.{name}" for name in sorted(names) if name.isidentifier() and not name.startswith("_"))


def modules_by_hand(module: str, tree: ast.Module) -> Iterator[str]:
    """The modules that `sys.modules["lib.former"] = ...` makes, in full or below the `__name__` of the file."""
    for node in _reached(tree.body):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Subscript) and dotted(target.value) in ("sys.modules", "modules"):
            name = _written_name(target.slice, module)
            if name and all(part.isidentifier() for part in name.split(".")):
                yield name


def _written_name(node: ast.expr, module: str, depth: int = _MAX_DEPTH) -> str:
    """A text, or `f"{__name__}.former"` with the module's name in it; empty for anything else, or of too many parts."""
    if depth == 0:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _written_name(node.left, module, depth - 1), _written_name(node.right, module, depth - 1)
        return left + right if left and right else ""
    if isinstance(node, ast.JoinedStr):
        parts = [
            _written_name(part.value if isinstance(part, ast.FormattedValue) else part, module, depth - 1)
            for part in node.values
        ]
        return "".join(parts) if all(parts) else ""
    return module if isinstance(node, ast.Name) and node.id == "__name__" else ""


def _reached(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those under a condition as well."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _reached([*node.body, *node.orelse])


def _compared(node: ast.AST, asked: str, tables: dict[str, ast.expr]) -> Iterator[str]:
    """The texts that one part of the function holds against the name."""
    if isinstance(node, ast.Compare) and _is(node.left, asked) and len(node.ops) == 1:
        if isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            yield from _texts(node.comparators[0], tables)
    elif isinstance(node, ast.Subscript) and _is(node.slice, asked):
        yield from _texts(node.value, tables)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
        if node.args and _is(node.args[0], asked):
            yield from _texts(node.func.value, tables)
    elif isinstance(node, ast.Match) and _is(node.subject, asked):
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchValue):
                    yield from _texts(part.value, {})


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _texts(node: ast.expr, tables: dict[str, ast.expr]) -> Iterator[str]:
    """The texts of a literal, the keys of a dictionary, or those of a table of the module under that name.

    `__all__` lists what a module has, not what it gives on request.
    """
    if isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) else ()
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for part in node.elts:
            yield from _texts(part, {})
    elif isinstance(node, ast.Dict):
        for key in node.keys:
            yield from _texts(key, {}) if key is not None else ()
    elif isinstance(node, ast.Name) and node.id in tables and node.id != "__all__":
        yield from _texts(tables[node.id], {})
