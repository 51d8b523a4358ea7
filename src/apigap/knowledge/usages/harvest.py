"""All usages that a release carries with it: docstrings of the installed package, documents and tests of its sdist."""

import ast
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from apigap.knowledge.usages.divide import divided
from apigap.knowledge.usages.imports import ImportBook
from apigap.knowledge.usages.library_setup import with_setup
from apigap.knowledge.usages.snippets import usages_of_page
from apigap.knowledge.usages.upstream_tests import usages_of_tests
from apigap.knowledge.usages.usage import Usage
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import statements_within

_DOCUMENTS = (".md", ".rst", ".txt")
_MAX_BYTES = 2_000_000


def harvest(
    site_packages: Path,
    modules: tuple[str, ...],
    sdist: Path | None,
    leaves: frozenset[str],
    words: frozenset[str] = frozenset(),
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    tests: bool = True,
) -> list[Usage]:
    """Usages of the top-level `modules`, in a fixed order: docstrings, documents, tests; each stand-alone code once.

    Those that mention a name of `leaves` get the imports and settings that they lack; long ones come in pieces. With
    `words`, tests that have none of these in them are left out, without `tests` all are. `progress` is told of the
    files that are read.
    """
    raw: list[Usage] = []
    places = list(_places(site_packages, modules, sdist, words | leaves if words else words, tests))
    for number, place in enumerate(places):
        progress(number, len(places))
        raw.extend(place())
    progress(len(places), len(places))
    book = ImportBook(modules, raw)
    found: dict[str, Usage] = {}
    for usage in raw:
        if not usage.identifiers & leaves:
            found.setdefault(usage.code, usage)
            continue
        for piece in divided(usage, leaves):
            complete = with_setup(book.completed(piece), modules)
            found.setdefault(complete.code, complete)
    return list(found.values())


def _places(
    site_packages: Path, modules: tuple[str, ...], sdist: Path | None, words: frozenset[str], tests: bool
) -> Iterator[Callable[[], Iterator[Usage]]]:
    """Per file that may hold usages a function that reads them."""
    for module in modules:
        for path in python_files(site_packages, module):
            yield partial(_docstring_usages, path, str(path.relative_to(site_packages)))
    if sdist is None:
        return
    for path in _files(sdist, _DOCUMENTS):
        yield partial(_document_usages, path, str(path.relative_to(sdist)))
    for path in _files(sdist, (".py",)) if tests else ():
        if path.name.startswith("test_") or path.name.endswith("_test.py") or path.name == "tests.py":
            yield partial(usages_of_tests, path, str(path.relative_to(sdist)), words)


def _document_usages(path: Path, source: str) -> Iterator[Usage]:
    yield from usages_of_page(path.read_text("utf-8", "replace"), source, "docs")


def python_files(site_packages: Path, module: str) -> list[Path]:
    """The source files of a top-level module, sorted; a single-file module is its one file."""
    single = site_packages / f"{module}.py"
    if single.is_file():
        return [single]
    return _files(site_packages / module, (".py",))


def _files(root: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(
        path for path in root.rglob("*")
        if path.suffix in suffixes and path.is_file() and not path.is_symlink() and path.stat().st_size < _MAX_BYTES
    )  # fmt: skip


def _docstring_usages(path: Path, source: str) -> Iterator[Usage]:
    text = path.read_text("utf-8", "replace")
    if "```" not in text and ">>>" not in text and "::" not in text:
        return
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in statements_within(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                name = getattr(node, "name", "module")
                yield from usages_of_page(docstring, f"{source}:{name}", "docstring")
