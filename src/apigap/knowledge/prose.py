"""M_prose: what the docstring and the changelog of this very version say, without examples."""

import re
from pathlib import Path

from apigap.records.candidate import Candidate
from apigap.records.knowledge import Prose

_CHANGELOGS = ("HISTORY", "CHANGELOG", "CHANGES", "NEWS", "RELEASE", "WHATSNEW")
_SECTIONS = re.compile(
    r"^[ \t]*(?:(?:Args|Arguments|Parameters|Returns|Raises|Yields|Examples?|Usage|Attributes|See Also|References)"
    r"[ \t]*:?|[-=~]{3,})[ \t]*$",
    re.M | re.I,
)
_FENCED = re.compile(r"^[ \t]*```.*?^[ \t]*```[^\n]*$|^[ \t]*>>> [^\n]*(?:\n(?![ \t]*$)[^\n]*)*", re.M | re.S)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)(?:\.\. [\w-]+::|!!! |\?\?\?\+? ).*(?:\n(?:[ \t]*$|(?P=indent)[ \t]+.*))*", re.M
)


def mechanism(candidate: Candidate, sdist: Path | None, limit: int) -> Prose | None:
    """The docstring's narrative and this version's changelog lines on the API; None where neither says anything."""
    described = narrative(candidate.docstring or "")
    notes, where = changelog_lines(candidate, sdist)
    text = "\n".join(part for part in (described, *notes) if part)
    if not text:
        return None
    provenance = (*(("docstring",) if described else ()), *where)
    return Prose(text=text[:limit].rstrip(), tier="docstring", provenance=provenance)


def narrative(docstring: str) -> str:
    """What a docstring says before its sections, without code blocks and directives."""
    text = _FENCED.sub("", docstring)
    section = _SECTIONS.search(text)
    if section:
        text = text[: section.start()]
    paragraphs = re.split(r"\n\s*\n", _DIRECTIVE.sub("", text))
    return "\n".join(" ".join(part.split()) for part in paragraphs if part.strip())


def first_sentence(docstring: str) -> str:
    """The first sentence of a docstring's narrative."""
    text = narrative(docstring).split("\n")[0]
    match = re.match(r"(.+?[.!?])(?:\s|$)", text)
    return match[1] if match else text


def changelog_lines(candidate: Candidate, sdist: Path | None, most: int = 3) -> tuple[list[str], list[str]]:
    """Lines of the changelog's entries after the old version, up to the new one, that name the API's leaf."""
    if sdist is None:
        return [], []
    word = re.compile(rf"(?<![\w.]){re.escape(candidate.leaf)}(?!\w)")
    for path in sorted(p for p in sdist.iterdir() if p.is_file() and p.stem.upper().startswith(_CHANGELOGS)):
        entry = _entry(path.read_text("utf-8", "replace"), candidate.new_version, candidate.old_version)
        lines = [line.strip(" \t*-") for line in entry.splitlines() if word.search(line)]
        if lines:
            return [_plain(line) for line in lines[:most]], [path.name]
    return [], []


def _entry(text: str, version: str, old: str | None) -> str:
    """The part of a changelog from the heading of `version`'s series down to the heading of `old`."""
    series = ".".join(version.split(".")[:2])
    start = re.search(rf"^[^\n]*\bv?{re.escape(series)}(?:\.\d+)*\b[^\n]*$", text, re.M)
    if start is None:
        return ""
    end = (
        re.search(rf"^[^\w\n]*(?:version )?v?{re.escape(old)}\b[^\n]*$", text[start.end() :], re.M | re.I)
        if old
        else None
    )
    return text[start.start() : start.end() + end.start()] if end else text[start.start() : start.start() + 20_000]


def _plain(line: str) -> str:
    """A changelog line without link targets and who wrote it."""
    line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)
    return re.sub(r"\s+(?:by @[\w-]+)?(?:\s*in #\d+)?[\s(]*#?\d*\)?$", "", line).strip()
