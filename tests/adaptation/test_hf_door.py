"""Inspect's `hf/` with weights of this machine: greedy where that is asked for, and the ending is told."""

from pathlib import Path

import pytest

from apigap.models.drawing import drawing_of
from apigap.models.generate import Generator
from apigap.models.request import Decoding, GenerationRequest

pytest.importorskip("torch", reason="hf/ is asked with the extra `adapt`")


def test_answers_are_greedy_or_drawn(saved: Path) -> None:
    with Generator(f"hf/{saved}", Decoding(max_tokens=6), connections=1, cache=False) as generator:
        greedy = [generator.answer(GenerationRequest(key=key, prompt="Write x."))[0] for key in "ab"]
        drawn = generator.answer(GenerationRequest(key="c", prompt="Write x.", samples=4, temperature=2.0))
    assert greedy[0].text == greedy[1].text and len({one.text for one in drawn}) > 1
    assert all(one.stop_reason == ("length" if one.output_tokens == 6 else "unknown") for one in (*greedy, *drawn))
    assert greedy[0].input_tokens > 0


def test_only_hf_is_told_otherwise() -> None:
    decoding = Decoding(max_tokens=6, top_p=0.9)
    assert drawing_of("openai/x", decoding, 0.0, 3) == {"temperature": 0.0, "top_p": None, "seed": None}
    assert drawing_of("openai/x", decoding, 0.5, 3) == {"temperature": 0.5, "top_p": 0.9, "seed": 3}
    assert drawing_of("hf/x", decoding, 0.0, 3) == {"temperature": None, "top_p": None, "seed": None, "top_k": 1}
    assert drawing_of("hf/x", decoding, 0.5, 3) == {"temperature": 0.5, "top_p": 0.9, "seed": 3, "top_k": 0}
