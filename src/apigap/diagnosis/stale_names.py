"""Names that an answer still writes although the release took them away; found by reading, without running it.

A name counts where the text says what it is: an import, a chain of attributes below one, a member of a class that an
object was made of, a keyword in a call of the API. A method of an object whose class the text does not tell counts
for nothing.
"""

import ast
from collections.abc import Iterable, Iterator

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import imported_paths
from apigap.records.retired import Retirement
from apigap.sandbox.limits import MAX_PARSED

_GONE = ("removed", "renamed", "moved", "deprecated")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class StaleNames:
    """The names that a release took away, for looking them up in answers."""

    def __init__(self, retired: Iterable[Retirement]) -> None:
        gone = [one for one in retired if one.kind in _GONE]
        self._paths = frozenset(one.old_name for one in gone if one.parameter is None and not one.name_lives)
        self._living = frozenset(one.old_name for one in gone if one.name_lives)
        self._modules = frozenset(one.old_name for one in gone if one.api_kind == "module")
        self._parameters = frozenset((one.old_name, one.parameter) for one in gone if one.parameter)

    def written_in(self, code: str, context: str = "") -> list[str]:
        """The stale names of `code` in alphabetical order, each once; a parameter as `path(name=)`.

        `context` is the program before it, which tells what names stand for; what it writes itself does not count.
        """
        if max(len(code), len(context)) > MAX_PARSED:
            return []
        try:
            tree = parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        names = Meanings()
        try:
            names.read(parse(context))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            names = Meanings()
        names.read(tree)
        return sorted({name for node in ast.walk(tree) for name in self._in_node(node, names)})

    def _in_node(self, node: ast.AST, names: "Meanings") -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (found for alias in node.names if (found := self._gone(alias.name, as_module=True)))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (found for alias in node.names if (found := self._gone(f"{node.module}.{alias.name}")))
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            if found := self._gone(names.path(node)):
                yield found
        elif isinstance(node, ast.Call):
            called = names.path(node.func)
            passed = (keyword.arg for keyword in node.keywords)
            yield from (f"{called}({name}=)" for name in passed if name and (called, name) in self._parameters)

    def _gone(self, path: str, *, as_module: bool = False) -> str | None:
        """The stale name that a path is, or lies below; a name that lives is stale where a module is imported."""
        if path in self._living and not as_module:
            return None
        parts = path.split(".")
        modules = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return path if path in self._paths else next((name for name in modules if name in self._modules), None)


class Meanings:
    """The meanings of a program's names: the path of an import, or of the class that an object is of."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}
        self._objects: dict[str, str] = {}

    def read(self, tree: ast.AST) -> None:
        """Take over the imports, assignments, annotations and classes of a program, in its order."""
        self._paths.update(imported_paths(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self._class(node)
        for node in ast.walk(tree):
            self._bound(node)

    def path(self, node: ast.AST) -> str:
        """The dotted path of a name or a chain of attributes; empty where the text does not say what it is."""
        if isinstance(node, ast.Name):
            return self._objects.get(node.id) or self._paths.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self.path(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        if isinstance(node, ast.Call):
            made = self.path(node.func)
            return made if made.rpartition(".")[2][:1].isupper() else ""
        return ""

    def _class(self, node: ast.ClassDef) -> None:
        """A class of the program is, for what it inherits, the first of its bases that is known."""
        base = next((path for base in node.bases if (path := self.path(base))), None)
        if base:
            self._paths[node.name] = base

    def _bound(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._object(node.targets[0], node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._object(node.optional_vars, node.context_expr)
        elif isinstance(node, ast.AnnAssign):
            self._annotated(node.target, node.annotation)
        elif isinstance(node, _Function):
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if argument.annotation is not None:
                    self._annotated(ast.Name(argument.arg), argument.annotation)

    def _object(self, target: ast.expr, value: ast.expr) -> None:
        """A name is an object of the class that it is made of; one that is given something else later is unknown."""
        if isinstance(target, ast.Name):
            known = self.path(value) if isinstance(value, ast.Call) else ""
            self._objects.pop(target.id, None)
            if known:
                self._objects[target.id] = known

    def _annotated(self, target: ast.expr, annotation: ast.expr) -> None:
        path = self.path(annotation)
        if isinstance(target, ast.Name) and path:
            self._objects[target.id] = path
