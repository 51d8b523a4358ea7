"""Answers in several blocks: what a block needs of those before it, such as its imports in a block of their own."""

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence

_BUILTINS = frozenset(dir(builtins))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


Reader = Callable[[str], "ast.Module | None"]
"""Gives the syntax tree of a text; None where it is not Python."""


def with_what_it_needs(code: str, before: Sequence[str], context: str, tree_of: Reader) -> str:
    """`code` after those of the blocks `before`, in their order, that give it names which nothing else gives.

    A block that needs none is whole by itself: what stands before it is another way, or an older one.
    """
    tree = tree_of(code)
    given = None if tree is None else _given(tree_of(context))
    if tree is None or given is None:
        return code
    needed = _read(tree) - _bound(tree) - _BUILTINS - given
    taken: list[str] = []
    for block in reversed(before):
        earlier = tree_of(block) if needed else None
        names = set[str]() if earlier is None else set(_top_level(earlier))
        if earlier is not None and needed & names:
            taken.insert(0, block)
            needed = (needed - names) | (_read(earlier) - _bound(earlier) - _BUILTINS - given)
    return "\n\n".join([*taken, code])


def _given(context: ast.Module | None) -> set[str] | None:
    """The names that a context gives; None where that cannot be known."""
    if context is None or any(isinstance(node, ast.alias) and node.name == "*" for node in ast.walk(context)):
        return None
    return set(_top_level(context))


def _read(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(tree: ast.AST) -> set[str]:
    """Every name that is bound somewhere, also in functions: whoever reads it may mean that."""
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {*_names(tree, into_functions=True), *arguments}


def _top_level(tree: ast.AST) -> Iterator[str]:
    return _names(tree, into_functions=False)


def _names(tree: ast.AST, *, into_functions: bool) -> Iterator[str]:
    """The names that are bound in `tree`, those inside functions and classes only where that is asked for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        if into_functions or not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            yield from _names(node, into_functions=into_functions)
