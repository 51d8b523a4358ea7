"""What stands for the network and the embedding model of the released APIs: recordings, or a search of our own."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from apigap.benchmarks.apibank.dialogues import Dialogue
from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.world import Outside
from apigap.retrieval.lexical import words_of
from apigap.retrieval.rankers import LexicalRanker

MISS = "replay miss"


class Replay:
    """The recorded answers: of this dialogue first, else the first of another one, in the order of the files."""

    def __init__(self, dialogues: Iterable[Dialogue], own: Dialogue | None = None) -> None:
        self._tools: dict[str, Any] = {}
        self._translations: dict[str, Any] = {}
        self._words: dict[str, Any] = {}
        for dialogue in ([own] if own else []) + list(dialogues):
            self._record(dialogue)

    def _record(self, dialogue: Dialogue) -> None:
        for turn in dialogue.turns:
            output = turn.result.get("output")
            given: Mapping[str, Any] = turn.param_dict
            if turn.api_name == "ToolSearcher":
                self._tools.setdefault(str(given.get("keywords")), output)
            elif turn.api_name == "Translate":
                self._translations.setdefault(str(given.get("src")), output)
            elif turn.api_name == "Dictionary":
                self._words.setdefault(str(given.get("keyword")).replace("_", " ").strip().lower(), output)

    def find_tool(self, keywords: str) -> Any:
        """What was found for exactly these keywords."""
        return _known(self._tools, keywords, MISS)

    def translate(self, text: str) -> Any:
        """What this text was translated to."""
        return _known(self._translations, text, MISS)

    def define(self, word: str) -> Any:
        """What this word was said to mean."""
        return _known(self._words, word, "Failed.")


def _known(recorded: Mapping[str, Any], key: str, otherwise: str) -> Any:
    if key not in recorded:
        raise ApiError(otherwise)
    return recorded[key]


class ByName:
    """Level 3 without an embedding model: an API is found by its own name, whatever the case and the spaces."""

    def __init__(self, registry: Registry, interface: Callable[[str], Any]) -> None:
        self._names = {name.lower(): name for name in registry.apis}
        self._interface = interface

    def find_tool(self, keywords: str) -> Any:
        """The interface of the API of that name."""
        name = self._names.get(keywords.replace(" ", "").lower())
        if name is None:
            raise ApiError(MISS)
        return self._interface(name)

    def translate(self, text: str) -> Any:
        """Level 3 translates nothing."""
        raise ApiError(MISS)

    def define(self, word: str) -> Any:
        """Level 3 looks no word up."""
        raise ApiError("Failed.")


class WordSearch:
    """A search by words over the names and descriptions of APIs."""

    def __init__(self, interfaces: Mapping[str, Any]) -> None:
        self._interfaces = [interface for name, interface in interfaces.items() if name != "ToolSearcher"]
        self._ranker = LexicalRanker(
            [f"{' '.join(words_of(entry['name']))} {entry['description']}" for entry in self._interfaces]
        )

    def best(self, keywords: str) -> Any:
        """The interface that has most in common with `keywords`.

        Raises:
            ApiError: when none has anything.
        """
        best = self._ranker.rank([keywords])[0]
        if not best.found:
            raise ApiError(MISS)
        return self._interfaces[int(best.numbers[0])]


class Searching:
    """Recordings, and for keywords that were never recorded a search by words over the APIs' descriptions."""

    def __init__(self, replay: Outside, search: WordSearch) -> None:
        self._replay = replay
        self._search = search

    def find_tool(self, keywords: str) -> Any:
        """The recorded answer, else the interface that fits best."""
        try:
            return self._replay.find_tool(keywords)
        except ApiError:
            return self._search.best(keywords)

    def translate(self, text: str) -> Any:
        """The recorded translation."""
        return self._replay.translate(text)

    def define(self, word: str) -> Any:
        """The recorded meanings."""
        return self._replay.define(word)
