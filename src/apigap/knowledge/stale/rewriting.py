"""A program with the replacement in the place of what was taken away. What cannot be told from the text stays."""

import ast

from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import dotted, imported_paths, last_name
from apigap.records.retired import Retirement


def rewritten(code: str, retirement: Retirement, imports: str = "") -> str | None:
    """`code` as it is written now; None where nothing in it is to be replaced, or the record names no replacement.

    `imports` is a program whose imports count as well, where `code` is an expression out of it.
    """
    change = _change(retirement)
    if change is None:
        return None
    try:
        tree = parse(code)
        change.aliases = imported_paths(parse(imports or code))
        result = ast.unparse(ast.fix_missing_locations(change.visit(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = [f"import {change.needs}", result] if change.needs and not imports else [result]
    return "\n".join(lines) if change.hits else None


class _Rewriter(ast.NodeTransformer):
    """Counts in `hits` what it has replaced; `needs` is a module to import for it."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        self.hits = 0
        self.needs = ""


class _Keyword(_Rewriter):
    """Passes another parameter, or one more, to the calls of a function."""

    def __init__(self, leaf: str, old: str | None, new: str, value: str | None = None) -> None:
        super().__init__()
        self._leaf, self._old, self._new, self._value = leaf, old, new, value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace or add the keyword where the call is one of the function."""
        self.generic_visit(node)
        name = last_name(node.func)
        path = self.aliases.get(name, name)
        if path.rpartition(".")[2] != self._leaf:
            return node
        if self._value is not None:
            if not any(keyword.arg == self._new for keyword in node.keywords):
                node.keywords.append(ast.keyword(self._new, expression_tree(self._value)))
                self.hits += 1
            return node
        for keyword in node.keywords:
            if keyword.arg == self._old:
                keyword.arg = self._new
                self.hits += 1
        return node


class _Member(_Rewriter):
    """Calls another member of the same object."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old, self._new = old, new

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace the member's name."""
        self.generic_visit(node)
        if node.attr == self._old:
            node.attr = self._new
            self.hits += 1
        return node


class _Path(_Rewriter):
    """Reaches an object by another path."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old, self._new = old, new

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        """Take the old name out of an import, and import the new one under the name that the program uses."""
        moved = [alias for alias in node.names if f"{node.module}.{alias.name}" == self._old and not node.level]
        if not moved:
            return node
        self.hits += len(moved)
        module, _, leaf = self._new.rpartition(".")
        kept = [alias for alias in node.names if alias not in moved]
        made: list[ast.stmt] = [
            ast.ImportFrom(module, [ast.alias(leaf, alias.asname or (alias.name if alias.name != leaf else None))], 0)
            for alias in moved
        ]
        return [*made, *([ast.ImportFrom(node.module, kept, 0)] if kept else [])]

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace a chain of attributes that leads to the old path."""
        chain = dotted(node)
        first, _, rest = chain.partition(".")
        if chain and first in self.aliases and f"{self.aliases[first]}.{rest}" == self._old:
            self.hits += 1
            module, _, leaf = self._new.rpartition(".")
            alias = next((alias for alias, path in self.aliases.items() if path == module), None)
            if alias is not None:  # as `np` where `numpy` itself has it
                return expression_tree(f"{alias}.{leaf}")
            self.needs = module
            return expression_tree(self._new)
        self.generic_visit(node)
        return node


def _change(retirement: Retirement) -> _Rewriter | None:
    old, new = retirement.old_name, retirement.replacement
    leaf = old.rpartition(".")[2]
    if retirement.kind == "default changed" and retirement.parameter and retirement.old_default:
        return _Keyword(leaf, None, retirement.parameter, retirement.old_default)
    if new is None:
        return None
    if retirement.parameter:
        return _Keyword(leaf, retirement.parameter, new)
    if retirement.api_kind in ("function", "class", "data"):
        return _Path(old, new)
    if retirement.api_kind != "module" and old.rpartition(".")[0] == new.rpartition(".")[0]:
        return _Member(leaf, new.rpartition(".")[2])
    return None
