"""Lines of a changelog that name an API, with the version whose heading they stand under."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

HISTORY = re.compile(r"change|history|news|release|migrat|whats", re.IGNORECASE)
MAX_WORDS = 300
MAX_ENTRY_LINES = 30
_COMMON = 8  # a shorter leaf without an underscore is too often a word of prose
_NAME = r"[A-Za-z_]\w*"
_NUMBER = r"v?(\d+\.\d+(?:\.\d+)*)"
_IN_FILE_NAME = re.compile(rf"^{_NUMBER}(?:[-_.][A-Za-z][\w-]*)*\.\w+$")
_HEADING = re.compile(rf"^(?:#+\s*)?\[?(?:{_NAME}[ -])?(?:version |release |v)?\[?{_NUMBER}\b", re.IGNORECASE)
_VERSION_FIELD = re.compile(rf"^\s+:version:\s*{_NUMBER}")
RULE = re.compile(r"^([=\-~^*+#\"'])\1{2,}\s*$")
_MARKED = re.compile(
    rf":(?:py:)?(?:func|class|meth|exc|attr|obj|paramref):`(?:[^`<]*<)?[~!.]*({_NAME}(?:\.{_NAME})*)(?:\(\))?>?`"
    rf"|(?<!:)``?({_NAME}(?:\.{_NAME})*)(?:\([^`]*\))?``?"
)
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)]|#\.)\s")
_MAX_LINES = 8
_BULLET = re.compile(r"\s*(?:[-*+#]|\d+\.)\s")
_PRIVATE = re.compile(r"^(?:_\w*\.)+")  # the short names for its modules that a library gives to Sphinx


class Note(NamedTuple):
    """One line; `names` are the dotted names that it marks as code, `whole` is the entry with the lines after it.

    `named_together` counts the names of the whole entry (list item or paragraph): one of a list of many says little.
    """

    version: str
    names: tuple[str, ...]
    text: str
    where: str
    named_together: int = 1
    whole: str = ""


def notes_in(text: str, where: str) -> Iterator[Note]:
    """The lines of the changelog `text` that name code, each with its version; `where` is the path of the file.

    The version is that of the file's name, or of the nearest heading above the line.
    """
    file = where.rpartition("/")[2]
    fixed = _IN_FILE_NAME.match(file)
    version = fixed[1] if fixed else ""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not fixed:
            version = _version_of_heading(lines, number) or version
        if version and "`" in line:
            names = _names_in(line)
            if names:
                together = len(set(_names_in("\n".join(_entry_around(lines, number)))))
                text, whole = line.strip()[:MAX_WORDS], _entry_from(lines, number)
                yield Note(version, names, text, f"{where}:{number + 1}", together, whole)


def _names_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PRIVATE.sub("", role or quoted) for role, quoted in _MARKED.findall(text)))


def _entry_around(lines: list[str], number: int) -> list[str]:
    """The list item or paragraph that line `number` is in, at most `MAX_ENTRY_LINES` to either side."""
    first, last = number, number + 1
    while first > max(0, number - MAX_ENTRY_LINES) and not _ITEM.match(lines[first]) and lines[first - 1].strip():
        first -= 1
    while last < min(len(lines), number + MAX_ENTRY_LINES) and lines[last].strip() and not _ITEM.match(lines[last]):
        last += 1
    return lines[first:last]


def _entry_from(lines: list[str], number: int) -> str:
    """The line with those that go on with its entry: up to an empty line, another bullet or a heading."""
    found = [lines[number].strip()]
    for line in lines[number + 1 : number + _MAX_LINES]:
        if not line.strip() or _BULLET.match(line) or RULE.match(line):
            break
        found.append(line.strip())
    return " ".join(found)[: 2 * MAX_WORDS]


def _version_of_heading(lines: list[str], number: int) -> str | None:
    line = lines[number]
    field = _VERSION_FIELD.match(line)
    if field:
        return field[1]
    below = lines[number + 1] if number + 1 < len(lines) else ""
    if not (line.startswith("#") or RULE.match(below)):
        return None
    heading = _HEADING.match(line.strip())
    return heading[1] if heading else None


def is_distinctive(leaf: str) -> bool:
    """Check that a name is no ordinary word: long, with an underscore, or with a capital letter."""
    return "_" in leaf or len(leaf) > _COMMON or leaf != leaf.lower()


class Notes:
    """The notes of a library, found by the name of an API."""

    def __init__(self) -> None:
        self._by_name: defaultdict[str, list[Note]] = defaultdict(list)

    def add(self, note: Note) -> None:
        """Keep `note` under every name that it has."""
        for name in note.names:
            self._by_name[name].append(note)

    def about(self, names: tuple[str, ...]) -> list[Note]:
        """The notes that have one of the dotted `names` as it is, in the order in which they were read."""
        found = {(note.where, note.version): note for name in names for note in self._by_name.get(name, ())}
        return list(found.values())
