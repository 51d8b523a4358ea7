"""Edits come off exactly, share nothing, and are kept in small files."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.closed_form import LowRank  # noqa: E402
from apigap.adaptation.editing.edit import Applied, Edit  # noqa: E402
from apigap.adaptation.editing.families import FAMILIES, edited_layers, family_of, remembered_layer  # noqa: E402
from apigap.records.errors import CorruptRecord, InfrastructureError, UsageError  # noqa: E402
from tests.adaptation.tiny import tiny_model  # noqa: E402


def an_edit(model: Any, seed: int, layer: int = 1) -> Edit:
    name = FAMILIES[model.config.model_type].of(layer, "down")
    outputs, inputs = (32, 128) if model.config.model_type == "gpt2" else (32, 48)
    generator = torch.Generator().manual_seed(seed)
    factors = (torch.randn(outputs, 2, generator=generator), torch.randn(2, inputs, generator=generator))
    return Edit({name: LowRank(*factors)}, {"made": "here"})


def weights(model: Any) -> dict[str, Any]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_reverting_gives_the_same_bits(family: str, precision: str) -> None:
    model = tiny_model(family).to(getattr(torch, precision))
    before, ids = weights(model), torch.tensor([[1, 2, 3]])
    untouched = model(input_ids=ids).logits
    with Applied(model, an_edit(model, 1)), Applied(model, an_edit(model, 2)):
        assert not torch.equal(model(input_ids=ids).logits, untouched)
    assert same(weights(model), before)
    assert torch.equal(model(input_ids=ids).logits, untouched)


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_an_edit_adds_its_product_to_the_weights(family: str) -> None:
    model = tiny_model(family)
    edit = an_edit(model, 3)
    (name, update), *_ = edit.updates.items()
    before = model.get_submodule(name).weight.clone()
    with Applied(model, edit):
        added = model.get_submodule(name).weight - before
    assert torch.allclose(added.T if family == "gpt2" else added, update.dense(), atol=1e-5)


def test_independent_edits_share_nothing() -> None:
    """The second edit of a model is what it is on a fresh model, whatever was put on and taken off before."""
    model, fresh = tiny_model("llama"), tiny_model("llama")
    Applied(model, an_edit(model, 4)).revert()
    with Applied(model, an_edit(model, 5)), Applied(fresh, an_edit(fresh, 5)):
        assert same(weights(model), weights(fresh))


def test_edits_come_off_in_the_reverse_order_only() -> None:
    model = tiny_model("llama")
    before = weights(model)
    first, second = Applied(model, an_edit(model, 6)), Applied(model, an_edit(model, 7))
    with pytest.raises(UsageError, match="revert later edits first"):
        first.revert()
    second.revert()
    first.revert()
    assert same(weights(model), before)


def test_an_edit_that_makes_no_numbers_changes_nothing(tmp_path: Path) -> None:
    model = tiny_model("llama")
    before, edit = weights(model), an_edit(model, 8)
    (update,) = edit.updates.values()
    update.left[0, 0] = float("nan")
    with pytest.raises(UsageError, match="no numbers"):
        Applied(model, edit)
    with pytest.raises(UsageError, match=r"no numbers .* use a smaller learning_rate"):
        edit.save(tmp_path / "edit.safetensors")
    assert not list(tmp_path.iterdir())
    assert same(weights(model), before)


def test_an_edit_of_another_model_is_refused() -> None:
    with pytest.raises(UsageError, match="made for another model"):
        name = FAMILIES["llama"].of(1, "down")
        Applied(tiny_model("llama"), Edit({name: LowRank(torch.zeros(8, 1), torch.zeros(1, 8))}))
    with pytest.raises(UsageError, match=r"no module model\.layers\.1"):
        Applied(tiny_model("gpt2"), an_edit(tiny_model("llama"), 9))


def test_an_edit_comes_back_from_its_file(tmp_path: Path) -> None:
    model = tiny_model("qwen2")
    edit = an_edit(model, 10)
    edit.save(tmp_path / "edit.safetensors")
    found = Edit.load(tmp_path / "edit.safetensors")
    assert found.origin == {"made": "here"}
    told = {letter: letter for letter in "fedcba"}
    files = [tmp_path / f"{number}.safetensors" for number in range(4)]
    for path in files:
        Edit(edit.updates, told).save(path)
    assert len({path.read_bytes() for path in files}) == 1  # the same edit is the same file
    assert Edit.load(files[0]).origin == told
    for path in files:
        path.unlink()
    with Applied(model, edit):
        once = weights(model)
    with Applied(model, found):
        assert same(weights(model), once)
    assert [path.name for path in tmp_path.iterdir()] == ["edit.safetensors"]


def test_a_file_that_is_no_edit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "edit.safetensors"
    path.write_bytes(b"half")
    with pytest.raises(CorruptRecord, match="make it again"):
        Edit.load(path)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import os

    path = tmp_path / "edit.safetensors"
    edit = an_edit(tiny_model("llama"), 11)
    edit.save(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InfrastructureError, match="free some space"):
        an_edit(tiny_model("llama"), 12).save(path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["edit.safetensors"]


def test_layers_follow_the_depth() -> None:
    assert edited_layers(28) == (5, 6, 7, 8, 9)
    assert edited_layers(30) == (5, 6, 8, 9, 10)
    assert edited_layers(3) == (1,)
    assert edited_layers(12, (4, 2)) == (2, 4)
    assert (remembered_layer(28), remembered_layer(30), remembered_layer(3)) == (24, 26, 2)
    with pytest.raises(UsageError, match="the model has 3"):
        edited_layers(3, (3,))


def test_a_family_without_known_layers_says_how_to_name_them() -> None:
    model = tiny_model("llama")
    assert family_of(model).of(2, "down") == "model.layers.2.mlp.down_proj"
    model.config.model_type = "unheard"
    with pytest.raises(UsageError, match=r"--module down=mlp\.down_proj"):
        family_of(model)
    names = ["blocks=model.layers", "mlp=mlp", "up=mlp.up_proj", "down=mlp.gate_proj"]
    assert family_of(model, names).of(0, "down") == "model.layers.0.mlp.gate_proj"
    with pytest.raises(UsageError, match="no module"):
        family_of(model, [*names[:3], "down=mlp.nothing"])
    with pytest.raises(UsageError, match="no part 'middle'"):
        family_of(model, ["middle=x"])
