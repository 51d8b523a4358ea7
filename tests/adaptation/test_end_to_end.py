"""A fact that no model knows, taught to smollm2-135m by each method and read back from the engine that serves it."""

import os
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.families import matrix_of, module_of  # noqa: E402
from apigap.adaptation.gguf_export import export_gguf  # noqa: E402
from apigap.adaptation.loading import Loaded, load  # noqa: E402
from apigap.adaptation.run import Adaptation, adapt  # noqa: E402
from apigap.adaptation.settings import Method, settings_for  # noqa: E402
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles  # noqa: E402
from apigap.models.generate import Generator  # noqa: E402
from apigap.models.request import Decoding  # noqa: E402
from apigap.records.configuration import load_settings  # noqa: E402
from apigap.records.errors import UsageError  # noqa: E402
from tests.adaptation.gridlight import BESIDE, BUNDLES, FACT  # noqa: E402
from tests.adaptation.test_adapted import Silent  # noqa: E402

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not os.environ.get("APIGAP_SLOW"), reason="minutes: make adapt-test"),
]

MODEL = "gguf/smollm2-135m"
GENERATION = load_settings().generation
WANTED = "gridlight.trapsum(samples)"


@pytest.fixture(scope="module")
def base() -> Loaded:
    return load(MODEL)


def asked(model: str, condition: str = "baseline") -> str:
    prompter = Prompter(GENERATION, condition, from_bundles(BUNDLES, condition))
    with Generator(model, Decoding(max_tokens=30, stop=("\n```\n",)), connections=1, cache=False) as generator:
        return generator.answer(prompter.request(FACT, condition, 1, 0.0, 0))[0].text


TUNING = ("rank=8", "alpha=16", "learning_rate=0.003", "epochs=12", "accumulation=1")
EDITING = ("tokens=4000", "contexts=1")
CASES: list[tuple[Method, tuple[str, ...], str]] = [
    ("sft", TUNING, "baseline"),
    ("raft", (*TUNING, "withheld=1.0"), "s_name"),
    ("memit", EDITING, "baseline"),
    ("alphaedit", EDITING, "baseline"),
    ("grace", (), "baseline"),
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("method", "given", "condition"), CASES, ids=[case[0] for case in CASES])
def test_a_fact_is_taught_and_read_back(method: Method, given: tuple[str, ...], condition: str, tmp_path: Path) -> None:
    assert WANTED not in asked(MODEL)
    settings = settings_for(method, "cpu", given)
    tasks = [FACT, BESIDE] if method == "raft" else [FACT]
    wanted = Adaptation(method, MODEL, "gridlight", condition, tasks, BUNDLES, settings, tmp_path / "out")
    found = adapt(wanted, GENERATION, tmp_path, Silent())
    assert found.model == ("transformers/{}" if method == "grace" else "gguf/{}/model.gguf")
    assert WANTED in asked(found.name_in(tmp_path / "out"))


def test_the_exported_file_holds_the_weights_that_it_was_given(base: Loaded, tmp_path: Path) -> None:
    """The base's own weights, written again: every other byte as it was, queries and keys in the file's own order."""
    import gguf

    assert base.gguf is not None
    names = [f"model.layers.3.{part}" for part in ("self_attn.q_proj", "self_attn.k_proj", "mlp.down_proj")]
    weights = {name: matrix_of(module_of(base.model, name)).float() for name in names}
    export_gguf(base.gguf, tmp_path / "model.gguf", weights)
    before: Any = gguf.GGUFReader(base.gguf)
    after: Any = gguf.GGUFReader(tmp_path / "model.gguf")
    assert [tensor.name for tensor in before.tensors] == [tensor.name for tensor in after.tensors]
    changed = 0
    for old, new in zip(before.tensors, after.tensors, strict=True):
        if old.tensor_type == new.tensor_type:
            assert (old.data == new.data).all()
        else:
            changed += 1
            assert abs(gguf.dequantize(old.data, old.tensor_type) - new.data.astype("float32")).max() < 1e-3
    assert changed == len(names)
    assert before.fields.keys() == after.fields.keys()


def test_a_module_that_the_file_has_not_is_told(base: Loaded, tmp_path: Path) -> None:
    assert base.gguf is not None
    with pytest.raises(UsageError, match="only models of the registry"):
        export_gguf(base.gguf, tmp_path / "model.gguf", {"model.layers.99.mlp.down_proj": torch.zeros(1, 1)})
    assert not list(tmp_path.iterdir())
