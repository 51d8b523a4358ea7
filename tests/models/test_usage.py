"""Tokens that a provider's cache had are read all the same: they count, in answers, budgets and files."""

from typing import Any

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, StopReason

from apigap.models.batch.formats import read_answer_line
from apigap.models.generate import Generator
from apigap.models.outputs import answer_of
from apigap.models.request import Decoding, GenerationRequest
from tests.models.scripted_server import KEY, MODEL, Reply, Scripted, completion, serving

USAGES: list[tuple[dict[str, Any], int]] = [
    ({"input_tokens": 11}, 11),
    ({"input_tokens": 1, "input_tokens_cache_read": 29}, 30),
    ({"input_tokens": 3, "input_tokens_cache_read": 0, "input_tokens_cache_write": 20}, 23),
]


@pytest.mark.parametrize(("usage", "read"), USAGES)
def test_an_answer_counts_them(usage: dict[str, Any], read: int) -> None:
    output = ModelOutput.from_content("m", "yes")
    output.usage = ModelUsage(output_tokens=2, **usage)
    assert (answer_of(output, "", False).input_tokens, answer_of(output, "", False).output_tokens) == (read, 2)


def test_a_server_that_had_most_of_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    body = completion("yes")
    body["usage"] = {
        "prompt_tokens": 38, "completion_tokens": 1, "total_tokens": 39,
        "prompt_tokens_details": {"cached_tokens": 37},
    }  # fmt: skip
    with serving(Scripted({}, Reply(body=body))) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        with Generator(f"openai-api/local/{MODEL}", Decoding(max_tokens=4), cache=False) as generator:
            (answer,) = generator.answer(GenerationRequest(key="a", prompt="x"))
    assert (answer.input_tokens, answer.output_tokens) == (38, 1)


def test_lines_of_message_batches() -> None:
    told = {"input_tokens": 1, "cache_read_input_tokens": 29, "cache_creation_input_tokens": None, "output_tokens": 2}
    message = {"content": [{"type": "text", "text": "yes"}], "stop_reason": "end_turn", "usage": told}
    answer = read_answer_line({"custom_id": "r", "result": {"type": "succeeded", "message": message}})
    assert (answer.input_tokens, answer.output_tokens) == (30, 2)


ENDINGS: list[tuple[StopReason, int | None, int, str]] = [
    # what the provider told, most tokens, tokens of the answer, what ended it
    ("unknown", 24, 24, "length"),
    ("unknown", 24, 23, "unknown"),
    ("unknown", None, 24, "unknown"),
    ("stop", 24, 24, "stop"),
    ("max_tokens", None, 24, "length"),
]


@pytest.mark.parametrize(("told", "most", "written", "ending"), ENDINGS)
def test_an_answer_without_an_ending_that_is_full_was_cut(
    told: StopReason, most: int | None, written: int, ending: str
) -> None:
    output = ModelOutput.from_content("m", "yes", stop_reason=told)
    output.usage = ModelUsage(output_tokens=written)
    assert answer_of(output, "", False, most).stop_reason == ending
