"""A model that may search: it asks, reads, and what it read is kept."""

from typing import Any

import pytest

from apigap.models import generate as room
from apigap.models.generate import Generator
from apigap.models.outputs import search_tools
from apigap.models.request import GenerationRequest
from apigap.records.errors import UsageError

inspect_tool = pytest.importorskip("inspect_ai.tool")


@inspect_tool.tool
def library_search() -> Any:
    async def execute(query: str) -> str:
        """Search.

        Args:
            query: What for.
        """
        return f"pages on {query}"

    return execute


def test_a_model_searches_before_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai.model import ModelOutput, ModelUsage

    call = ModelOutput.for_tool_call("mockllm/model", "library_search", {"query": "slugify"})
    outputs = [call, ModelOutput.from_content("mockllm/model", "it slugs")]
    for output in outputs:
        output.usage = ModelUsage()  # else Inspect counts tokens with a vocabulary from the internet
    monkeypatch.setattr(room, "search_tools", lambda model, provider: [library_search()])
    with Generator("mockllm/model", web_search="tavily", model_args={"custom_outputs": outputs}) as generator:
        (answer,) = generator.answer(GenerationRequest(key="a", prompt="what is slugify?"))
        assert generator.describe()["web_search"] == "tavily"
    assert (answer.text, answer.found) == ("it slugs", ("pages on slugify",))


@pytest.mark.parametrize(
    ("model", "provider", "says"),
    [("gguf/smollm2-135m", "tavily", "calls no tools"), ("openai/gpt-4o", "yellow-pages", "yellow-pages")],
)
def test_no_such_search(model: str, provider: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        search_tools(model, provider)


def test_no_search_unless_asked() -> None:
    assert search_tools("openai/gpt-4o", None) == []
    assert len(search_tools("openai/gpt-4o", "tavily")) == 1
