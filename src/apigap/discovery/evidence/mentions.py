"""Second evidence of novelty: what the library's own text says about the versions of an API."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from apigap.discovery.evidence.changelog import Note, is_distinctive
from apigap.discovery.evidence.directives import Directive, directives_in, is_new
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.surface import Entry
from apigap.records.candidate import Candidate, Mention

MAX_MENTIONS = 12
SHORT_NAMES = {"numpy": "np", "pandas": "pd", "sqlalchemy": "sa"}


class Mentions:
    """Finds what `documents` and the docstrings say about an entry, between the versions `old` and `new`."""

    def __init__(self, entries: Iterable[Entry], documents: Documents, old: str | None, new: str) -> None:
        self._documents, self._old, self._new = documents, old, new
        self._entries = {path: entry for entry in entries for path in entry.paths}
        distinct = {entry.name: entry for entry in self._entries.values()}.values()
        self._leaves = Counter(entry.leaf for entry in distinct)
        self._tails = Counter(_tail(entry) for entry in distinct)
        self._on_pages: defaultdict[str, list[tuple[Directive, str]]] = defaultdict(list)
        for sighting in documents.sightings:
            for name in sighting.names:
                self._on_pages[name].append((sighting.directive, sighting.where))

    def add_to(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The candidates with their mentions; directives of any version, changelog lines of the new series only."""
        for candidate in candidates:
            entry = self._entries.get(candidate.api_name)
            found = tuple(self._mentions_of(entry))[:MAX_MENTIONS] if entry else ()
            yield candidate.model_copy(update={"mentions": found}) if found else candidate

    def _mentions_of(self, entry: Entry) -> Iterator[Mention]:
        for directive in directives_in(entry.docstring or ""):
            yield from self._from_directive(directive, "docstring")
        seen: set[str] = set()
        for path in entry.paths:
            for directive, where in self._on_pages.get(path, ()):
                if where not in seen:
                    seen.add(where)
                    yield from self._from_directive(directive, where)
        for note in self.notes_about(entry):
            yield Mention(
                kind="changelog",
                version=note.version,
                where=note.where,
                in_series=True,
                text=note.text,
                named_together=note.named_together,
            )

    def notes_about(self, entry: Entry) -> list[Note]:
        """The lines of the changelog that name `entry` under a version of the new series."""
        notes = self._documents.notes.about(self._spellings(entry))
        return [note for note in notes if is_new(note.version, self._old, self._new)]

    def _from_directive(self, directive: Directive, where: str) -> Iterator[Mention]:
        if directive.part not in ("object", "parameter") or not is_new(directive.version, None, self._new):
            return  # a version still to come says nothing of this one
        for parameter in directive.parameters or (None,):
            yield Mention(
                kind=directive.kind,
                version=directive.version,
                where=where,
                in_series=is_new(directive.version, self._old, self._new),
                parameter=parameter,
                text=directive.text,
            )

    def _spellings(self, entry: Entry) -> tuple[str, ...]:
        """Spellings of the name in a changelog: in full, with the usual short name, or as short as is unambiguous."""
        names = list(entry.paths)
        for path in entry.paths:
            top, _, rest = path.partition(".")
            names += [f"{SHORT_NAMES[top]}.{rest}"] if top in SHORT_NAMES else []
        if self._tails[_tail(entry)] == 1:
            names.append(_tail(entry))
        if is_distinctive(entry.leaf) and self._leaves[entry.leaf] == 1:
            names.append(entry.leaf)
        return tuple(names)


def _tail(entry: Entry) -> str:
    return ".".join(entry.name.split(".")[-2:])
