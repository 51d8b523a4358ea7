"""Second moments against a direct sum, and where they come from."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.covariance import Texts, cached_moments, second_moments, standard_library, text_files  # noqa: E402
from apigap.adaptation.editing.families import family_of  # noqa: E402
from apigap.records.errors import UsageError  # noqa: E402
from tests.adaptation.tiny import tiny_model  # noqa: E402

TEXTS = Texts("two pieces", ("def f(x):\n    return x\n" * 30, "The quick brown fox."))


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
def test_the_covariance_is_the_direct_sum(family: str, tokenizer: Any) -> None:
    model = tiny_model(family)
    names = family_of(model)
    found = second_moments(model, tokenizer, names, (0, 2), TEXTS, 10_000)
    pieces = [tokenizer(piece)["input_ids"] for piece in TEXTS.pieces]
    windows = [piece[start : start + 512] for piece in pieces for start in range(0, len(piece), 512)]
    for layer in (0, 2):
        rows: list[Any] = []
        module = model.get_submodule(names.of(layer, "down"))
        handle = module.register_forward_pre_hook(lambda _, given, rows=rows: rows.append(given[0][0].double()))
        for window in windows:
            model(input_ids=torch.tensor([window]))
        handle.remove()
        keys = torch.cat(rows)
        assert torch.allclose(found.of[layer], sum(k[:, None] * k[None] for k in keys) / len(keys), atol=1e-5)
    assert found.provenance["tokens"] == str(sum(map(len, pieces)))
    assert found.provenance["text"] == "two pieces"
    assert found.provenance["precision"] == "torch.float32"


def test_as_many_tokens_as_are_asked_for(tokenizer: Any) -> None:
    model = tiny_model("llama")
    assert second_moments(model, tokenizer, family_of(model), (1,), TEXTS, 100).provenance["tokens"] == "100"
    with pytest.raises(UsageError, match="no text for the covariance"):
        second_moments(model, tokenizer, family_of(model), (1,), Texts("nothing", ()), 100)


def test_moments_are_kept_by_what_decides_them(tmp_path: Path, tokenizer: Any) -> None:
    model = tiny_model("llama")
    names = family_of(model)
    first = cached_moments(model, tokenizer, names, (1,), TEXTS, 200, tmp_path)
    (kept,) = tmp_path.glob("*.safetensors")
    written = kept.stat().st_mtime_ns
    again = cached_moments(tiny_model("llama"), tokenizer, names, (1,), TEXTS, 200, tmp_path)
    assert kept.stat().st_mtime_ns == written
    assert torch.equal(first.of[1], again.of[1])
    assert again.provenance == first.provenance
    with torch.no_grad():  # the first parameter is as it was
        model.get_submodule(names.of(1, "up")).weight[0, 0] += 1
    other = cached_moments(model, tokenizer, names, (1,), TEXTS, 200, tmp_path)
    assert not torch.equal(first.of[1], other.of[1])
    assert len(list(tmp_path.glob("*.safetensors"))) == 2


def test_the_texts_say_where_they_are_from(tmp_path: Path) -> None:
    found = standard_library()
    assert found.source.startswith("standard library of Python 3.")
    assert len(found.pieces) > 100
    assert found.pieces[0] == standard_library().pieces[0]
    (tmp_path / "a.txt").write_text("words")
    assert text_files([tmp_path / "a.txt"]) == Texts("a.txt", ["words"])
    with pytest.raises(UsageError, match="cannot be read"):
        text_files([tmp_path / "b.txt"])
