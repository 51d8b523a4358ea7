"""The APIs of a run: by name, by domain, and as what the search over them finds."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from apigap.apibank_generator.records import Tool
from apigap.retrieval.lexical import words_of
from apigap.retrieval.rankers import LexicalRanker

_DEEP = 3
"""A search is right when the API is among the first three: the evaluation searches by embeddings, this by words."""


class Pool:
    """All APIs, in the order in which they came."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tuple(tools)
        self.by_name = {tool.name: tool for tool in tools}
        self.by_domain: dict[str, list[Tool]] = {}
        for tool in tools:
            self.by_domain.setdefault(tool.domain, []).append(tool)

    def finds(self, keywords: str, name: str) -> bool:
        """True when a search for `keywords` finds the API `name`."""
        best = self._ranker.rank([keywords])[0]
        return name in [self.tools[int(number)].name for number in best.numbers[: min(_DEEP, best.found)]]

    @cached_property
    def _ranker(self) -> LexicalRanker:
        return LexicalRanker([f"{' '.join(words_of(tool.name))} {tool.description}" for tool in self.tools])


def interface(tool: Tool) -> dict[str, Any]:
    """An API under the keys of API-Bank's interfaces, as the search gives it."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_parameters": {
            value.name: {"type": value.type, "description": _meaning(value.description, value.required)}
            for value in tool.inputs
        },
        "output_parameters": {
            value.name: {"type": value.type, "description": value.description} for value in tool.outputs
        },
    }


def _meaning(text: str, required: bool) -> str:
    return text if required else f"{text} May be left out.".strip()
