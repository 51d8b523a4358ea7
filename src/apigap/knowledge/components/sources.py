"""The text of an installed release: its modules, and where in them a name is defined. Nothing is imported or run."""

import ast
import functools
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import dotted

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Statement = Definition | ast.Assign | ast.AnnAssign
_FAR = 8


class Module(NamedTuple):
    """One parsed file; `path` is below the folder of packages."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def is_stub(self) -> bool:
        """True for a stub (`.pyi`)."""
        return self.path.suffix == ".pyi"

    @property
    def package(self) -> str:
        """The package that relative imports in it start from."""
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]


class Located(NamedTuple):
    """A name's definition: `nodes` are several for overloads, or for the getter and setter of a property.

    `node` is the one that says most: the implementation, the getter. `owner` is the class around it, if any.
    """

    module: Module
    nodes: tuple[Statement, ...]
    owner: ast.ClassDef | None = None

    @property
    def node(self) -> Statement:
        """The implementation; of a property its getter; where only overloads are declared, the last.

        What a later statement only wraps (`C = add_repr(C)`) is the implementation still.
        """
        made = [node for node in self.nodes if not decorated(node, ("overload", "setter", "deleter"))]
        kept = [*made[:1], *(node for node in made[1:] if not _wraps_itself(node))]
        return kept[-1] if kept else self.nodes[-1]

    @property
    def overloads(self) -> tuple[Statement, ...]:
        """The declared forms of a call, where there are several."""
        found = tuple(node for node in self.nodes if decorated(node, ("overload",)))
        return found if len(found) > 1 else ()


class Sources:
    """The modules below `site_packages`, each read when it is first asked for."""

    def __init__(self, site_packages: Path) -> None:
        self._root = site_packages
        self._modules: dict[Path, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """The source of a module; None for compiled ones, and for what does not parse."""
        return self._first(name, (".py",))

    def stub(self, name: str) -> Module | None:
        """The `.pyi` file of a module: beside it, or in the stub package `TOP-stubs`."""
        top, _, rest = name.partition(".")
        return self._first(name, (".pyi",)) or self._first(f"{top}-stubs.{rest}".rstrip("."), (".pyi",), name)

    def find(self, module: str, path: Sequence[str], stub: bool = False) -> Located | None:
        """The definition of the dotted `path` in `module`, through imports and base classes; None if there is none."""
        found = self.stub(module) if stub else self.module(module)
        return self._in_module(found, tuple(path), _FAR) if found and path else None

    def bases(self, module: Module, cls: ast.ClassDef) -> Iterator[Located]:
        """The definitions of the direct bases of `cls` that the release has."""
        for base in cls.bases:
            written = dotted(base.value if isinstance(base, ast.Subscript) else base)
            found = self._in_module(module, tuple(written.split(".")), _FAR) if written else None
            if found and isinstance(found.node, ast.ClassDef) and found.node is not cls:
                yield found

    def member(self, located: Located, name: str) -> Located | None:
        """The member `name` of a class, its own or inherited."""
        return self._member(located, (name,), _FAR)

    def _first(self, name: str, suffixes: Sequence[str], called: str | None = None) -> Module | None:
        base = self._root.joinpath(*name.split("."))
        for suffix in suffixes:
            for path in (base / f"__init__{suffix}", base.with_name(base.name + suffix)):
                if path not in self._modules:
                    self._modules[path] = _read(path, called or name, self._root)
                if self._modules[path] is not None:
                    return self._modules[path]
        return None

    def _in_module(self, module: Module, path: tuple[str, ...], far: int) -> Located | None:
        if far == 0:
            return None
        nodes = tuple(named(module.tree.body, path[0]))
        if not nodes:
            return self._imported(module, path, far)
        found = Located(module, nodes)
        return self._member(found, path[1:], far) if path[1:] else found

    def _member(self, located: Located, path: tuple[str, ...], far: int) -> Located | None:
        cls = located.node
        if not isinstance(cls, ast.ClassDef) or far == 0:
            return None
        nodes = tuple(named(cls.body, path[0]))
        if nodes:
            inner = Located(located.module, nodes, cls)
            return self._member(inner, path[1:], far) if path[1:] else inner
        inherited = (self._member(base, path, far - 1) for base in self.bases(located.module, cls))
        return next((member for member in inherited if member), None)

    def _imported(self, module: Module, path: tuple[str, ...], far: int) -> Located | None:
        for node in statements(module.tree.body):
            if isinstance(node, ast.ImportFrom):
                home = absolute(node, module.package)
                for alias in node.names:
                    if alias.name == "*" or (alias.asname or alias.name) == path[0]:
                        inner = path if alias.name == "*" else (alias.name, *path[1:])
                        found = self._at(home, inner, module.is_stub, far - 1)
                        if found:
                            return found
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname == path[0] and path[1:]:
                        return self._at(alias.name, path[1:], module.is_stub, far - 1)
        return None

    def _at(self, module: str, path: tuple[str, ...], stub: bool, far: int) -> Located | None:
        found = self.stub(module) if stub else self.module(module)
        inside = self._in_module(found, path, far) if found else None
        if inside or not path[1:]:
            return inside
        return self._at(f"{module}.{path[0]}", path[1:], stub, far - 1) if far > 0 else None


@functools.lru_cache(maxsize=4)
def sources_of(site_packages: Path) -> Sources:
    """The sources below a folder, read once in a run."""
    return Sources(site_packages)


def named(body: Sequence[ast.stmt], name: str) -> Iterator[Statement]:
    """The statements of `body` that define `name`, those under an `if`, `try` or `with` included."""
    for node in statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                yield node
        elif isinstance(node, ast.Assign):
            if any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
                yield node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node


def statements(body: Sequence[ast.stmt], handlers: bool = True) -> Iterator[ast.stmt]:
    """The statements of `body` in their order, those under an `if`, `try` or `with` included.

    Without `handlers` what stands in for a failed import is left out.
    """
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from statements(node.body, handlers)
            yield from statements([] if isinstance(node, ast.With) else node.orelse, handlers)
            for handler in node.handlers if isinstance(node, ast.Try) and handlers else ():
                yield from statements(handler.body)


def _wraps_itself(node: Statement) -> bool:
    """Check for an assignment to a name that its own value speaks of."""
    if not isinstance(node, ast.Assign):
        return False
    targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
    return any(isinstance(inner, ast.Name) and inner.id in targets for inner in ast.walk(node.value))


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The full name of the module that a `from` import names."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    above = parts[: len(parts) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def decorators(node: ast.stmt) -> list[str]:
    """The decorators of a definition as dotted names, calls without their arguments."""
    written = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    return [dotted(each.func if isinstance(each, ast.Call) else each) for each in written]


def decorated(node: ast.stmt, names: Sequence[str]) -> bool:
    """Check that a definition has a decorator whose last name is one of `names`."""
    return any(written.rpartition(".")[2] in names for written in decorators(node))


def _read(path: Path, name: str, root: Path) -> Module | None:
    if not path.is_file():
        return None
    try:
        text = path.read_text("utf-8")
        with warnings.catch_warnings(action="ignore"):  # of its literals
            return Module(name, path.relative_to(root), text, parse(text))
    except (SyntaxError, ValueError, RecursionError, OSError):
        return None
