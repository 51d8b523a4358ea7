"""Search and reading of the pages that `export llms-txt` wrote: the tools of `apigap mcp`, without its server."""

import re
from dataclasses import dataclass
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean
from apigap.records.store import read_bytes
from apigap.reporting.api_pages import INDEX
from apigap.retrieval.lexical import LexicalEmbedder

_LINK = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class FoundApi:
    """An API that a search has found: why it has a page, and how near it is (cosine, 0..1)."""

    api_name: str
    note: str
    score: float


class LlmsPages:
    """The pages that the index in `folder` links to, and no other file.

    Raises:
        UsageError: when there is no such index, it links to nothing, or to a file outside of the folder.
    """

    def __init__(self, folder: Path) -> None:
        index = folder / INDEX
        if not index.is_file():
            raise UsageError(
                f"there is no {index}; make it with: apigap export llms-txt --experiment NAME --out {folder}"
            )
        text = read_bytes(index).decode("utf-8")
        links = {name: (path, note) for name, path, note in _LINK.findall(text)}
        if not links:
            raise UsageError(
                f"{index} links to no page; make it anew with: apigap export llms-txt --experiment NAME --out {folder}"
            )
        self.title, self.introduction = _head(text)
        self._notes = {name: note for name, (_, note) in links.items()}
        self._pages = {name: _read(folder, path) for name, (path, _) in links.items()}
        self._names = list(self._pages)
        texts = [f"{name}\n{self._notes[name]}\n{page}" for name, page in self._pages.items()]
        self._embedder = LexicalEmbedder().fitted(texts)
        self._vectors = self._embedder.embed(texts)

    def find(self, query: str, most: int = 5) -> list[FoundApi]:
        """The `most` pages nearest to a query, the nearest first; those that share nothing with it are left out."""
        scores = self._vectors @ self._embedder.embed([query])[0]
        order = sorted(range(len(self._names)), key=lambda place: (-scores[place], self._names[place]))[:most]
        found = ((self._names[place], round(float(scores[place]), 4)) for place in order)
        return [FoundApi(name, self._notes[name], score) for name, score in found if score > 0]

    def read(self, api_name: str) -> str:
        """The page of an API, as Markdown.

        Raises:
            UsageError: for a name without a page; the message has the nearest ones.
        """
        if api_name not in self._pages:
            hint = did_you_mean(api_name, self._names, "search for what it does")
            raise UsageError(f"there is no page on {api_name!r}; {hint}")
        return self._pages[api_name]


def _head(text: str) -> tuple[str, str]:
    """The title of an index, and what stands between it and the first section."""
    title, _, introduction = text.partition("\n## ")[0].partition("\n")
    return title.removeprefix("# ").strip(), introduction.strip().removeprefix("> ")


def _read(folder: Path, path: str) -> str:
    page = (folder / path).resolve()
    if not page.is_relative_to(folder.resolve()) or not page.is_file():
        raise UsageError(f"{folder / INDEX} links to {path}, which is no file of that folder; make it anew")
    return read_bytes(page).decode("utf-8")
