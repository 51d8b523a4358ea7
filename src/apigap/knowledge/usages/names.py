"""Names that a piece of code mentions, reads, binds, and needs from elsewhere."""

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator

from apigap.records.parsing.syntax import parse

_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


def identifiers(code: str) -> frozenset[str]:
    """Names, attributes, keyword arguments and imported names in `code`; empty when it does not parse."""
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    return frozenset(_mentions(tree))


def _mentions(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.update(node.name.split("."))
    return found


def loaded_names(tree: ast.AST) -> set[str]:
    """Names that `tree` reads."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def bound_names(statement: ast.stmt) -> set[str]:
    """Names that a module-level `statement` binds in the module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def imported_names(code: Iterable[str]) -> set[str]:
    """Names that pieces of `code` import at the level of the module."""
    nodes = (node for piece in code for node in parse(piece).body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return set[str]().union(*map(bound_names, nodes))


def free_names(statements: Iterable[ast.stmt]) -> set[str]:
    """Names that module-level `statements`, run in order, need and neither bind before nor find among the builtins."""
    free: set[str] = set()
    bound: set[str] = set()
    for statement in statements:
        free |= _reads(statement) - bound
        bound |= bound_names(statement)
    return free - _BUILTINS


def _reads(statement: ast.stmt) -> set[str]:
    """Module-level names that one statement reads, in nested functions and comprehensions too."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        return _reads(ast.Expr(statement.value)) | (_references(statement) - bound_names(statement))
    if isinstance(statement, ast.AugAssign):
        return _references(statement) | bound_names(statement)
    return _references(statement) - bound_names(statement)


def _references(statement: ast.stmt) -> set[str]:
    try:
        top = symtable.symtable(ast.unparse(statement), "<usage>", "exec")
    except (SyntaxError, ValueError, RecursionError):  # what parses need not compile
        return loaded_names(statement)
    return {name for table in _tables(top) for name in _global_reads(table)}


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _global_reads(table: symtable.SymbolTable) -> Iterator[str]:
    module = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (module or symbol.is_global()):
            yield symbol.get_name()
