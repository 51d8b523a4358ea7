"""Tuning: what the loss is on, that it falls, and that nothing of it stays when it is taken off."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from safetensors import SafetensorError  # noqa: E402

from apigap.adaptation.chat_tokens import prompt_text, tokenised  # noqa: E402
from apigap.adaptation.disk_errors import disk_errors  # noqa: E402
from apigap.adaptation.editing.closed_form import null_space_projector  # noqa: E402
from apigap.adaptation.editing.edit import Applied  # noqa: E402
from apigap.adaptation.editing.facts import ANY, Window  # noqa: E402
from apigap.adaptation.examples import Example  # noqa: E402
from apigap.adaptation.loading import Loaded  # noqa: E402
from apigap.adaptation.settings import TuningSettings  # noqa: E402
from apigap.adaptation.tune import NullSpace, Tuned, labels_of, last_checkpoint, lora_edit, tune  # noqa: E402
from apigap.models.request import Message  # noqa: E402
from apigap.records.errors import InfrastructureError, UsageError  # noqa: E402
from tests.adaptation.tiny import FAMILIES, tiny_model, tiny_tokenizer  # noqa: E402

S = TuningSettings(
    rank=4, alpha=8, dropout=0.0, learning_rate=1e-2, epochs=6, accumulation=2, max_length=512, precision="float32",
    recompute=False, save_steps=2,
)  # fmt: skip


def example(number: int) -> Example:
    asked = Message(role="user", content=f"Task {number}: use the new thing.")
    wanted = Message(role="assistant", content=f"```python\nresult = new_{number}(x)\n```")
    return Example(task_id=f"t{number}", api_name=f"lib.new_{number}", messages=(asked, wanted))


def data(tokenizer: Any, count: int = 4) -> list[Any]:
    return [tokenised(tokenizer, example(number), ANY) for number in range(count)]


def run(family: str, folder: Path, settings: TuningSettings = S, null: NullSpace | None = None) -> tuple[Any, Tuned]:
    model, tokenizer = tiny_model(family), tiny_tokenizer()
    return model, tune(Loaded(model, tokenizer, None), data(tokenizer), settings, folder, lambda *_: None, null)


def test_the_loss_is_on_the_answer_alone(tokenizer: Any) -> None:
    (tokens,) = data(tokenizer, 1)
    labels = labels_of(tokens)
    learnt = [number for number in labels if number != -100]
    assert tokenizer.decode(learnt) == "```python\nresult = new_0(x)\n```<end>"
    assert tokenizer.decode([i for i, label in zip(tokens.ids, labels, strict=True) if label == -100]) == (
        "<user>Task 0: use the new thing.<end><assistant>"
    )


@pytest.mark.parametrize(("family", "precision"), [*((family, "float32") for family in FAMILIES), ("qwen2", "mixed")])
def test_lora_lowers_the_loss_and_comes_off_bit_by_bit(family: str, precision: str, tmp_path: Path) -> None:
    model, tuned = run(family, tmp_path, S.model_copy(update={"precision": precision}))
    fresh = tiny_model(family)
    ids = torch.tensor([data(tiny_tokenizer())[0].ids])
    assert tuned.losses[-1][1] < 0.8 * tuned.losses[0][1], tuned.losses
    assert [step for step, _ in tuned.losses] == list(range(1, 13))
    assert all(torch.equal(value, fresh.state_dict()[name]) for name, value in model.state_dict().items())
    assert tuned.edit is not None
    plain = model(input_ids=ids).logits
    with Applied(model, tuned.edit):
        assert not torch.allclose(model(input_ids=ids).logits, plain, atol=1e-2)
    assert torch.equal(model(input_ids=ids).logits, plain)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_edit_is_what_the_adapter_was(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = torch.tensor([data(tiny_tokenizer())[0].ids])
    with_codebook: list[Any] = []

    def exported(model: Any) -> Any:
        with torch.no_grad():
            with_codebook.append(model(input_ids=ids).logits)
        return lora_edit(model)

    monkeypatch.setattr("apigap.adaptation.tune.lora_edit", exported)
    _, tuned = run(family, tmp_path)
    assert tuned.edit is not None
    base = tiny_model(family)
    plain = base(input_ids=ids).logits
    with Applied(base, tuned.edit):
        found = base(input_ids=ids).logits
    (adapter,) = with_codebook
    assert not torch.allclose(adapter, plain, atol=1e-2)
    assert torch.allclose(adapter, found, rtol=0, atol=1e-5), (adapter - found).abs().max()


class Stop(Exception):
    pass


def test_tuning_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    _, whole = run("llama", tmp_path / "whole")

    def ended(done: int, _: int) -> None:
        if done == 5:
            raise Stop

    model, tokenizer = tiny_model("llama"), tiny_tokenizer()
    with pytest.raises(Stop):
        tune(Loaded(model, tokenizer, None), data(tokenizer), S, tmp_path / "parts", ended)
    seen: list[int] = []
    again = tiny_model("llama")
    rest = tune(
        Loaded(again, tokenizer, None), data(tokenizer), S, tmp_path / "parts", lambda done, _: seen.append(done)
    )
    assert seen == list(range(5, 13))  # the checkpoint of step 4 was there
    assert [step for step, _ in rest.losses] == list(range(1, 13))
    assert whole.edit is not None
    assert rest.edit is not None
    for name, update in whole.edit.updates.items():
        assert torch.allclose(update.dense(), rest.edit.updates[name].dense(), atol=1e-5), name


def test_all_weights_can_be_tuned(tmp_path: Path) -> None:
    model, tuned = run("llama", tmp_path, S.model_copy(update={"full": True, "learning_rate": 1e-3}))
    assert tuned.edit is None
    assert tuned.losses[-1][1] < 0.8 * tuned.losses[0][1], tuned.losses
    assert not torch.equal(model.lm_head.weight, tiny_model("llama").lm_head.weight)


def test_lora_in_the_null_space_leaves_preserved_keys_alone(tmp_path: Path) -> None:
    keys = torch.randn(48, 20, generator=torch.Generator().manual_seed(1)).double()
    name = "model.layers.1.mlp.down_proj"
    null_space = NullSpace({name: null_space_projector(keys @ keys.T, 1e-6)})
    _, tuned = run("llama", tmp_path, null=null_space)
    assert tuned.edit is not None
    assert set(tuned.edit.updates) == {name}
    change = tuned.edit.updates[name].dense()
    assert change.norm() > 1e-2
    assert (change.double() @ keys).abs().max() < 1e-4 * change.norm()


def test_nothing_to_learn_from_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        tune(Loaded(tiny_model("llama"), tiny_tokenizer(), None), [], S, tmp_path, lambda *_: None)


def test_an_example_longer_than_the_window_is_told(tokenizer: Any) -> None:
    with pytest.raises(UsageError, match="max_length is 20; raise it with --set max_length=N"):
        tokenised(tokenizer, example(0), Window(20, "max_length"))


def test_a_tokenizer_without_chat_template_is_told(tokenizer: Any) -> None:
    tokenizer.chat_template = None
    with pytest.raises(UsageError, match="choose an instruct model"):
        tokenised(tokenizer, example(0), ANY)


def test_a_conversation_that_the_template_refuses_is_told(tokenizer: Any) -> None:
    tokenizer.chat_template = "{{ raise_exception('System role not supported') }}"
    with pytest.raises(UsageError, match=r"\(system, user\): System role not supported; choose a model whose template"):
        prompt_text(tokenizer, [Message(role="system", content="Be brief."), Message(role="user", content="Hello.")])


def test_a_loss_that_is_no_number_ends_the_tuning(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the tuning: the loss came to nan at step .* smaller learning_rate"):
        run("llama", tmp_path, S.model_copy(update={"learning_rate": 1e30}))


def test_a_half_written_checkpoint_is_left_out(tmp_path: Path) -> None:
    assert last_checkpoint(tmp_path / "nothing") is None
    for step, state in ((9, '{"global_step": 9}'), (10, '{"global_'), (100, None)):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if state is not None:
            (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text(state)
    assert last_checkpoint(tmp_path) == str(tmp_path / "checkpoint-9")
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-9"]


FULL = [
    ("peft.peft_model.safe_save_file", SafetensorError("I/O error: No space left on device (os error 28)")),
    ("torch.save", RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 576 vs 534")),
]


@pytest.mark.parametrize(("writer", "error"), FULL, ids=["safetensors", "torch"])
def test_a_full_disk_is_told_and_half_a_checkpoint_removed(
    writer: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(writer, full)
    with pytest.raises(InfrastructureError, match="free some space and run the same command again"):
        run("llama", tmp_path)
    assert not list(tmp_path.glob("checkpoint-*"))


def test_other_errors_of_torch_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot be multiplied"), disk_errors(tmp_path / "file", tmp_path):
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")
    assert tmp_path.is_dir()
