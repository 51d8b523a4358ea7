"""Evidence from the source distribution: which names its documentation, examples and tests speak of."""

import ast
import re
import warnings
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigap.discovery.evidence.changelog import HISTORY, Notes, notes_in
from apigap.discovery.evidence.pages import described_on_page, has_members_by_default
from apigap.discovery.evidence.version_notes import Sighting, sightings_on_page
from apigap.discovery.surface import Entry, Surface
from apigap.discovery.walk import INTERNAL
from apigap.records.candidate import DATA_KINDS, Evidence
from apigap.records.parsing.syntax import parse

MAX_FILE_BYTES = 4 << 20
TESTS_NEEDED = 2  # one test that imports a helper tests the helper; several use an API
_DOC_FOLDERS = {"doc", "docs", "documentation"}
_EXAMPLE_FOLDERS = {"docs_src", "example", "examples", "tutorial", "tutorials", "demo", "demos", "gallery", "samples"}
_TEST_FOLDERS = {"test", "tests"}
_OF_DEVELOPERS = {"contribute", "contributing", "contributor", "contributors", "dev", "developers", "development"}
_FOR_TESTS = {"test", "testing"}  # that the library's tests use it says nothing here: that is what it is for
_PROSE = {".rst", ".md", ".mdx", ".txt", ".ipynb"}
_NAME = r"[A-Za-z_]\w*"
_LISTS = re.compile(r"^ *\.\. (?:auto(?:function|class|method|summary|exception)|(?:py:)?(?:function|class))::", re.M)
_FROM = re.compile(r"^[ \t>.]*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n(]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t>.]*import\s+([\w.]+)(?:\s+as\s+(\w+))?", re.MULTILINE)
_CHAIN = re.compile(rf"(?<![\w.])({_NAME})((?:\.{_NAME})+)")


class Documents:
    """Names that a source distribution mentions. Each mapping leads from a full dotted name to the file that has it.

    `described` are names that pages are about or refer to, `shown` those in the programs on them. `modules` are those
    whose members are described one and all, `tested` maps to the test files that use a name.
    `sightings` and `notes` say since when an API is there, as pages and changelogs have it. `files` counts what was
    read, by part: a source distribution without pages has no `documentation`.
    """

    def __init__(self) -> None:
        self.described: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.used: dict[str, str] = {}
        self.modules: dict[str, str] = {}
        self.tested: defaultdict[str, list[str]] = defaultdict(list)
        self.sightings: list[Sighting] = []
        self.notes = Notes()
        self.files: Counter[str] = Counter()

    def evidence(self, entry: Entry) -> Iterator[Evidence]:
        """Evidence for `entry`, strongest first, at most one of each kind."""
        where = self._from_pages(entry)
        if where:
            yield Evidence(kind="documented", where=where)
        where = _first(self.used, entry.paths) or self._from_tests(entry)
        if where:
            yield Evidence(kind="used", where=where)

    def names_written(self, path: str) -> bool:
        """Check that pages, programs on them, examples, or several tests write the full dotted `path`."""
        tested = len(self.tested.get(path, ())) >= TESTS_NEEDED and not INTERNAL.intersection(path.split("."))
        return path in self.described or path in self.shown or path in self.used or tested

    def _from_pages(self, entry: Entry) -> str | None:
        """A page about it; else one whose programs use it, but what is in a package of helpers must be described."""
        paths = (*entry.paths, *_without_class(entry))
        where = _first(self.described, paths)
        if where is None and entry.defined_in in self.modules and entry.docstring:
            where = self.modules[entry.defined_in] if entry.import_module == entry.defined_in else None
        return where if where or _is_below(INTERNAL, entry) else _first(self.shown, paths)

    def _from_tests(self, entry: Entry) -> str | None:
        if _is_below(INTERNAL | _FOR_TESTS, entry):
            return None
        enough = (files for path in entry.paths if len(files := self.tested.get(path, [])) >= TESTS_NEEDED)
        return next(enough, [None])[0]


def read_documents(trees: Iterable[Path], tops: Iterable[str]) -> Documents:
    """Read the documentation, examples and tests below `trees` for names of the packages `tops`, in one pass."""
    found = Documents()
    own = tuple(tops)
    for tree in trees:
        _read_tree(tree, own, found)
    return found


def _read_tree(tree: Path, own: tuple[str, ...], documents: Documents) -> None:
    by_default = any(has_members_by_default(_text(path)) for path in sorted(tree.rglob("conf.py")))
    # of all that speak of a name, a page about it is named before the history of the library
    for path in sorted(
        tree.rglob("*"), key=lambda path: (bool(HISTORY.search(path.relative_to(tree).as_posix())), path)
    ):
        where = path.relative_to(tree).as_posix()
        part = _part(path.relative_to(tree), own)
        if part is None or not path.is_file() or path.is_symlink() or path.stat().st_size > MAX_FILE_BYTES:
            continue
        if part == "docstrings":
            _read_docstring(path, where, own, documents)
            continue
        documents.files["history" if part == "documentation" and HISTORY.search(where) else part] += 1
        if part == "inventory":
            _add(documents.described, _inventory_names(path.read_bytes()), where)
            continue
        text = _text(path)
        if part == "documentation":
            described = described_on_page(text, own, members_by_default=by_default)
            _add(documents.described, described.names, where)
            _add(documents.modules, described.modules, where)
            documents.sightings += sightings_on_page(text, own, where)
            if HISTORY.search(where):
                for note in notes_in(text, where):
                    documents.notes.add(note)
        names = names_used(text, own)
        if part == "tests":
            for name in names:
                documents.tested[name].append(where)
        else:
            _add(documents.shown if part == "documentation" else documents.used, names, where)


def _read_docstring(path: Path, where: str, tops: tuple[str, ...], documents: Documents) -> None:
    """The docstring of a module may be its page of the documentation: it lists what the module offers."""
    text = _text(path)
    if not _LISTS.search(text):
        return
    try:
        with warnings.catch_warnings(action="ignore"):  # of its literals
            docstring = ast.get_docstring(parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return
    if docstring and _LISTS.search(docstring):
        documents.files["docstrings"] += 1
        described = described_on_page(docstring, module=_module_of(Path(where), tops))
        _add(documents.described, described.names, where)
        _add(documents.modules, described.modules, where)


def _module_of(path: Path, tops: tuple[str, ...]) -> str:
    """`src/lib/a/__init__.py` is `lib.a`."""
    parts = path.with_suffix("").parts
    start = next((place for place, part in enumerate(parts) if part in tops), 0)
    return ".".join(part for part in parts[start:] if part != "__init__")


def with_documents(surface: Surface, documents: Documents) -> Surface:
    """`surface` with the evidence of `documents`; a member also inherits that of its class.

    What pages and programs say of a class does not speak for those of its methods that nothing says a word about,
    not even their own docstrings: those are the machinery of the class, such as the methods of a visitor.
    """
    gained = {entry.name: tuple(documents.evidence(entry)) for entry in surface.entries}
    runtime = {entry.name: entry.evidence for entry in surface.entries}
    entries = [entry.model_copy(update={"evidence": _joined(entry, runtime, gained)}) for entry in surface.entries]
    return surface.model_copy(update={"entries": tuple(entries)})


def _joined(
    entry: Entry, runtime: dict[str, tuple[Evidence, ...]], gained: dict[str, tuple[Evidence, ...]]
) -> tuple[Evidence, ...]:
    owner = entry.owner or ""
    is_told = bool(entry.docstring or gained[entry.name]) or entry.kind in DATA_KINDS
    inherited = (*runtime.get(owner, ()), *(gained.get(owner, ()) if is_told else ()))
    together = (*entry.evidence, *gained[entry.name], *inherited)
    by_kind = {evidence.kind: evidence for evidence in reversed(together)}
    return tuple(by_kind[kind] for kind in ("__all__", "re-export", "documented", "used") if kind in by_kind)


def names_used(text: str, tops: tuple[str, ...]) -> set[str]:
    """Full dotted names below `tops` that a program, or prose with programs in it, imports or reaches."""
    bound = {top: top for top in tops}
    for module, names in _FROM.findall(text):
        if module.partition(".")[0] in tops:
            for name, alias in re.findall(rf"({_NAME})(?:\s+as\s+({_NAME}))?", names):
                bound[alias or name] = f"{module}.{name}"
    for module, alias in _IMPORT.findall(text):
        if alias and module.partition(".")[0] in tops:
            bound[alias] = module
    found = set(bound.values()) - set(tops)
    for first, rest in set(_CHAIN.findall(text)):
        if first in bound:
            parts = rest.split(".")[1:]
            found.update(".".join([bound[first], *parts[:end]]) for end in range(1, len(parts) + 1))
    return found


def _inventory_names(data: bytes) -> set[str]:
    """The Python names of a Sphinx inventory (`objects.inv`, version 2); none of a damaged one."""
    head, body = data.split(b"\n", 4)[:4], data.split(b"\n", 4)[-1]
    if len(head) < 4 or b"version 2" not in head[0]:
        return set()
    try:
        text = zlib.decompressobj().decompress(body, MAX_FILE_BYTES * 4).decode("utf-8", "replace")
    except zlib.error:
        return set()
    rows = (line.split() for line in text.splitlines())
    return {row[0] for row in rows if len(row) > 2 and row[1].startswith("py:")}


def _part(path: Path, tops: tuple[str, ...]) -> str | None:
    """The part of a source tree that a file belongs to; None for the package's own code and what says nothing."""
    folders = {folder.lower() for folder in path.parts[:-1]}
    if folders & _DOC_FOLDERS and folders & _OF_DEVELOPERS:
        return None  # pages for those who work on the library itself
    if path.name == "objects.inv":
        return "inventory"
    in_package = path.parts[0] in (*tops, "src", "lib")
    if path.suffix == ".py" and (folders & _TEST_FOLDERS or path.name.startswith("test_")):
        return "tests"
    if in_package and path.suffix == ".py":
        return "docstrings"
    if path.suffix in (".py", ".ipynb") and folders & (_EXAMPLE_FOLDERS | _DOC_FOLDERS) and not in_package:
        return "examples"
    is_plain = len(path.parts) == 1 and not path.suffix and (HISTORY.search(path.name) or path.name == "README")
    if is_plain or (path.suffix in _PROSE and not in_package and (folders & _DOC_FOLDERS or len(path.parts) == 1)):
        return "documentation"
    return None


def _is_below(packages: set[str], entry: Entry) -> bool:
    return bool(packages.intersection(entry.name.split(".")))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _without_class(entry: Entry) -> tuple[str, ...]:
    """`module.Class.method` may be documented as `Class.method` of the top-level package."""
    top = entry.name.partition(".")[0]
    return (f"{top}.{entry.qualname}",) if entry.qualname and "<" not in entry.qualname else ()


def _first(names: dict[str, str], paths: Iterable[str]) -> str | None:
    return next((names[path] for path in paths if path in names), None)


def _add(into: dict[str, str], names: Iterable[str], where: str) -> None:
    for name in names:
        into.setdefault(name, where)
