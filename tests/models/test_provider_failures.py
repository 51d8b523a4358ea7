"""Providers that refuse, are busy or send garbage: typed, asked again only where it helps, never an answer."""

from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.model._model import ModelGenerateError

from apigap.models.failures import ending_of, reason_of
from apigap.models.generate import Generator
from apigap.models.request import Answer, GenerationRequest
from apigap.records.errors import ModelUnavailable


class Refused(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status


class Provider(ModelAPI):
    """Fails with the statuses of its script, one a call, then answers."""

    script: list[int | str] = []
    calls = 0

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        Provider.calls += 1
        step = self.script.pop(0) if self.script else "answer"
        if isinstance(step, int):
            raise Refused(step)
        if step == "nothing":
            return ModelOutput(model="m", choices=[])
        if step == "error":
            return ModelOutput(model="m", choices=[], error="the upstream sent HTML")
        return ModelOutput.from_content("m", "x = 1")

    def should_retry(self, ex: Exception) -> bool:
        return isinstance(ex, Refused) and ex.status in (429, 503)


@modelapi(name="fakehttp")
def fakehttp() -> type[ModelAPI]:
    return Provider


CASES = [
    ([401], 1, "HTTP 401"),
    ([400], 1, "HTTP 400"),
    (["nothing"], 1, "sent no answer"),
    (["error"], 1, "the upstream sent HTML"),
    ([429], 2, None),
]


@pytest.mark.parametrize(("script", "calls", "words"), CASES, ids=[str(case[0][0]) for case in CASES])
def test_what_a_provider_does_wrong_is_never_an_answer(
    script: list[int | str], calls: int, words: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    Provider.script, Provider.calls = [*script], 0
    got: list[Answer] = []
    generator = Generator("fakehttp/model", cache=False)
    request = GenerationRequest(key="a", prompt="x")
    if words is None:
        generator.generate([request], lambda *given: got.append(given[2]))
        assert got[0].text == "x = 1"
    else:
        with pytest.raises(ModelUnavailable, match=words):
            generator.generate([request], lambda *given: got.append(given[2]))
        assert got == []
    assert Provider.calls == calls


class BadRequest(Exception):
    """A client's error, as the provider's own package raises it."""

    status_code = 400


def test_the_words_of_the_prompt_are_not_those_of_the_server() -> None:
    """Inspect's own error has the whole request in it, which may speak of anything."""
    error = ModelGenerateError("Request: { 'maximum context length, safety' } 400", status_code=400)
    error.__cause__ = BadRequest("temperature must be positive")
    assert ending_of(error) is None and reason_of(error) == "BadRequest: temperature must be positive"
    error.__cause__ = BadRequest("the prompt is too long")
    assert ending_of(error) == "context"
