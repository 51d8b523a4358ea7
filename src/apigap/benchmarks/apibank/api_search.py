"""The search for APIs that ToolSearcher makes: by words, or by the vectors of an embedding model."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.interfaces import Interface, Interfaces, interface
from apigap.benchmarks.apibank.registry import Pool, Registry
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Outside
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.kept_vectors import KeptVectors
from apigap.retrieval.lexical import words_of
from apigap.retrieval.rankers import DenseRanker, LexicalRanker, Ranker

RECORDED = "recorded"
LEXICAL = "lexical"
NOT_FOUND = "No API has anything in common with these keywords; say in other words what it is to do."
FALLBACK = "Nothing is recorded for these keywords: this API was found by the words of names and descriptions (BM25)."
_SEARCHER, _TOKENS = "ToolSearcher", "GetUserToken"


class ApiSearch:
    """Finds the API of a pool whose name (as words) and description fit keywords best."""

    def __init__(
        self, registry: Registry, interfaces: Mapping[str, Interface], embedder: Embedder | None = None
    ) -> None:
        """Search by the cosine of `embedder`'s vectors; without one by BM25 over words.

        `interfaces` are a data set's texts; our own stand in for APIs that it does not describe.
        """
        self._registry = registry
        self._told = {
            name: interfaces.get(name) or interface(api) for name, api in registry.apis.items() if name != _SEARCHER
        }
        self._embedder = embedder

    @cached_property
    def _ranker(self) -> Ranker:
        texts = [f"{_words(told)} {told['description']}" for told in self._told.values()]
        return DenseRanker.over(texts, self._embedder) if self._embedder else LexicalRanker(texts)

    def find(self, keywords: str) -> Any:
        """The answer of ToolSearcher: the interface that fits best; an API that takes a token comes after the one that
        gives it.

        Raises:
            ApiError: when no API has anything in common with the keywords.
        """
        best = self._ranker.rank([" ".join(words_of(keywords))])[0]
        if not best.found:
            raise ApiError(NOT_FOUND)
        told = list(self._told.values())[int(best.numbers[0])]
        if not self._registry.apis[told["name"]].token:
            return told
        tokens = self._told[_TOKENS]
        return [{**tokens, "desc_for_search": f"{_words(tokens)}{tokens['description']}"}, told]


def _words(told: Interface) -> str:
    return " ".join(words_of(told["name"]))


class Searching(Outside):
    """The recordings of `recorded`, and a search: for keywords that it does not have, or (`anew`) for all.

    `note` is told where the search has answered in place of a recording.
    """

    def __init__(
        self, recorded: Outside, search: ApiSearch, anew: bool = False, note: Callable[[str], None] | None = None
    ) -> None:
        self._recorded = recorded
        self._search = search
        self._anew = anew
        self._note = note

    def find_tool(self, keywords: str) -> Any:
        """The recorded answer, or what is found now."""
        if self._anew:
            return self._search.find(keywords)
        try:
            return self._recorded.find_tool(keywords)
        except ApiError:
            found = self._search.find(keywords)
        if self._note:
            self._note(FALLBACK)
        return found

    def translate(self, text: str, source: str | None = None, target: str | None = None) -> Any:
        """The recorded translation."""
        return self._recorded.translate(text, source, target)

    def define(self, word: str) -> Any:
        """The recorded meanings."""
        return self._recorded.define(word)


class SearchPlan:
    """The search behind ToolSearcher in a run, by the name that was chosen.

    `recorded`: the recordings; `fallback` says whether keywords that were never recorded are searched by words.
    `lexical`, `minilm` or ORGANISATION/NAME: every search is made anew, by words or by that embedding model.
    """

    def __init__(
        self, name: str, interfaces: Interfaces, fallback: bool, announce: Callable[[str], None] | None = None
    ) -> None:
        """Load what the search needs.

        Raises:
            UsageError: when there is no such search.
            ModelUnavailable: when an embedding model is not here and cannot be fetched.
        """
        self._anew = name != RECORDED
        self._active = self._anew or fallback
        known = name in (RECORDED, LEXICAL)
        embedder = None if known else KeptVectors(load_embedder(name, announce))
        self._searches: dict[Pool, ApiSearch] = {
            registry.pool: ApiSearch(registry, interfaces[registry.pool], embedder) for registry in (DIALOGUE, PLANNING)
        }
        self.described: dict[str, Any] = {
            "search": name,
            "unrecorded": name if self._anew else LEXICAL if fallback else None,
            **({"embedder": embedder.describe()} if embedder else {}),
        }
        """For a manifest: what was chosen, what answers keywords that were never recorded, and by which vectors."""

    def behind(self, pool: Pool, recorded: Outside, note: Callable[[str], None] | None = None) -> Outside:
        """The outside that the APIs of `pool` ask, where `recorded` has the recordings; see `Searching`."""
        return Searching(recorded, self._searches[pool], self._anew, note) if self._active else recorded
