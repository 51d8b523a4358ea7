"""SFT and RAFT: TRL's trainer over PEFT's LoRA, resumable; what was learnt comes out as an `Edit`."""

import json
import shutil
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from apigap.adaptation.chat_tokens import Tokens
from apigap.adaptation.disk_errors import disk_errors
from apigap.adaptation.editing.closed_form import LowRank
from apigap.adaptation.editing.edit import Edit
from apigap.adaptation.editing.finite import require_finite_loss
from apigap.adaptation.loading import Loaded
from apigap.adaptation.settings import TuningSettings
from apigap.records.errors import InfrastructureError, UsageError

Advance = Callable[[int, int], None]
_IGNORED = -100


@dataclass
class Tuned:
    """`losses` are (step, mean loss since the step before); `edit` is None where all weights were tuned."""

    edit: Edit | None
    losses: list[tuple[int, float]] = field(default_factory=lambda: list[tuple[int, float]]())


@dataclass(frozen=True)
class NullSpace:
    """LoRA on `modules` alone (names), the input side of each held in a subspace by its projector [inputs, inputs].

    A <- A P before the first step and after each: the LoRA form of AlphaEdit in NovelAPIBench's second release.
    `origin` says what the projectors were made of, and goes into the edit.
    """

    projectors: Mapping[str, Tensor]
    origin: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())


def labels_of(tokens: Tokens) -> list[int]:
    """Labels for the loss: the answer's tokens, its end included, and none of the prompt's."""
    return [_IGNORED] * tokens.answer + list(tokens.ids[tokens.answer :])


def tune(
    loaded: Loaded,
    data: Sequence[Tokens],
    s: TuningSettings,
    folder: Path,
    advance: Advance,
    null_space: NullSpace | None = None,
) -> Tuned:
    """Tune on `data`, with checkpoints in `folder`, from which the same call goes on.

    The model is left as it was, unless all its weights are tuned (`full`).

    Raises:
        UsageError: when there is nothing to learn from, or the loss is no number.
        InfrastructureError: when a checkpoint cannot be written.
    """
    if not data:
        raise UsageError("there is nothing to learn from: the split has no example; give more tasks")
    from transformers import PrinterCallback

    tuned = Tuned(None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # TRL's and PEFT's own use of transformers
        model: Any = loaded.model.requires_grad_(True) if s.full else _with_lora(loaded.model, s, null_space)
        trainer = _trainer(model, loaded.tokenizer, data, s, folder)
        trainer.remove_callback(PrinterCallback)
        trainer.add_callback(_watcher(tuned, advance))
        if null_space is not None:
            trainer.add_callback(_projection_callback(model, null_space))
        _train(trainer, folder)
    model.eval()
    if s.full:
        loaded.model.requires_grad_(False)
        return tuned
    tuned.edit = Edit(lora_edit(model).updates, null_space.origin if null_space else {})
    model.unload()
    loaded.model.requires_grad_(False)
    return tuned


def _train(trainer: Any, folder: Path) -> None:
    try:
        with disk_errors(folder):
            trainer.train(resume_from_checkpoint=last_checkpoint(folder))
    except InfrastructureError:
        last_checkpoint(folder)  # half of one takes up the space that is missing
        raise


def last_checkpoint(folder: Path) -> str | None:
    """The last whole checkpoint; those without the trainer's state, which is written last, are removed."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.partition("-")[2]), reverse=True)
    for path in found:
        try:
            json.loads((path / "trainer_state.json").read_bytes())
        except (OSError, ValueError):
            shutil.rmtree(path, ignore_errors=True)
        else:
            return str(path)
    return None


def lora_edit(model: Any) -> Edit:
    """The updates that LoRA adds to each module: (alpha / r) B A, Hu et al. 2021 (arXiv:2106.09685), section 4.1."""
    updates: dict[str, LowRank] = {}
    for name, module in model.base_model.model.named_modules():
        if hasattr(module, "lora_A") and "default" in module.lora_A:
            left = module.lora_B["default"].weight.detach().float() * module.scaling["default"]
            updates[name] = LowRank(left.clone(), module.lora_A["default"].weight.detach().float().clone())
    return Edit(updates)


def _with_lora(model: nn.Module, s: TuningSettings, null_space: NullSpace | None) -> Any:
    import peft
    from transformers import set_seed

    set_seed(s.seed)  # the first values of A
    config = peft.LoraConfig(
        r=s.rank, lora_alpha=s.alpha, lora_dropout=s.dropout, task_type="CAUSAL_LM", bias="none",
        target_modules=list(null_space.projectors) if null_space else "all-linear",
    )  # fmt: skip
    made: Any = peft.get_peft_model(model, config)  # pyright: ignore[reportUnknownMemberType, reportArgumentType]
    return made


def _trainer(model: Any, tokenizer: Any, data: Sequence[Tokens], s: TuningSettings, folder: Path) -> Any:
    trl: Any = import_module("trl")  # its names are loaded late
    from datasets import Dataset  # pyright: ignore[reportMissingTypeStubs]
    from datasets.utils.logging import disable_progress_bar  # pyright: ignore[reportMissingTypeStubs]

    disable_progress_bar()
    rows = [{"input_ids": list(tokens.ids), "labels": labels_of(tokens)} for tokens in data]
    steps = -(-len(data) // (s.batch * s.accumulation)) * s.epochs
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    given: dict[str, Any] = {
        "output_dir": str(folder), "num_train_epochs": s.epochs, "learning_rate": s.learning_rate,
        "per_device_train_batch_size": s.batch, "gradient_accumulation_steps": s.accumulation,
        "lr_scheduler_type": "cosine", "warmup_steps": round(s.warmup * steps), "max_length": None,
        "packing": False, "seed": s.seed,
        "data_seed": s.seed, "use_cpu": True, "bf16": s.precision == "mixed", "activation_checkpointing": s.recompute,
        "save_strategy": "steps", "save_steps": s.save_steps, "save_total_limit": 1, "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "report_to": "none", "disable_tqdm": True, "dataloader_pin_memory": False, "weight_decay": 0.0,
    }  # fmt: skip
    arguments = trl.SFTConfig(**given)
    dataset: Any = Dataset.from_list(rows)  # pyright: ignore[reportUnknownMemberType]
    return trl.SFTTrainer(model=model, args=arguments, train_dataset=dataset, processing_class=tokenizer)


def _watcher(tuned: Tuned, advance: Advance) -> Any:
    from transformers import TrainerCallback

    class Watcher(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            advance(int(state.global_step), int(state.max_steps))

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if "loss" in (logs or {}):
                require_finite_loss("the tuning", float(logs["loss"]), int(state.global_step))

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            tuned.losses = [(int(row["step"]), float(row["loss"])) for row in state.log_history if "loss" in row]

    return Watcher()


def _projection_callback(model: Any, null_space: NullSpace) -> Any:
    import torch
    from transformers import TrainerCallback

    modules = {name: model.base_model.model.get_submodule(name) for name in null_space.projectors}

    def project() -> None:
        with torch.no_grad():
            for name, module in modules.items():
                weight = module.lora_A["default"].weight
                weight.copy_(weight @ null_space.projectors[name].to(weight.dtype))

    class Holder(TrainerCallback):
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            project()

        def on_optimizer_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            project()

    return Holder()
