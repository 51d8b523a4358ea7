"""The monitor that NovelAPIBench's tasks bring, and what stands in for it.

That monitor replaces the target by a wrapper that counts, inside the program: the answer can set the counter, a call
that raised counts like one that returned, and honest programs break (a class made by `__new__` alone, an enum, an
attribute of a function). Here the spy watches from outside and replaces nothing, so the monitor is left out where it
can be: its assertion is answered, and whether the target was called is the judge's question to the spy.
"""

import ast
from collections.abc import Iterator

from apigap.records.parsing.syntax import parse

COUNTER, INSTALLED = "_target_api_call_count", "_target_api_spy_installed"
"""The names under which a test finds the number of calls, and whether they are counted at all."""
STAND_IN = f"{INSTALLED} = True\n{COUNTER} = type('_Answered', (list,), {{'__setitem__': lambda *values: None}})([1])\n"
_AT_LEAST_ONCE = {(ast.Gt, 0), (ast.GtE, 1), (ast.NotEq, 0)}


def has_monitor(setup: str) -> bool:
    """Tell whether `setup` counts calls under the published names."""
    return COUNTER in setup and INSTALLED in setup


def can_stand_in(setup: str, test: str) -> bool:
    """Tell whether `setup` is the monitor and nothing else, of which `test` asks only if there was a call.

    It is when it makes private names only and the test reads no others of them than the two published ones.
    """
    made = bound_names(setup)
    read = names_in(test) & made
    return (
        has_monitor(setup)
        and all(name.startswith("_") for name in made)
        and read <= {COUNTER, INSTALLED}
        and all(_asks_for_one(node) for node in ast.walk(parse(test)) if isinstance(node, ast.Compare))
    )


def _asks_for_one(compare: ast.Compare) -> bool:
    """A comparison of the counter is one with zero; any other comparison is the test's own affair."""
    if COUNTER not in {node.id for node in ast.walk(compare) if isinstance(node, ast.Name)}:
        return True
    right = compare.comparators[0]
    return isinstance(right, ast.Constant) and (type(compare.ops[0]), right.value) in _AT_LEAST_ONCE


def bound_names(code: str) -> set[str]:
    """Every name that `code` binds outside functions and classes, imports and definitions included."""
    return set(_bound(parse(code)))


def _bound(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield child.name
        elif isinstance(child, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in child.names)
        else:
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                yield child.id
            yield from _bound(child)


def names_in(code: str) -> set[str]:
    """Every name and attribute in `code`, and every string, which could be one."""
    found: set[str] = set()
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found
