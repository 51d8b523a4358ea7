"""The model's own window: what is learnt, measured and written ends there, and a message says so."""

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.covariance import Texts, second_moments  # noqa: E402
from apigap.adaptation.editing.facts import Window, window_for  # noqa: E402
from apigap.adaptation.editing.families import family_of  # noqa: E402
from apigap.adaptation.examples import Example  # noqa: E402
from apigap.adaptation.inspect_provider import generate_text  # noqa: E402
from apigap.adaptation.loading import Loaded  # noqa: E402
from apigap.adaptation.measures import PromptSet, measure  # noqa: E402
from apigap.adaptation.run import adapt  # noqa: E402
from apigap.adaptation.settings import Method  # noqa: E402
from apigap.models.request import Decoding, Message  # noqa: E402
from apigap.records.errors import UsageError  # noqa: E402
from tests.adaptation.test_adapted import SETTINGS, adaptation  # noqa: E402
from tests.adaptation.tiny import tiny_model  # noqa: E402
from tests.silent import Silent  # noqa: E402


def small(tokenizer: Any) -> Loaded:
    """A model that has learnt 64 positions, and none beyond."""
    return Loaded(tiny_model("gpt2", window=64), tokenizer, None)


def test_the_smaller_of_setting_and_window_bounds() -> None:
    model = tiny_model("llama", window=100)
    assert window_for(model, 20) == Window(20, "max_length")
    assert window_for(model, 100) == window_for(model, 5000) == window_for(model) == Window(100)
    model.config.max_position_embeddings = 0  # it does not say
    assert window_for(model, 20) == Window(20, "max_length")
    assert window_for(model).holds(10**9)


CASES: list[tuple[Method, tuple[str, ...], str]] = [
    ("sft", (), "the model's own window 64; choose a model with a longer window"),
    ("grace", (), "the model's own window 64; choose a model with a longer window"),
    ("alphaedit", ("lora=true",), "the model's own window 64; choose a model with a longer window"),
    ("sft", ("max_length=20",), "max_length is 20; raise it with --set max_length=N"),
    ("grace", ("max_length=20",), "max_length is 20; raise it with --set max_length=N"),
    ("alphaedit", ("lora=true", "tuning.max_length=20"), r"raise it with --set tuning\.max_length=N"),
]


@pytest.mark.parametrize(("method", "given", "told"), CASES, ids=["-".join((c[0], *c[1])) for c in CASES])
def test_what_does_not_fit_is_told_with_what_bounds_it(
    method: Method, given: tuple[str, ...], told: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    config = saved / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "max_position_embeddings": 64}))
    with pytest.raises(UsageError, match=told):
        adapt(adaptation(method, saved, tmp_path / "out", *given), SETTINGS.generation, tmp_path, Silent())


def test_the_covariance_reads_no_further_than_the_window(tokenizer: Any) -> None:
    loaded = small(tokenizer)
    texts = Texts("one", ("words " * 40,))
    assert (
        second_moments(loaded.model, tokenizer, family_of(loaded.model), (1,), texts, 200).provenance["tokens"] == "200"
    )


def test_prompts_beyond_the_window_are_left_out_and_told(tokenizer: Any) -> None:
    def example(asked: str) -> Example:
        messages = (Message(role="user", content=asked), Message(role="assistant", content="yes"))
        return Example(task_id="t", api_name="a.b", messages=messages)

    notes: list[str] = []
    asked = [PromptSet("taught", [example("short"), example("long" * 20)]), PromptSet("bare", [example("long" * 30)])]
    found = measure(small(tokenizer), small(tokenizer), asked, lambda *_: None, notes.append)
    assert [(one.kind, one.prompts) for one in found] == [("taught", 1)]
    assert notes == [
        "taught: 1 of 2 prompts have more than 64 tokens and are left out",
        "bare: 1 of 1 prompts have more than 64 tokens and are left out",
    ]


def test_an_answer_ends_with_the_window(tokenizer: Any) -> None:
    loaded, decoding = small(tokenizer), Decoding(max_tokens=30)
    loaded.model.generation_config.eos_token_id = None  # pyright: ignore[reportAttributeAccessIssue, reportArgumentType]
    asked = [Message(role="user", content="x" * 50)]
    text, reason, read, written = generate_text(loaded, asked, decoding, 0.0, 1.0, 0)
    assert (read, written, reason) == (53, 11, "max_tokens")
    assert text
    assert generate_text(loaded, [Message(role="user", content="x" * 61)], decoding, 0.0, 1.0, 0) == (
        "",
        "model_length",
        64,
        0,
    )
    assert generate_text(loaded, [Message(role="user", content="x")], decoding, 0.0, 1.0, 0)[3] <= 30
