"""The documentation of a release as an agent reads it: pages, sources, a search, and what the release changed.

All of it is the release's own: what its public names say of themselves, as discovery reads them; nothing is written for
the tasks.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from apigap.agent.changes import change_lines
from apigap.discovery.surface import Entry, Surface
from apigap.knowledge.components.sources import Located, sources_of
from apigap.retrieval.chunker import ChunkRules, chunks_of
from apigap.retrieval.documents import Document, Section
from apigap.retrieval.lexical import words_of
from apigap.retrieval.rankers import LexicalRanker
from apigap.retrieval.searcher import Searcher

_PART = re.compile(r"(.*?)#(\d{1,4})\s*", re.DOTALL)
_RULES = ChunkRules(most_tokens=256, pieces="document")
_LONGEST_SIGNATURE = 160
_LONGEST_LINE = 140
_NEAR = 5


class NotThere(Exception):
    """Something that the documentation does not have; the message is for the agent."""


class Documentation:
    """The documentation of one release; `before` reads the surface of the one before, if there is one.

    A result has at most `most` characters; of a longer one the agent asks for the next part.
    """

    def __init__(
        self, surface: Surface, site_packages: Path, before: Callable[[], Surface | None], most: int, hits: int
    ) -> None:
        self._surface = surface
        self._sources = sources_of(site_packages)
        self._before = before
        self._most = most
        self._hits = hits

    def prepare(self, tool: str) -> None:
        """Read what a tool needs and is kept from then on: whoever happens to call it first did not cause that work."""
        if tool == "search_docs":
            _ = self._searcher
        elif tool == "list_changes":
            _ = self._changes

    def search_docs(self, query: str) -> str:
        """The names that fit a query best, each with its signature and the first line of what it says."""
        found = self._searcher.search(query, self._hits * 4)
        names = list(dict.fromkeys(hit.chunk.document for hit in found))[: self._hits]
        if not names:
            raise NotThere("nothing has a word of this query; try other words")
        return "\n".join(_line(self._by_path[name]) for name in names)

    def read_page(self, name: str) -> str:
        """The page of a name; of a module, or of a class, with what is in it."""
        name, part = _parted(name)
        entry = self._by_path.get(name)
        inside = self._inside(name)
        if entry is None and not inside:
            raise NotThere(self._unknown(name))
        return self._cut("\n\n".join(_page(name, entry, inside)), name, part)

    def read_source(self, name: str) -> str:
        """The source of a name; of compiled ones the declaration in a stub, or the signature; of a module its names."""
        name, part = _parted(name)
        located = self._located(name)
        if located is not None:
            return self._cut(_source(located), name, part)
        entry = self._by_path.get(name)
        if entry is not None:
            return f"{name} has no source in Python; its signature: {entry.leaf}{entry.signature or '(...)'}"
        inside = self._inside(name)
        if not inside:
            raise NotThere(self._unknown(name))
        return self._cut("\n".join([f"module {name}", *map(_name_line, inside)]), name, part)

    def list_changes(self, about: str) -> str:
        """The changes since the release before whose lines hold a text; all of them without one."""
        about, part = _parted(about)
        lines = self._changes
        if lines is None:
            raise NotThere("the release before is not known here")
        wanted = [line for line in lines if about.lower() in line.lower()]
        if not wanted:
            raise NotThere(f"none of the {len(lines)} changes of this release holds {about!r}")
        return self._cut("\n".join(wanted), about, part)

    @cached_property
    def _changes(self) -> list[str] | None:
        before = self._before()
        return None if before is None else change_lines(before, self._surface)

    @cached_property
    def _by_path(self) -> dict[str, Entry]:
        listed = [(path, entry) for entry in self._surface.entries for path in (*entry.paths, entry.name)]
        return dict(sorted(listed, key=lambda pair: pair[0] == pair[1].name))

    @cached_property
    def _searcher(self) -> Searcher:
        documents = [_document(entry) for entry in self._surface.entries]
        chunks = [chunk for one in documents for chunk in chunks_of(one, _RULES, lambda text: len(words_of(text)))]
        return Searcher(chunks, LexicalRanker([chunk.text for chunk in chunks]))

    def _inside(self, name: str) -> list[Entry]:
        """The entries directly in a module or class, by the names under which they are there."""
        found = {path: entry for path, entry in self._by_path.items() if path.rpartition(".")[0] == name}
        return [found[path].model_copy(update={"name": path}) for path in sorted(found)]

    def _located(self, name: str) -> Located | None:
        """The definition of a dotted name; of nothing else, so that no path leads out of the installed packages."""
        if not all(part.isidentifier() for part in name.split(".")):
            return None
        entry = self._by_path.get(name)
        places = [(entry.defined_in, entry.qualname)] if entry and entry.defined_in and entry.qualname else []
        parts = name.split(".")
        places += [(".".join(parts[:cut]), ".".join(parts[cut:])) for cut in range(len(parts) - 1, 0, -1)]
        for stub in (False, True):
            for module, path in places:
                located = self._sources.find(module, path.split("."), stub=stub)
                if located is not None:
                    return located
        return None

    def _unknown(self, name: str) -> str:
        leaf = name.rpartition(".")[2].lower()
        same = [path for path in self._by_path if path.rpartition(".")[2].lower() == leaf]
        near = sorted(same, key=lambda path: (len(path), path))[:_NEAR]
        return f"there is no {name!r}" + (f"; there is {', '.join(near)}" if near else "")

    def _cut(self, text: str, name: str, part: int) -> str:
        parts = list(_parts(text, self._most))
        if not 1 <= part <= len(parts):
            raise NotThere(f"there is no part {part}; it has {len(parts)}")
        more = f"\n(part {part} of {len(parts)}; the next is {name}#{part + 1})" if part < len(parts) else ""
        return parts[part - 1] + more


def _parted(name: str) -> tuple[str, int]:
    match = _PART.fullmatch(name.strip())
    return (match[1].strip(), int(match[2])) if match else (name.strip(), 1)


def _parts(text: str, most: int) -> Iterator[str]:
    """Pieces of at most `most` characters, cut between lines where that is possible."""
    while len(text) > most:
        at = text.rfind("\n", most // 2, most)
        at = most if at < 0 else at
        yield text[:at]
        text = text[at:].lstrip("\n")
    yield text


def _document(entry: Entry) -> Document:
    sections = [Section(name="name", text=f"{entry.name}{entry.signature or ''}", unit="name")]
    if entry.docstring:
        sections.append(Section(name="docstring", text=entry.docstring, unit="docstring"))
    return Document(id=entry.name, sections=tuple(sections))


def _signature(entry: Entry) -> str:
    signature = entry.signature or ""
    return signature if len(signature) <= _LONGEST_SIGNATURE else f"{signature[:_LONGEST_SIGNATURE]}..."


def _line(entry: Entry) -> str:
    first = next((line.strip() for line in (entry.docstring or "").split("\n") if line.strip()), "")
    says = f": {first[:_LONGEST_LINE]}" if first else ""
    return f"- {entry.name}{_signature(entry)} ({entry.kind}){says}"


def _name_line(entry: Entry) -> str:
    return f"- {entry.name} ({entry.kind})"


def _page(name: str, entry: Entry | None, inside: Sequence[Entry]) -> Iterator[str]:
    if entry is not None:
        yield f"{name}{entry.signature or ''} ({entry.kind}){', deprecated' if entry.deprecated else ''}"
        yield from ["\n".join(f"  {name}{form}" for form in _forms(entry))] if entry.overloads else []
        yield entry.docstring or "(it has no docstring)"
    if inside:
        yield f"In {name}:\n" + "\n".join(map(_line, inside))


def _forms(entry: Entry) -> Iterator[str]:
    from apigap.discovery.surface import render_signature

    return (render_signature(form, entry.return_type) for form in entry.overloads)


def _source(located: Located) -> str:
    lines = located.module.text.split("\n")
    pieces: list[str] = []
    for node in located.nodes:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        pieces.append("\n".join(lines[first - 1 : node.end_lineno]))
    return f"# {located.module.path}\n" + "\n\n".join(pieces)
