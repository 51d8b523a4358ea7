"""The models that are known by name, and what is said about names that are not."""

import re
from pathlib import Path

import pytest

from apigap.models.registry import find_model, model_names
from apigap.models.request import sample_seed
from apigap.records.errors import CorruptRecord, ModelUnavailable

SHIPPED = ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "smollm2-135m"]


def test_shipped_models() -> None:
    assert model_names() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_says_all_that_a_user_must_know(name: str) -> None:
    spec = find_model(name)
    assert re.fullmatch("[0-9a-f]{64}", spec.sha256)
    assert spec.bytes > 90e6
    assert spec.cutoff and spec.cutoff_source
    assert spec.licence == "Apache-2.0"
    assert spec.licence_note
    assert spec.sources[0].wheels


def test_the_parts_of_a_model_are_in_order() -> None:
    parts = find_model("qwen2.5-coder-1.5b").sources[0].wheels
    assert parts is not None
    assert [int(part.member[-6:-4]) for part in parts] == list(range(1, 23))
    assert all(part.distribution.endswith(f"part{number}") for number, part in enumerate(parts, start=1))


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(ModelUnavailable, match=r"did you mean qwen2\.5-coder-1\.5b"):
        find_model("qwen-coder-1.5b")
    with pytest.raises(ModelUnavailable, match="known are qwen"):
        find_model("zzz")


def test_a_model_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    (tmp_path / "mine.yaml").write_text(
        f"title: Mine\nbytes: 4\nsha256: {'ab' * 32}\ncontext: 512\nlicence: MIT\nsources:\n  - path: mine.gguf\n"
    )
    monkeypatch.setenv("APIGAP_MODELS", str(tmp_path))
    assert model_names() == sorted([*SHIPPED, "mine"])
    assert find_model("mine").sources[0].path == str(tmp_path / "mine.gguf")


@pytest.mark.parametrize("text", ["title: x", "- a\n- b", "title: [", "context: many"])
def test_a_broken_file_is_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.yaml").write_text(text)
    monkeypatch.setenv("APIGAP_MODELS", str(tmp_path))
    with pytest.raises(CorruptRecord, match=r"broken\.yaml"):
        find_model("broken")


def test_a_file_is_a_model_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "some.gguf"
    path.write_bytes(b"GGUF")
    spec = find_model(str(path))
    assert (spec.bytes, spec.licence, spec.sources[0].path) == (4, "unknown", str(path))
    with pytest.raises(ModelUnavailable, match="No such file"):
        find_model(str(tmp_path / "other.gguf"))


def test_seeds_differ_by_key_and_sample_and_are_stable() -> None:
    seeds = {sample_seed(seed, key, sample) for seed in (0, 1) for key in ("a", "b") for sample in range(50)}
    assert len(seeds) == 200
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert sample_seed(0, "a", 0) == 1252016353
