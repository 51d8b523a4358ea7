"""The room that models which write texts have."""

from pathlib import Path

import pytest

from apigap.records.configuration import load_settings
from apigap.stages.authorship import Authors, made_from

ROOM = [
    # model, author.max_tokens, tokens that a text may have
    ("gguf/qwen2.5-coder-0.5b", "null", 800),
    ("r1-distill-qwen-7b", "null", 8192),
    ("openai-api/local/x", "null", 16384),
    ("openai-api/local/x", "100", 100),
    ("mockllm/model", "null", 800),
]


@pytest.mark.parametrize(("model", "told", "room"), ROOM)
def test_an_author_that_may_reason_has_room_for_its_trace(model: str, told: str, room: int) -> None:
    settings = load_settings((), [f"author.max_tokens={told}"]).author
    assert Authors(rewrite=model).asked(settings) == [(model, room)]
    assert made_from(model, settings)["decoding"]["max_tokens"] == room  # pyright: ignore


def test_nobody_is_asked_where_calls_are_replayed() -> None:
    settings = load_settings().author
    assert Authors().asked(settings) == [] == Authors("gguf/x", recorded=Path("t.jsonl")).asked(settings)
