"""Places in a library's text that name an API beside a version: docstrings in the source, and pages. Nothing is run."""

import ast
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.evidence.directives import Directive, directives_in

MARKS = ("versionadded::", "versionchanged::", "deprecated::")
_NOT_THE_LIBRARY = {"tests", "test", "testing", "conftest"}
_Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Sighting(NamedTuple):
    """A directive and the full dotted names that it may mean, the likeliest first; `where` is file and line."""

    names: tuple[str, ...]
    directive: Directive
    where: str


def sightings_in_source(root: Path, tops: Iterable[str]) -> Iterator[Sighting]:
    """The directives in the docstrings of the packages `tops` below `root`, without their tests.

    Read are docstrings, the strings below attributes, and the texts that numpy and scipy give compiled functions
    (`add_newdoc`). Names are those of the place of definition; private objects are left out.
    """
    for top in sorted(tops):
        for path in sorted([*root.joinpath(top).rglob("*.py"), *root.glob(f"{top}.py")]):
            where = path.relative_to(root)
            if not _NOT_THE_LIBRARY.intersection(where.parts):
                yield from _in_file(path, where)


def sightings_on_page(text: str, tops: tuple[str, ...], where: str) -> Iterator[Sighting]:
    """The directives of a page of documentation that stand below the description of an object."""
    if not any(mark in text for mark in MARKS):
        return
    for directive in directives_in(text):
        if directive.target:
            contexts = dict.fromkeys((directive.module, "", *tops))
            names = (f"{context}.{directive.target}".lstrip(".") for context in contexts)
            yield Sighting(tuple(dict.fromkeys(names)), directive, f"{where}:{directive.line}")


def _in_file(path: Path, where: Path) -> Iterator[Sighting]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if not any(mark in text for mark in MARKS):
        return
    try:
        with warnings.catch_warnings(action="ignore"):  # of its literals
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    parts = where.with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    for name, docstring, line in (*_docstrings(tree, module), *_given_later(tree, module)):
        for directive in directives_in(docstring):
            yield Sighting((name,), directive, f"{where.as_posix()}:{line + directive.line - 1}")


def _docstrings(node: ast.Module | _Documented, name: str) -> Iterator[tuple[str, str, int]]:
    """(full name, docstring, its line) of what the node defines, at any depth of classes, also below `if` and `try`."""
    for member in _members(node.body):
        if isinstance(member, _Documented):
            found = f"{name}.{member.name}"
            docstring = ast.get_docstring(member)
            if not member.name.startswith("_"):
                if docstring:
                    yield found, docstring, member.body[0].lineno
                if isinstance(member, ast.ClassDef):
                    yield from _docstrings(member, found)
    for assigned, below in zip(node.body, node.body[1:], strict=False):
        target = _assigned(assigned)
        text = _string(below.value) if isinstance(below, ast.Expr) else None
        if target and text and isinstance(node, ast.ClassDef):
            yield f"{name}.{target}", _dedented(text), below.lineno


def _members(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for inner in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(statement, ast.If | ast.Try | ast.With):
                below = getattr(statement, inner, [])
                yield from _members([part for part in below if isinstance(part, ast.stmt)])


def _assigned(statement: ast.stmt) -> str | None:
    """The public name that a class attribute gets."""
    target = statement.target if isinstance(statement, ast.AnnAssign) else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) and not target.id.startswith("_") else None


def _given_later(tree: ast.Module, module: str) -> Iterator[tuple[str, str, int]]:
    """`add_newdoc("numpy", "ndarray", ("sort", "text"))` and its shorter forms."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and "newdoc" in node.func.id):
            continue
        arguments = [argument for given in node.args for argument in _flat(given)]
        texts = [text for argument in arguments if (text := _string(argument)) is not None]
        if len(texts) >= 2:
            *names, docstring = texts
            prefix = [] if "." in names[0] or len(names) > 1 else [module.rpartition(".")[0]]
            yield ".".join([*prefix, *names]), _dedented(docstring), arguments[-1].lineno


def _flat(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _string(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _dedented(text: str) -> str:
    import inspect

    return inspect.cleandoc(text)
