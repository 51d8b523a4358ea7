"""Since when, against what the libraries write themselves: a seeded draw of `versionadded` and `versionchanged` notes.

    .venv/bin/python -m tools.discovery.since_notes [--number 100] [--seed 0] [LIBRARY ...]

Each note is asked of all final releases of its library since 2016; those before are Python 2, which nothing here reads.
Which of them first has the API, or the parameter that the note names? It agrees where that is the note's version to the
minor release. Exits 1 below 97 %.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Literal

from packaging.version import Version

from apigap.discovery.diff import candidates_of, classify
from apigap.discovery.discover import documents_of
from apigap.discovery.evidence.documents import with_documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.library import find_library
from apigap.discovery.since.dating import with_first_releases
from apigap.discovery.static.surface import read_static
from apigap.discovery.surface import Surface
from apigap.discovery.versions import newest_before
from apigap.packages.index import release, releases
from apigap.records.base import Record
from apigap.records.candidate import Candidate, Change, Mention, Since
from apigap.records.store import load_records, write_records
from apigap.statistics.intervals import wilson

RELEASES = {
    "attrs": "25.4.0", "babel": "2.17.0", "click": "8.3.1", "flask": "3.1.3", "jinja2": "3.1.6",
    "marshmallow": "4.0.1", "polars": "1.44.2", "python-dateutil": "2.9.0.post0", "tornado": "6.5.2",
    "werkzeug": "3.1.3", "numpy": "2.4.6", "django": "5.2.13", "pandas": "3.0.2", "sqlalchemy": "2.0.49",
}  # fmt: skip
BEGINNING = date(2016, 1, 1)
NEEDED = 0.97
_GAINED = re.compile(r"\b(?:parameter|argument|keyword|option)s?\b.*\b(?:added|new|introduced)\b", re.IGNORECASE)
_GAINS = re.compile(r"\b(?:added?|new|introduced?)\b.*\b(?:parameter|argument|keyword|option)s?\b", re.IGNORECASE)
Verdict = Literal["agrees", "disagrees", "not told"]


class Note(Record):
    """One drawn note: an API, the parameter that it speaks of if any, and the version that it gives."""

    library: str
    api_name: str
    parameter: str | None
    kind: Literal["versionadded", "versionchanged"]
    version: str
    where: str
    text: str = ""


class Asked(Record):
    """A note and the release that was found for it."""

    note: Note
    since: Since

    @property
    def verdict(self) -> Verdict:
        """Agreement to the minor release; `not told` where the text of the releases does not say."""
        if _minor(self.since.version) == _minor(self.note.version) and self.since.exact:
            return "agrees"
        return "disagrees" if self.since.exact else "not told"


def main() -> None:
    """Draw, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", help="these libraries alone")
    parser.add_argument("--number", type=int, default=100, help="notes to draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("data/since"), help="a folder for what was found")
    given = parser.parse_args()
    chosen = {name: version for name, version in RELEASES.items() if not given.libraries or name in given.libraries}
    pools = {name: _kept_notes(name, version, given.out) for name, version in chosen.items()}
    print("notes:", ", ".join(f"{name} {len(notes)}" for name, notes in pools.items()), flush=True)
    drawn = draw(pools, given.number, given.seed)
    asked = [row for name in chosen for row in _asked(name, drawn, given.out / f"{given.seed}.{name}.jsonl")]
    sys.exit(0 if _tell(asked, chosen) else 1)


def _kept_notes(library: str, version: str, folder: Path) -> list[Note]:
    """The notes of a release, which are gathered once."""
    kept = folder / f"notes.{library}-{version}.jsonl"
    if not kept.exists():
        write_records(kept, notes_of(library, version))
    return load_records(kept, Note)


def notes_of(library: str, version: str) -> list[Note]:
    """All notes on public APIs of the release, and on their parameters, that name a release since `BEGINNING`."""
    config = find_library(library)
    found = release(config.distribution, version)
    surface = read_static([found])
    documents = documents_of(surface, config)
    surface = with_documents(surface, documents)
    nothing = Surface(library=library, version=None, reading="static")
    candidates = candidates_of(classify(nothing, surface), library, None, found.version)
    first = _old(library)
    mentioned = Mentions(surface.entries, documents, None, found.version).add_to(candidates)
    notes = [note for candidate in mentioned for note in _notes(candidate)]
    return sorted((note for note in notes if not first or _minor(note.version) > _minor(first)), key=Note.to_line)


def _old(library: str) -> str | None:
    """The release to begin after; None where the library is younger."""
    return newest_before(releases(find_library(library).distribution), BEGINNING, to_run=False)


def _notes(candidate: Candidate) -> Iterator[Note]:
    for mention in candidate.mentions:
        kind = mention.kind
        if (kind == "versionadded" or kind == "versionchanged") and says_since(candidate, mention):
            yield Note(
                library=candidate.library,
                api_name=candidate.api_name,
                parameter=mention.parameter,
                kind=kind,
                version=mention.version,
                where=mention.where,
                text=mention.text,
            )


def says_since(candidate: Candidate, mention: Mention) -> bool:
    """Check for a note that the API came, or a parameter that it still has; not how either behaves since.

    Words are most often on behaviour ("versionadded:: 2.2 Calls `current_app.redirect`"), so of an API as a whole only
    notes without any count, and of a parameter those that say that it is one, and new.
    """
    if mention.parameter is None:
        return mention.kind == "versionadded" and not mention.text
    has = mention.parameter in {parameter.name for parameter in candidate.parameters}
    is_gained = bool(_GAINED.search(mention.text) or _GAINS.search(mention.text))
    return has and (is_gained or (mention.kind == "versionadded" and not mention.text))


def draw(pools: dict[str, list[Note]], number: int, seed: int) -> list[Note]:
    """`number` notes of as many APIs, as equally over the libraries as their notes allow.

    The same notes and seed give the same draw.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw that can be repeated
    shuffled = {name: generator.sample(notes, len(notes)) for name, notes in sorted(pools.items())}
    drawn: list[Note] = []
    while len(drawn) < number and any(shuffled.values()):
        for library, notes in shuffled.items():
            taken = {note.api_name for note in drawn if note.library == library}
            while notes and notes[-1].api_name in taken:
                notes.pop()
            if notes and len(drawn) < number:
                drawn.append(notes.pop())
    return drawn


def _asked(library: str, drawn: Sequence[Note], kept: Path) -> list[Asked]:
    """The drawn notes of a library with what was found; kept beside the draw, so that it is asked once."""
    own = [note for note in drawn if note.library == library]
    known = load_records(kept, Asked) if kept.exists() else []
    if [row.note for row in known] != own:
        started, config = time.monotonic(), find_library(library)
        questions = [_question(note) for note in own]
        found = with_first_releases(config, questions, _old(library), RELEASES[library], lambda done, total: None)
        known = [Asked(note=note, since=c.since) for note, c in zip(own, found, strict=True) if c.since]
        write_records(kept, known)
        print(f"{library}: {len(own)} notes, {time.monotonic() - started:.0f} s", flush=True)
    return known


def _question(note: Note) -> Candidate:
    """The note as a candidate; one of a parameter asks for that alone."""
    changes = (Change(what="parameter added", parameter=note.parameter),) if note.parameter else ()
    return Candidate(
        api_name=note.api_name,
        kind="function",
        library=note.library,
        old_version=None,
        new_version=RELEASES[note.library],
        change="modified" if note.parameter else "added",
        signature=None,
        changes=changes,
        import_module=note.api_name.rpartition(".")[0],
    )


def _tell(asked: Sequence[Asked], chosen: dict[str, str]) -> bool:
    print("\n| library | notes | agree | disagree | not told |\n| --- | --- | --- | --- | --- |")
    for name in (*chosen, "together"):
        rows = [row.verdict for row in asked if name in (row.note.library, "together")]
        counts = " | ".join(str(rows.count(verdict)) for verdict in ("agrees", "disagrees", "not told"))
        print(f"| {name} | {len(rows)} | {counts} |")
    for row in asked:
        if row.verdict != "agrees":
            note, what = row.note, f"({row.note.parameter})" if row.note.parameter else ""
            print(f"{note.api_name}{what}: {note.kind} {note.version} ({note.where}: {note.text[:60]}), {row.since}")
    share = wilson(sum(row.verdict == "agrees" for row in asked), len(asked))
    print(f"\n{share.estimate:.1%} of {len(asked)} agree (Wilson 95 %: {share.low:.1%} to {share.high:.1%})")
    return (share.estimate or 0.0) >= NEEDED


def _minor(version: str) -> tuple[int, ...]:
    return (*Version(version).release, 0)[:2]


if __name__ == "__main__":
    main()
