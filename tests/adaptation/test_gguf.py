"""Edits of GGUF models: on which weights they are put, that they fit in half precision, whose copy is read."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation import loading  # noqa: E402
from apigap.adaptation.editing.closed_form import LowRank  # noqa: E402
from apigap.adaptation.editing.edit import Edit  # noqa: E402
from apigap.adaptation.gguf_export import export_gguf, linear_weights  # noqa: E402
from apigap.adaptation.loading import Loaded, load  # noqa: E402
from apigap.adaptation.run import Adaptation, adapt, export_base  # noqa: E402
from apigap.adaptation.settings import settings_for  # noqa: E402
from apigap.models.registry import find_model  # noqa: E402
from apigap.records.configuration import load_settings  # noqa: E402
from apigap.records.errors import InfrastructureError, UsageError  # noqa: E402
from tests.adaptation.test_adapted import FEW  # noqa: E402
from tests.adaptation.tiny import tiny_gguf, tiny_model, tiny_tokenizer  # noqa: E402
from tests.silent import Silent  # noqa: E402

DOWN = "model.layers.{}.mlp.down_proj"


def halves(path: Path) -> dict[str, Any]:
    """The weights of a file that are in half precision."""
    import gguf

    reader: Any = gguf.GGUFReader(path)
    return {tensor.name: torch.from_numpy(tensor.data.copy()) for tensor in reader.tensors if tensor.tensor_type == 1}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A GGUF file with the tiny model's down projections; `load` gives that model in the precision asked for."""
    path = tmp_path / "base.gguf"
    tiny_gguf(path, tiny_model("llama"))

    def given(name: str, precision: str = "float32") -> Loaded:
        kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
        return Loaded(tiny_model("llama").to(kind), tiny_tokenizer(), path)

    monkeypatch.setattr(loading, "load", given)
    return path


def test_what_was_tuned_in_bfloat16_is_put_on_the_base_in_single_precision(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = DOWN.format(1)
    edit = Edit({down: LowRank(torch.full((32, 1), 0.01), torch.full((1, 48), 0.01))})

    def made(loaded: Loaded, learning: Any, s: Any, names: Any, folder: Path, progress: Any) -> str:
        assert loaded.model.get_submodule(down).weight.dtype == torch.bfloat16
        edit.save(folder / "edit.safetensors")
        return "edit.safetensors"

    monkeypatch.setattr("apigap.adaptation.methods.make", made)
    settings = settings_for("sft", "published")
    wanted = Adaptation("sft", f"gguf/{base}", "few", "baseline", FEW, {}, settings, tmp_path / "out")
    found = adapt(wanted, load_settings().generation, tmp_path, Silent())
    assert found.model == "gguf/{}/model.gguf"
    (weight,) = halves(tmp_path / "out" / "model.gguf").values()
    assert torch.equal(weight, (tiny_model("llama").get_submodule(down).weight + edit.updates[down].dense()).half())
    assert find_model(str(tmp_path / "out" / "model.gguf")).title.endswith("sft on few")


def test_a_weight_beyond_half_precision_is_told_and_nothing_is_left(base: Path, tmp_path: Path) -> None:
    weights = {DOWN.format(layer): tiny_model("llama").get_submodule(DOWN.format(layer)).weight for layer in (0, 1)}
    export_gguf(base, tmp_path / "fits.gguf", weights)
    weights[DOWN.format(1)] = torch.full((32, 48), 1e5)
    with pytest.raises(UsageError, match=r"blk\.1\.ffn_down\.weight in half precision .* smaller learning_rate"):
        export_gguf(base, tmp_path / "out.gguf", weights)
    assert {path.name for path in tmp_path.iterdir()} == {"base.gguf", "fits.gguf"}


def test_the_base_itself_comes_out_in_half_precision(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linear = linear_weights(tiny_model("llama"))
    assert len(linear) == 3 * 7  # of each layer; the head is none of them
    downs = {name: weight for name, weight in linear.items() if "down" in name}
    monkeypatch.setattr("apigap.adaptation.gguf_export.linear_weights", lambda _: downs)  # what the tiny file has
    assert export_base(f"gguf/{base}", tmp_path / "out") == f"gguf/{tmp_path / 'out' / 'model.gguf'}"
    written = halves(tmp_path / "out" / "model.gguf")
    assert len(written) == 3
    assert all(torch.equal(written[f"blk.{n}.ffn_down.weight"], downs[DOWN.format(n)].half()) for n in range(3))
    (tmp_path / "out" / "model.gguf").unlink()
    export_base(f"gguf/{base}", tmp_path / "out")  # complete: nothing is done again
    assert not (tmp_path / "out" / "model.gguf").exists()
    with pytest.raises(UsageError, match="no GGUF file"):
        export_base(str(tmp_path), tmp_path / "other")


def test_two_files_of_one_name_have_a_copy_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    reads: list[Path] = []
    read_folder = loading._read  # pyright: ignore[reportPrivateUsage]

    def read(where: str, precision: Any, gguf_file: str = "") -> tuple[Any, Any]:
        if not gguf_file:
            return read_folder(where, precision)
        reads.append(Path(where) / gguf_file)
        model = tiny_model("llama", seed=int(reads[-1].read_bytes()))
        model.config.quantization_config = {}
        return model, tiny_tokenizer()

    monkeypatch.setattr(loading, "_read", read)
    paths = [tmp_path / name / "model.gguf" for name in ("one", "two", "three")]
    for path, content in zip(paths, (b"1", b"2", b"1"), strict=True):
        path.parent.mkdir()
        path.write_bytes(content)
    heads = [load(f"gguf/{path}").model.get_submodule("lm_head").weight for path in paths]
    assert torch.equal(heads[0], tiny_model("llama", seed=1).lm_head.weight)
    assert torch.equal(heads[1], tiny_model("llama", seed=2).lm_head.weight)
    assert torch.equal(heads[2], heads[0])
    assert reads == paths[:2]  # the same content is the same copy


def test_a_full_disk_leaves_no_half_of_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from safetensors import SafetensorError

    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    model = tiny_model("llama")
    model.config.quantization_config = {}

    def full(folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
        raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")

    model.save_pretrained = full
    monkeypatch.setattr(loading, "_read", lambda *_, **__: (model, tiny_tokenizer()))
    (tmp_path / "model.gguf").write_bytes(b"1")
    with pytest.raises(InfrastructureError, match="free some space"):
        load(f"gguf/{tmp_path / 'model.gguf'}")
    assert [path.suffix for path in (tmp_path / "cache" / "dequantised").iterdir()] == [".lock"]
