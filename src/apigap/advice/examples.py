"""An example as a docstring shows it: with the names that it imports, not with an alias that only its file knows."""

import ast
from collections.abc import Iterator

from apigap.records.parsing.syntax import parse


def without_aliases(code: str) -> str:
    """`code` with `import m as a` written as `from m import x, y`, of the names that it uses of it: the same program.

    As it is where an alias is used otherwise than before a point, where such a name means something else in the code
    too, or where it cannot be parsed.
    """
    try:
        tree = parse(code)
    except SyntaxError:
        return code
    changed = False
    for statement in list(tree.body):
        if not isinstance(statement, ast.Import) or len(statement.names) != 1 or not statement.names[0].asname:
            continue
        module, alias = statement.names[0].name, statement.names[0].asname
        names = _used_of(tree, alias)
        if not names or names & _bound(tree):
            continue
        imported = ast.ImportFrom(module=module, names=[ast.alias(name=name) for name in sorted(names)], level=0)
        tree.body[tree.body.index(statement)] = imported
        _Plain(alias).visit(tree)
        changed = True
    return ast.unparse(ast.fix_missing_locations(tree)) if changed else code


def _used_of(tree: ast.Module, alias: str) -> set[str]:
    """The names that are read of an alias; none where it is used in any other way."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_name(node.value, alias)]
    uses = sum(_is_name(node, alias) for node in ast.walk(tree))
    read = all(isinstance(node.ctx, ast.Load) for node in attributes)
    return {node.attr for node in attributes} if uses == len(attributes) and read else set()


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _bound(tree: ast.Module) -> set[str]:
    """All plain names of the code: read, written, defined, imported, or a parameter's."""
    return set(_names(tree))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


class _Plain(ast.NodeTransformer):
    """Writes `alias.name` as `name`."""

    def __init__(self, alias: str) -> None:
        self._alias = alias

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Name(id=node.attr, ctx=ast.Load()) if _is_name(node.value, self._alias) else node
