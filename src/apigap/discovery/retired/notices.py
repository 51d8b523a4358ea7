"""Deprecations that the source of a release writes down: by decorators, and by warnings that a call or an import gives.

Nothing is imported or run.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.retired.decorators import Told, decorated
from apigap.discovery.retired.deprecation_classes import deprecation_classes, last_name
from apigap.discovery.retired.handed_on import handed_on
from apigap.discovery.retired.lent import lent_to_classes
from apigap.discovery.retired.messages import constants_of, text_of
from apigap.discovery.retired.on_request import modules_by_hand, names_on_request
from apigap.discovery.retired.warned import (
    Function,
    Reading,
    Warned,
    asks_for_keyword,
    deprecation,
    speaks_of,
    warnings_in,
)
from apigap.discovery.retired.written import words_in, wrapped_homes
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import dotted

MAX_BYTES = 2_000_000
_MAKERS = ("__init__", "__new__")


class Source(NamedTuple):
    """One file of a release: its module, its path as it is shown, and its tree."""

    module: str
    where: str
    tree: ast.Module


class Notices:
    """The deprecations of one release by the home of what they speak of (`module:qualified name`; a module's ends in
    the colon). `homes` are those of all that its files define, `on_request` the names that modules give on request,
    `by_hand` the modules that are put in place by the code of others.
    `open_code` are the texts in the code of what takes any keyword, by its home; `classes` the names of the warnings
    that speak of deprecations, `lent` members of classes that the code of others puts there, as `Class.name`,
    `words` the texts of each module that are single words, `wrapped` the homes of functions with decorators.
    """

    def __init__(
        self,
        told: Iterable[Told] = (),
        homes: Iterable[str] = (),
        on_request: Iterable[str] = (),
        by_hand: Iterable[str] = (),
        open_code: Mapping[str, frozenset[str]] | None = None,
        classes: frozenset[str] = frozenset(),
        lent: Iterable[str] = (),
        words: Mapping[str, frozenset[str]] | None = None,
        wrapped: Iterable[str] = (),
    ) -> None:
        self._by_home: dict[str, list[Told]] = {}
        for one in told:
            self._by_home.setdefault(one.home, []).append(one)
        self.homes = frozenset(homes)
        self.on_request = frozenset(on_request)
        self.by_hand = frozenset(by_hand)
        self._open_code = open_code or {}
        self.classes = classes
        self.lent = frozenset(lent)
        self.words = words or {}
        self.wrapped = frozenset(wrapped)

    def of(self, module: str | None, qualname: str | None) -> tuple[Told, ...]:
        """The notices on the object whose code is there."""
        return tuple(self._by_home.get(f"{module}:{qualname}", ()))

    def writes(self, module: str | None, qualname: str | None, keyword: str) -> bool:
        """Check that the code there, which takes any keyword, has this one as a text."""
        return keyword in self._open_code.get(f"{module}:{qualname}", ())

    def below(self, module: str | None, qualname: str) -> Iterator[Told]:
        """The notices on what the class there defines in classes of its own."""
        beginning = f"{module}:{qualname}."
        for home, told in self._by_home.items():
            if home.startswith(beginning) and "." in home[len(beginning) :]:
                yield from told


def read_notices(root: Path, tops: Iterable[str]) -> Notices:
    """The notices in the files of the packages `tops` below `root`; what is too large, or no Python, is left out."""
    sources = list(_sources(root, tops))
    classes = deprecation_classes(source.tree for source in sources)
    elsewhere = {source.module: constants_of(source.tree.body) for source in sources}
    takers = _takers(sources, classes)
    return Notices(
        (told for source in sources for told in notices_in(source, classes, elsewhere, takers)),
        (home for source in sources for home, _ in _all_definitions(source)),
        (name for source in sources for name in names_on_request(source.module, source.tree)),
        (name for source in sources for name in modules_by_hand(source.module, source.tree)),
        _merged(pair for source in sources for pair in _open_code(source)),
        classes,
        (name for source in sources for name in lent_to_classes(source.tree)),
        {source.module: words_in(source.tree) for source in sources},
        (home for source in sources for home in wrapped_homes(_all_definitions(source))),
    )


def notices_in(
    source: Source,
    classes: frozenset[str],
    elsewhere: Mapping[str, dict[str, ast.expr]] | None = None,
    takers: Mapping[str, list[Warned]] | None = None,
) -> Iterator[Told]:
    """The notices of one file; `classes` are the names of the warnings that speak of deprecations, `elsewhere` the
    constants of all modules, of which a file may import the text of a warning, `takers` the decorators by name that
    take a keyword and warn of it.
    """
    reading = Reading(classes, {**_imported(source, elsewhere or {}), **constants_of(source.tree.body)})
    for node in source.tree.body:
        text = deprecation(node, reading)
        if text and not _is_of_a_part(node, text, source.module, reading):
            yield Told(f"{source.module}:", "warning", f"{source.where}:{node.lineno}", text)
    private = _private(source, reading)
    for home, node in _all_definitions(source):
        is_maker, home = _is_maker(home), _home(home)
        for one in decorated(node, home, source.where, reading.constants, takers or {}):
            if one.parameter or not is_maker:
                yield one
        if isinstance(node, Function):
            for one in (*warnings_in(node, reading), *handed_on(node, private)):
                yield Told(home, "warning", f"{source.where}:{one.line}", one.text, one.parameter)


def _is_of_a_part(node: ast.stmt, text: str, module: str, reading: Reading) -> bool:
    """Check for the call of a helper that speaks of something else than the module: it is given an object
    (`deprecated(NAME, __name__, "...")`) or the name of one, or its words do not name the module.
    """
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if call is None or "warn" in last_name(call.func).lower() or "module" in last_name(call.func).lower():
        return False
    first, own = call.args[0] if call.args else None, module.rpartition(".")[2]
    given = text_of(first, reading.constants)
    is_name = isinstance(first, ast.Name | ast.Attribute) and dotted(first) != "__name__"
    return not speaks_of(text, own) or (given.isidentifier() and given != own) or (is_name and not given)


def _merged(pairs: Iterable[tuple[str, frozenset[str]]]) -> dict[str, frozenset[str]]:
    """The texts by home: of a class with two constructors, or a function with two definitions, those of both."""
    found: dict[str, frozenset[str]] = {}
    for home, texts in pairs:
        found[home] = found.get(home, frozenset()) | texts
    return found


def _open_code(source: Source) -> Iterator[tuple[str, frozenset[str]]]:
    for home, node in _all_definitions(source):
        if isinstance(node, Function) and node.args.kwarg is not None:
            texts = (part.value for inner in node.body for part in ast.walk(inner) if isinstance(part, ast.Constant))
            yield _home(home), frozenset(text for text in texts if isinstance(text, str) and text.isidentifier())


def _private(source: Source, reading: Reading) -> dict[str, list[Warned]]:
    """The warnings of a file's private functions, and of its private methods as `self.name`; none of a shared name."""
    found: dict[str, list[Warned]] = {}
    known: set[str] = set()
    for home, node in _all_definitions(source):
        if not isinstance(node, Function) or not node.name.startswith("_") or node.name.startswith("__"):
            continue
        told = decorated(node, home, source.where, reading.constants, {})
        every = [Warned(node.lineno, one.text, one.parameter) for one in told] + list(warnings_in(node, reading))
        name = f"self.{node.name}" if "." in home.partition(":")[2] else node.name
        found[name] = [] if name in known else every
        known.add(name)
    return found


def _takers(sources: Iterable[Source], classes: frozenset[str]) -> dict[str, list[Warned]]:
    """The functions of a library that make decorators, and the keywords of which their wrappers warn; none where they
    ask for a keyword whose name is not written.
    """
    found: dict[str, list[Warned]] = {}
    for source in sources:
        reading = Reading(classes, constants_of(source.tree.body))
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef) and "deprecat" in node.name.lower():
                inner = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef) and one is not node]
                wrappers = [one for one in inner if one.args.kwarg is not None]
                warned = [told for one in wrappers for told in warnings_in(one, reading)]
                of_keywords = [told for told in warned if told.parameter]
                if of_keywords or (not warned and any(map(asks_for_keyword, wrappers))):
                    found[node.name] = of_keywords
    return found


def _home(home: str) -> str:
    """The home as it is, but of a constructor that of its class, whose parameters it has."""
    return home.rpartition(".")[0] if _is_maker(home) else home


def _is_maker(home: str) -> bool:
    owner, _, name = home.partition(":")[2].rpartition(".")
    return bool(owner) and name in _MAKERS


def _imported(source: Source, elsewhere: Mapping[str, dict[str, ast.expr]]) -> dict[str, ast.expr]:
    """The constants that a file imports by name from other modules of the library."""
    package = source.module.split(".") if source.where.endswith("__init__.py") else source.module.split(".")[:-1]
    found: dict[str, ast.expr] = {}
    for node in source.tree.body:
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            known = elsewhere.get(".".join([*above, *filter(None, [node.module])]), {})
            found |= {one.asname or one.name: known[one.name] for one in node.names if one.name in known}
    return found


def _sources(root: Path, tops: Iterable[str]) -> Iterator[Source]:
    for top in sorted(tops):
        single = root / f"{top}.py"
        for path in [single] if single.is_file() else sorted((root / top).rglob("*.py")):
            if path.is_symlink() or path.stat().st_size > MAX_BYTES or "tests" in path.relative_to(root).parts:
                continue
            where = path.relative_to(root)
            try:
                tree = parse(path.read_text("utf-8-sig", "replace"))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            parts = where.with_suffix("").parts
            yield Source(".".join(parts[:-1] if parts[-1] == "__init__" else parts), where.as_posix(), tree)


def _all_definitions(source: Source) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """The functions and classes of a file, and those of its classes, each with its home."""
    waiting = [(f"{source.module}:{node.name}", node) for node in _definitions(source.tree.body)]
    while waiting:
        home, node = waiting.pop(0)
        yield home, node
        if isinstance(node, ast.ClassDef):
            waiting[:0] = [(f"{home}.{inner.name}", inner) for inner in _definitions(node.body)]


def _definitions(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """Functions and classes of a body, those under a condition as well."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _definitions([*node.body, *node.orelse])
