"""Looks names up in the text of an unpacked library, with Python's own parser: for what cannot be imported here.

It shares nothing with griffe, which discovery uses, and gives the same kind of facts as `lookup_script`.
"""

import ast
import functools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_HOPS = 12
_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_KINDS = ("positional_only", "positional_or_keyword", "keyword_only")


class TextLookup:
    """Facts about names in the packages below `roots`."""

    def __init__(self, *roots: Path) -> None:
        self._roots = roots
        self._visited: set[tuple[str, ...]] = set()
        self._known: dict[tuple[str, ...], list[Path]] = {}

    def fact(self, name: str) -> dict[str, Any]:
        """Tell whether the text defines `name`, and its parameters; see `lookup_script.fact_of` for the keys."""
        self._visited.clear()
        found = list(self._resolve(name.split("."), 0))
        fact: dict[str, Any] = {"name": name, "found": bool(found), "kind": None, "parameters": None, "returns": None}
        fact |= {"doc": None, "fields": [], "accepts": {}, "elsewhere": None, "overloads": 0}
        fact["reason"] = None if found else "no definition in the text"
        definitions = [node for node in found if isinstance(node, _Defined)]
        functions = [node for node in definitions if not isinstance(node, ast.ClassDef)]
        classes = [node for node in definitions if isinstance(node, ast.ClassDef)]
        if classes:
            fact["kind"] = "class"
            fact["fields"] = sorted({name for node in classes for name in _fields(node)})
            functions = [member for node in classes for member in _functions(node, "__init__")]
        elif functions:
            fact["kind"] = "property" if _is_property(functions[0]) else "function"
        elif found:
            fact["kind"] = "field" if self._owner(name) else "data"
        if functions:
            widest = max(functions, key=lambda function: len(_parameters(function)))
            fact["parameters"] = _parameters(widest)[1 if self._is_bound(name, widest, bool(classes)) else 0 :]
            fact["returns"] = ast.unparse(widest.returns) if widest.returns else None
            fact["overloads"] = sum("overload" in ast.unparse(d) for f in functions for d in f.decorator_list)
        return fact

    def _is_bound(self, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef, is_class: bool) -> bool:
        if is_class:
            return True
        is_static = any(ast.unparse(decorator) == "staticmethod" for decorator in function.decorator_list)
        return self._owner(name) and not is_static

    def _owner(self, name: str) -> bool:
        """Tell whether a class holds the name."""
        self._visited.clear()
        return isinstance(next(self._resolve(name.split(".")[:-1], 0), None), ast.ClassDef)

    def _resolve(self, segments: list[str], hops: int) -> Iterator[ast.AST]:
        """The definitions that a dotted name leads to: through modules, imports, classes and their bases."""
        if hops > MAX_HOPS or tuple(segments) in self._visited:
            return  # imports may run in circles
        self._visited.add(tuple(segments))
        for end in range(len(segments), 0, -1):
            head = tuple(segments[:end])
            if head not in self._known:
                self._known[head] = list(self._files(segments[:end]))
            texts = [(path, tree) for path in self._known[head] if (tree := _tree(path))]
            if not texts:
                continue
            rest = segments[end:]
            if not rest:
                yield from (tree for _, tree in texts)
                return
            found = [node for path, tree in texts for node in self._in_module(path, tree, rest, hops)]
            if found or hops:  # only the question itself may mean an object that has the name of a module
                yield from found
                return

    def _files(self, segments: list[str]) -> Iterator[Path]:
        tops = (root / f"{segments[0]}{ending}" for root in self._roots for ending in ("", "-stubs"))
        for root in tops:
            for suffix in (".py", ".pyi"):
                base = root.joinpath(*segments[1:])
                for path in (base / f"__init__{suffix}", base.with_name(base.name + suffix)):
                    if path.is_file():
                        yield path

    def _in_module(self, path: Path, tree: ast.Module, rest: list[str], hops: int) -> Iterator[ast.AST]:
        root = next(root for root in self._roots if path.is_relative_to(root))
        package = list(path.relative_to(root).parts[:-1])
        package[0] = package[0].removesuffix("-stubs")
        for node in _statements(tree.body):
            if isinstance(node, _Defined) and node.name == rest[0]:
                yield from self._in_class(node, rest[1:], [*package, path.stem], hops) if rest[1:] else (node,)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and rest[0] in _targets(node) and not rest[1:]:
                yield from self._assigned(node, [*package, path.stem], hops)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                home = [*base, *(node.module.split(".") if node.module else [])]
                for alias in node.names:
                    if (alias.asname or alias.name) == rest[0]:
                        yield from self._resolve([*home, alias.name, *rest[1:]], hops + 1)
                    elif alias.name == "*":
                        yield from self._resolve([*home, *rest], hops + 2)

    def _assigned(self, node: ast.Assign | ast.AnnAssign, module: list[str], hops: int) -> Iterator[ast.AST]:
        """What an alias stands for, else the assignment itself."""
        value = ast.unparse(node.value) if isinstance(node.value, ast.Name | ast.Attribute) else ""
        local = [segment for segment in module if segment != "__init__"]
        target = list(self._resolve([*local, *value.split(".")], hops + 1)) if value else []
        yield from target or [node]

    def _in_class(self, cls: ast.AST, rest: list[str], module: list[str], hops: int) -> Iterator[ast.AST]:
        if not isinstance(cls, ast.ClassDef) or hops > MAX_HOPS:
            return
        members = [m for m in _statements(cls.body) if isinstance(m, _Defined) and m.name == rest[0]]
        data = [
            m for m in _statements(cls.body) if isinstance(m, ast.Assign | ast.AnnAssign) and rest[0] in _targets(m)
        ]
        inside = [n for n in ast.walk(cls) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
        stored = [n for n in inside if n.attr == rest[0] and ast.unparse(n.value) == "self"][:1]
        found: list[ast.AST] = [*members] or [*data, *stored]
        if found and not rest[1:]:
            yield from found
            return
        local = [segment for segment in module if segment != "__init__"]
        for base in cls.bases:
            names = ast.unparse(base).partition("[")[0].split(".")
            found = list(self._resolve([*local, *names, *rest], hops + 1))
            if found:
                yield from found
                return


@functools.lru_cache(maxsize=4000)
def _tree(path: Path) -> ast.Module | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class, also those below `if`, `try` and `with`."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, part, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _functions(cls: ast.ClassDef, name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    named = (m for m in _statements(cls.body) if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef))
    return [member for member in named if member.name == name]


def _fields(cls: ast.ClassDef) -> Iterator[str]:
    for statement in _statements(cls.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from _targets(statement)


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in function.decorator_list)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[dict[str, Any]]:
    given = function.args
    placed = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(placed) - len(given.defaults)) + list(given.defaults)
    kinds = [_KINDS[0]] * len(given.posonlyargs) + [_KINDS[1]] * len(given.args)
    rows = [_row(a, kind, default) for a, kind, default in zip(placed, kinds, defaults, strict=True)]
    rows += [_star(given.vararg, "var_positional")] if given.vararg else []
    keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    rows += [_row(argument, _KINDS[2], default) for argument, default in keywords]
    return rows + ([_star(given.kwarg, "var_keyword")] if given.kwarg else [])


def _row(argument: ast.arg, kind: str, default: ast.expr | None) -> dict[str, Any]:
    text = None if default is None else ast.unparse(default)
    kind = "positional_only" if argument.arg.startswith("__") else kind  # the sign of it before there was a `/`
    return {**_star(argument, kind), "required": default is None, "default": text}


def _star(argument: ast.arg, kind: str) -> dict[str, Any]:
    annotation = None if argument.annotation is None else ast.unparse(argument.annotation)
    return {"name": argument.arg, "kind": kind, "required": False, "default": None, "annotation": annotation}
