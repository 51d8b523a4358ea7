"""Names that a module gives without importing them: `__getattr__` tables, `_import_structure`, `__all__` in a loop."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from apigap.discovery.static.dynamic_exports import DynamicExports, dynamic_exports
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

_DYNAMIC = ("_LazyModule(", "def __getattr__(", "globals()[", ".attach(", "attach_stub(", "globals().update(")


class LazyExports(NamedTuple):
    """The names that a module's text declares to exist only at run time.

    `targets` maps a name to the path that it stands for. `is_dynamic` says that the module makes names at run time,
    so that what it imports for type checkers only is there for callers as well. `grown` is what it puts into its
    `__all__` later.
    """

    targets: dict[str, str]
    is_dynamic: bool
    additions: DynamicExports


NONE = LazyExports({}, False, DynamicExports())


def lazy_exports(text: str, package: str) -> LazyExports:
    """The lazy names of a module with this text; relative paths are below `package`."""
    is_dynamic = any(mark in text for mark in _DYNAMIC)
    if not is_dynamic and "_import_structure" not in text and "__all__." not in text:
        return NONE
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return NONE
    targets = dict(_targets(tree, package)) if is_dynamic or "_import_structure" in text else {}
    return LazyExports(targets, is_dynamic, dynamic_exports(tree))


def _targets(tree: ast.Module, package: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            yield from _of_table(node.value, package)
        elif isinstance(node, ast.Assign) and _is_structure(node.targets[0]):
            yield from _listed(_key(node.targets[0]), node.value, package)
        elif isinstance(node, ast.Call):
            yield from _of_call(node, package)


def _of_call(node: ast.Call, package: str) -> Iterator[tuple[str, str]]:
    """`_import_structure["a"].extend([...])`, and tables given to `lazy.attach` or `_LazyModule`."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in ("extend", "append") and _is_structure(function.value):
        yield from _listed(_key(function.value), node.args[0] if node.args else None, package)
    for value in (*node.args, *(keyword.value for keyword in node.keywords)):
        if isinstance(value, ast.Dict) and last_name(function) in ("attach", "_LazyModule"):
            yield from _of_table(value, package)


def _of_table(table: ast.Dict, package: str) -> Iterator[tuple[str, str]]:
    """{submodule: [names]}, or {name: module} and {name: (module, name)} as a module's `__getattr__` reads them."""
    for key, value in zip(table.keys, table.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            continue
        if isinstance(value, ast.List):
            yield from _listed(key.value, value, package)
        else:
            target = _single(key.value, value, package)
            if target is not None:
                yield key.value, target


def _single(name: str, value: ast.expr, package: str) -> str | None:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    words = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if not words or not (words[0].startswith((".", f"{package.partition('.')[0]}.")) or ":" in words[0]):
        return None
    module, _, attribute = words[0].partition(":")
    attribute = attribute or (words[1] if len(words) > 1 and words[1].isidentifier() else name)
    return f"{_absolute(module, package)}.{attribute}"


def _listed(key: str | None, value: ast.expr | None, package: str) -> Iterator[tuple[str, str]]:
    if key is None:
        return
    for item in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
        if isinstance(item, ast.Constant) and isinstance(item.value, str) and item.value.isidentifier():
            yield item.value, f"{package}.{key}.{item.value}"


def _absolute(module: str, package: str) -> str:
    if not module.startswith("."):
        return module
    name = module.lstrip(".")
    above = package.split(".")[: len(package.split(".")) - (len(module) - len(name) - 1)]
    return ".".join([*above, name]) if name else ".".join(above)


def _is_structure(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and "import_structure" in node.value.id


def _key(node: ast.expr) -> str | None:
    found = node.slice if isinstance(node, ast.Subscript) else None
    return found.value if isinstance(found, ast.Constant) and isinstance(found.value, str) else None
