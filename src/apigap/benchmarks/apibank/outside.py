"""What stands for the network and the embedding model of the released APIs: recordings."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from apigap.benchmarks.apibank.dialogues import Dialogue
from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.registry import Registry

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
