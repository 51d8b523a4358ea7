"""Training files taught to a tiny model, which is asked like any other afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="tuning needs the extra adapt: make install-adapt")

from apigap.adaptation.lynx_recipe import recipe, train_apibank, training_examples
from apigap.apibank_generator.run import Folder
from apigap.models.adapted import read_adapted
from apigap.records.errors import UsageError
from tests.adaptation.conftest import saved as saved
from tests.silent import Silent

Run = tuple[Folder, dict[str, Any]]


def test_every_row_is_a_conversation_that_ends_in_its_answer(run: Run) -> None:
    examples = training_examples(run[0].path)
    assert len(examples) == run[1]["rows"]["prompts.jsonl"]
    assert [message.role for message in examples[0].messages] == ["system", "user", "assistant"]
    prompts = {json.loads(line)["completion"][0]["content"] for line in (run[0].formats / "prompts.jsonl").open()}
    assert {example.messages[-1].content for example in examples} == prompts
    assert len({example.task_id for example in examples}) == len(examples)
    few = training_examples(run[0].path, limit=6)
    assert len({example.api_name for example in few}) > 2


def test_the_published_recipe() -> None:
    told = recipe("published").model_dump()
    assert {key: told[key] for key in ("full", "epochs", "learning_rate")} == {
        "full": True, "epochs": 3, "learning_rate": 2e-5,
    }  # fmt: skip
    assert told["batch"] * told["accumulation"] == 256
    small = recipe("cpu").model_dump()
    assert [small[key] for key in ("full", "epochs", "accumulation", "learning_rate")] == [False, 3, 4, 5e-4]
    with pytest.raises(UsageError, match="no preset"):
        recipe("gpu")


def test_a_tiny_model_learns_and_can_be_asked(
    run: Run, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    settings = recipe("cpu", ["epochs=1", "rank=2", "max_length=20000"])
    found = train_apibank(run[0].path, str(saved), tmp_path / "out", settings, Silent(), limit=4)
    assert read_adapted(tmp_path / "out") == found
    assert len((tmp_path / "out" / "examples.jsonl").read_text().splitlines()) == 4
    assert (tmp_path / "out" / found.artefact).exists()
    assert train_apibank(run[0].path, str(saved), tmp_path / "out", settings, Silent(), limit=4) == found
