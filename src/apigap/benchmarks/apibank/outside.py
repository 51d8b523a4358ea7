"""Recordings, which stand for the network and the embedding model of the released APIs."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from apigap.benchmarks.apibank.dialogues import Dialogue, Turn
from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.languages import LANGUAGES, language_code
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.world import MISS, UNDEFINED, Outside

_ASKED = {"ToolSearcher": "keywords", "Translate": "src", "Dictionary": "keyword"}
"""The APIs that ask, and their parameter that says for what."""
_SHOWN = 80


class Replay(Outside):
    """The recorded answers: of this dialogue first, else the first of another one, in the order of the files."""

    def __init__(self, dialogues: Iterable[Dialogue], own: Dialogue | None = None) -> None:
        self._outputs: dict[tuple[str, str], Any] = {}
        turns = (turn for dialogue in [*([own] if own else []), *dialogues] for turn in dialogue.turns)
        for turn in turns:
            if turn.api_name in _ASKED:
                asked = str(turn.param_dict.get(_ASKED[turn.api_name]))
                word = asked.replace("_", " ").strip().lower() if turn.api_name == "Dictionary" else asked
                self._outputs.setdefault((turn.api_name, word), turn.result.get("output"))

    def find_tool(self, keywords: str) -> Any:
        """The interfaces that were found for exactly these keywords."""
        return self._recorded("ToolSearcher", keywords, MISS)

    def translate(self, text: str, source: str | None = None, target: str | None = None) -> Any:
        """The translation that was recorded of this text, whatever the languages."""
        return self._recorded("Translate", text, MISS)

    def define(self, word: str) -> Any:
        """The meanings that were recorded of this word."""
        return self._recorded("Dictionary", word, UNDEFINED)

    def _recorded(self, api: str, key: str, otherwise: str) -> Any:
        if (api, key) not in self._outputs:
            raise ApiError(otherwise)
        return self._outputs[api, key]


class ExactReplay(Replay):
    """The recorded answers where every argument is as recorded; what was not recorded says so, and what was."""

    def __init__(self, dialogues: Iterable[Dialogue], own: Dialogue | None = None) -> None:
        dialogues = tuple(dialogues)
        super().__init__(dialogues, own)
        self._translations: dict[str, list[_Translation]] = {}
        for dialogue in [*([own] if own else []), *dialogues]:
            for turn in dialogue.turns:
                if turn.api_name == "Translate" and turn.result.get("exception") is None:
                    found = _Translation.of(turn)
                    self._translations.setdefault(found.text, []).append(found)

    def translate(self, text: str, source: str | None = None, target: str | None = None) -> Any:
        """The translation that was recorded of this text into `target`; from any language where none was recorded."""
        recorded = self._translations.get(text, [])
        for found in recorded:
            if found.target == target and (None in (found.source, source) or found.source == source):
                return found.translated
        others = ", ".join(dict.fromkeys(LANGUAGES.get(found.target or "", "?").title() for found in recorded))
        reason = f"recorded of it: into {others}" if others else "the data has none of this text"
        into = LANGUAGES.get(target or "", "?").title()
        raise ApiError(f"No translation of {text[:_SHOWN]!r} into {into} was recorded ({reason}).")

    def define(self, word: str) -> Any:
        """The meanings that were recorded of this word."""
        return self._recorded("Dictionary", word, f"No meanings of {word[:_SHOWN]!r} were recorded.")


class _Translation(NamedTuple):
    """A recorded translation, with the codes of its languages."""

    text: str
    source: str | None
    target: str | None
    translated: Any

    @classmethod
    def of(cls, turn: Turn) -> "_Translation":
        source, target = turn.param_dict.get("src_lang"), turn.param_dict.get("tgt_lang") or "en"
        codes = (None if source is None else language_code(str(source)), language_code(str(target)))
        return cls(str(turn.param_dict.get("src")), *codes, turn.result.get("output"))


class ByName(Outside):
    """Level 3 without an embedding model: an API is found by its own name, whatever the case and the spaces."""

    def __init__(self, registry: Registry, interface: Callable[[str], Any]) -> None:
        self._names = {name.lower(): name for name in registry.apis}
        self._interface = interface

    def find_tool(self, keywords: str) -> Any:
        """The interface of the API of that name."""
        name = self._names.get(keywords.replace(" ", "").lower())
        return super().find_tool(keywords) if name is None else self._interface(name)
