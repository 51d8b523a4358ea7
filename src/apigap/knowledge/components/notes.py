"""Notes of a release on what is new in an API: `versionadded` and `versionchanged`, and items of its changelog."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.evidence.changelog import HISTORY, RULE, is_distinctive
from apigap.discovery.evidence.directives import is_new
from apigap.knowledge.components.narrative import plain, whole_sentences
from apigap.knowledge.components.tables import row_at
from apigap.records.candidate import Candidate, Mention

_HEADING = re.compile(
    r"^(?:#+\s*)?\[?(?:[A-Za-z_][\w-]*[ -])?(?:version |release |v)?\[?v?(\d+\.\d+(?:\.\d+)*)\b", re.I
)
_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+•]|\d+\.)\s+\S")
_MOST = 2
_LONG = 240


class Item(NamedTuple):
    """One item of a changelog, on one line, with the version that it stands under and its first line."""

    version: str
    text: str
    line: int


def notes_of(candidate: Candidate, sdist: Path | None) -> list[tuple[str, str]]:
    """(text, where) of what is new in this version, at most two; what was written for other versions is left out."""
    found = [_from_mention(m, sdist) for m in candidate.mentions if m.in_series and _matters(m, candidate)]
    if not any(m.kind == "changelog" for m in candidate.mentions) and sdist is not None:
        found += _from_changelogs(candidate, sdist)
    distinct = {text: where for text, where in reversed(found) if " " in text.partition(": ")[2]}
    return list(reversed(distinct.items()))[:_MOST]


def _matters(mention: Mention, candidate: Candidate) -> bool:
    """Of a changed API what says how it changed; that a new one is new needs no words. Titles of patches say little."""
    if re.match(r"[-*\s]*`?#\d+", mention.text):
        return False
    return bool(mention.text) or (mention.parameter is not None and candidate.change == "modified")


def _from_mention(mention: Mention, sdist: Path | None) -> tuple[str, str]:
    if mention.kind == "changelog":
        return _whole(mention, sdist), mention.where
    word = {"versionadded": "New", "versionchanged": "Changed", "deprecated": "Deprecated"}[mention.kind]
    what = f"the parameter `{mention.parameter}`" if mention.parameter and not mention.text else ""
    of = f" (`{mention.parameter}`)" if mention.parameter and mention.parameter not in mention.text and not what else ""
    return f"{word} in {mention.version}{of}: {_short(mention.text) or what}", mention.where


def _whole(mention: Mention, sdist: Path | None) -> str:
    """The item or the paragraph around the line that a mention quotes."""
    file, _, line = mention.where.rpartition(":")
    path = sdist / file if sdist is not None else None
    quoted = mention.text
    if path is not None and path.is_file() and line.isdigit():
        lines = path.read_text("utf-8", "replace").splitlines()
        quoted = " ".join(_around(lines, min(int(line), len(lines)) - 1))
    return f"Changelog of {mention.version}: {_short(quoted)}"


def _around(lines: list[str], number: int) -> list[str]:
    """The lines of the item or paragraph in which line `number` stands; of a heading those of what comes below.

    Of a table it is the row alone.
    """
    row = row_at(lines, number)
    if row is not None:
        return [row]
    start = number
    if number + 1 < len(lines) and RULE.match(lines[number + 1]):
        start = next((place for place in range(number + 2, len(lines)) if lines[place].strip()), number)
    while start > 0 and not _ITEM.match(lines[start]) and lines[start - 1].strip() and not RULE.match(lines[start - 1]):
        start -= 1
    item = _ITEM.match(lines[start])
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _ITEM.match(lines[end]):
        if item and not _goes_on(lines[end], len(item["indent"])):
            break
        end += 1
    return [line.strip() for line in lines[start:end]]


def _from_changelogs(candidate: Candidate, sdist: Path) -> list[tuple[str, str]]:
    """Items of the changelogs at the top of the source distribution that have the API's name in them."""
    word = re.compile(rf"(?<![\w.]){re.escape(candidate.leaf)}(?!\w)|\.{re.escape(candidate.leaf)}(?=[`( ])")
    owner = candidate.api_name.split(".")[-2]
    found: list[tuple[str, str]] = []
    for path in sorted(p for p in sdist.iterdir() if p.is_file() and HISTORY.search(p.name)):
        for item in items_of(path.read_text("utf-8", "replace")):
            marked = re.search(rf"`[\w.~]*\b{re.escape(candidate.leaf)}\b", item.text)
            known = marked or is_distinctive(candidate.leaf) or owner in re.findall(r"\w+", item.text)
            if known and is_new(item.version, candidate.old_version, candidate.new_version) and word.search(item.text):
                found.append((f"Changelog of {item.version}: {_short(item.text)}", f"{path.name}:{item.line}"))
    return found


def items_of(text: str, version: str = "") -> Iterator[Item]:
    """The items of a changelog with the version of the heading above each; `version` where there is no heading."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if lines[number].startswith("#") or RULE.match(below):
            heading = _HEADING.match(lines[number].strip())
            version = heading[1] if heading else version
        item = _ITEM.match(lines[number])
        first = number
        number += 1
        if item and version:
            while number < len(lines) and _goes_on(lines[number], len(item["indent"])):
                number += 1
            yield Item(version, " ".join(" ".join(lines[first:number]).split()), first + 1)


def _goes_on(line: str, indent: int) -> bool:
    return bool(line.strip()) and not _ITEM.match(line) and len(line) - len(line.lstrip()) > indent


def _short(text: str) -> str:
    """On one line, without bullets, link targets and who wrote it."""
    text = re.sub(r":(?:pr|issue|gh|ticket|user):`[^`]*`|\s+by @[\w-]+.*$|\s+in #\d+$|\s*\(?#\d+\)?$", "", text)
    text = re.sub(r"\s*\[#\d+\]\([^)]*\)", "", text)
    text = re.sub(r"`_\w*\.(?=\w)", "`", plain(" ".join(text.split()))).lstrip("-*+• ").rstrip(" ,;")
    return whole_sentences(text, _LONG)
