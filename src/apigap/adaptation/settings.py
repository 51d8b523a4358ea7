"""Settings of each method: the published values as defaults, and the preset `cpu` for small models on a processor.

The defaults are those of NovelAPIBench (arXiv:2606.03657) where it says what it took, else of the method's own paper.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, cast

from pydantic import Field, ValidationError, field_validator, model_validator

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean
from apigap.records.parsing.faults import first_fault
from apigap.records.yaml_settings.layers import plain_settings

Precision = Literal["float32", "bfloat16"]
TuningPrecision = Literal["float32", "bfloat16", "mixed"]
Subject = Literal["description", "api"]


class TuningSettings(Record):
    """LoRA (Hu et al. 2021, arXiv:2106.09685) on every linear layer but the head, or all weights with `full`.

    `batch` examples at a time, `accumulation` of them per step. With `whole_program` an answer is the whole reference,
    as published; otherwise the lines that the prompt asks for. `save_steps` are the steps between checkpoints.
    With `mixed` the weights are in single precision and products in bfloat16 (torch.autocast); that is the default with
    `full`, where a weight in bfloat16 would stay as it is under most steps, which are smaller than its last digit.
    """

    full: bool = False
    whole_program: bool = False
    rank: int = Field(default=64, ge=1)
    alpha: int = Field(default=128, ge=1)
    dropout: float = Field(default=0.05, ge=0, lt=1)
    learning_rate: float = Field(default=2e-5, gt=0)
    warmup: float = Field(default=0.05, ge=0, lt=1)
    epochs: int = Field(default=3, ge=1)
    batch: int = Field(default=1, ge=1)
    accumulation: int = Field(default=16, ge=1)
    max_length: int = Field(default=2048, ge=16)
    precision: TuningPrecision = "bfloat16"
    recompute: bool = True
    save_steps: int = Field(default=10, ge=1)
    seed: int = 42

    @model_validator(mode="before")
    @classmethod
    def _masters(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and cast(Mapping[str, Any], value).get("full") is True:
            return {"precision": "mixed", **cast(Mapping[str, Any], value)}
        return cast(Any, value)

    @model_validator(mode="after")
    def _moving(self) -> Self:
        if self.full and self.precision == "bfloat16":
            raise UsageError("full=true does not move weights in bfloat16; use --set precision=mixed, or float32")
        return self


class SftSettings(TuningSettings):
    """Supervised tuning on a condition's prompts."""


class RaftSettings(TuningSettings):
    """RAFT (Zhang et al. 2024, arXiv:2403.10131): the own bundle among `distractors`, or (`withheld`) without."""

    max_length: int = Field(default=16_384, ge=16)
    distractors: int = Field(default=2, ge=1)
    withheld: float = Field(default=0.2, ge=0, le=1)


class HeldTuningSettings(TuningSettings):
    """LoRA in the null space, as the second release of NovelAPIBench has it."""

    alpha: int = Field(default=32, ge=1)
    dropout: float = Field(default=0.1, ge=0, lt=1)
    learning_rate: float = Field(default=1e-4, gt=0)


class MemitSettings(Record):
    """MEMIT (Meng et al. 2022, arXiv:2210.07229).

    `layers` are those that are edited (default: by the model's depth), `steps`, `learning_rate`, `clamp`, `kl`,
    `decay` and `stop_loss` those of the value that is sought, `covariance_weight` is lambda of equation 15 and
    `tokens` what the covariance is estimated from. `subject` is where a fact is written: at the end of the task's
    description in the prompt that is asked, or of the API's name in a prompt that has it, as published.
    """

    layers: tuple[int, ...] = ()
    steps: int = Field(default=25, ge=1)
    learning_rate: float = Field(default=0.5, gt=0)
    clamp: float = Field(default=0.75, gt=0)
    kl: float = Field(default=0.0625, ge=0)
    decay: float = Field(default=0.5, ge=0)
    stop_loss: float = Field(default=0.05, ge=0)
    contexts: int = Field(default=5, ge=0, le=5)
    covariance_weight: float = Field(default=15_000, gt=0)
    tokens: int = Field(default=2_000_000, ge=1)
    subject: Subject = "description"
    precision: Precision = "float32"
    seed: int = 42


class AlphaEditSettings(MemitSettings):
    """AlphaEdit (Fang et al. 2024, arXiv:2410.02355): `threshold` on eigenvalues, `ridge` times the identity.

    `group` facts are edited at a time, one group after the other. With `lora` the weights are tuned instead, as
    `tuning` says, with their input side held in the null space, as in the second release of NovelAPIBench. What both
    have in one sense, `seed` and `precision`, is then taken from here where it is set; see `tuning_of`.
    """

    threshold: float = Field(default=2e-2, gt=0)
    ridge: float = Field(default=1.0, gt=0)
    group: int = Field(default=100, ge=1)
    lora: bool = False
    tuning: HeldTuningSettings = HeldTuningSettings()

    @field_validator("tuning")
    @classmethod
    def _low_rank(cls, value: HeldTuningSettings) -> HeldTuningSettings:
        if value.full:
            raise UsageError("tuning.full=true has no null space to hold; leave it out, or tune with: apigap adapt sft")
        return value


class GraceSettings(Record):
    """GRACE (Hartvigsen et al. 2023, arXiv:2211.11031): a codebook's place, its first radius, how values are sought.

    `module` is what the codebook stands in for: the MLP's up projection (published) or the whole MLP. `keys` says which
    tokens are remembered: the last of the prompt alone (published), or that and each of the answer.
    """

    layer: int | None = None
    module: Literal["up", "mlp"] = "up"
    keys: Literal["prompt", "answer"] = "prompt"
    radius: float = Field(default=1.0, gt=0)
    learning_rate: float = Field(default=1.0, gt=0)
    steps: int = Field(default=100, ge=1)
    stop_loss: float = Field(default=0.01, ge=0)
    max_length: int = Field(default=4096, ge=16)
    precision: Precision = "float32"
    seed: int = 42


MethodSettings = SftSettings | RaftSettings | MemitSettings | AlphaEditSettings | GraceSettings
Method = Literal["sft", "raft", "memit", "alphaedit", "grace"]
KINDS: Mapping[Method, type[MethodSettings]] = {
    "sft": SftSettings,
    "raft": RaftSettings,
    "memit": MemitSettings,
    "alphaedit": AlphaEditSettings,
    "grace": GraceSettings,
}
# Forty tasks are few: in 30 steps of four examples smollm2-135m learns none of them by heart, in 200 of one half.
_SMALL_TUNING: dict[str, Any] = {
    "rank": 16, "alpha": 32, "dropout": 0.0, "learning_rate": 1e-3, "epochs": 5, "accumulation": 1, "max_length": 1024,
    "precision": "float32", "recompute": False,
}  # fmt: skip
# Two bundles and an answer of the starter benchmark come to 2,800 tokens of smollm2-135m, and memory to their square.
# The published covariance weight holds an edit back in a small model, whose keys are shorter.
CPU: Mapping[Method, dict[str, Any]] = {
    "sft": _SMALL_TUNING,
    "raft": {**_SMALL_TUNING, "max_length": 4096, "recompute": True, "distractors": 1},
    "memit": {"tokens": 20_000, "contexts": 2, "covariance_weight": 150},
    "alphaedit": {"tokens": 20_000, "contexts": 2, "tuning": _SMALL_TUNING},
    "grace": {"module": "mlp", "keys": "answer", "max_length": 1024},
}
PRESETS = ("published", "cpu")


def tuning_of(s: MethodSettings) -> TuningSettings | None:
    """The tuning settings of a method; None where it edits."""
    if isinstance(s, TuningSettings):
        return s
    if isinstance(s, AlphaEditSettings) and s.lora:
        own = {name: getattr(s, name) for name in ("seed", "precision") if name in s.model_fields_set}
        return s.tuning.model_copy(update=own)
    return None


def settings_for(method: Method, preset: str = "published", overrides: Sequence[str] = ()) -> MethodSettings:
    """The settings of a method under a preset, with `key=value` over them.

    Raises:
        UsageError: for an unknown preset, key or value, naming it.
    """
    if preset not in PRESETS:
        raise UsageError(f"no preset is named {preset!r}; they are {', '.join(PRESETS)}")
    plain = plain_settings([(preset, CPU[method] if preset == "cpu" else {})], overrides, example="seed=1")
    try:
        return KINDS[method].model_validate(plain)
    except ValidationError as error:
        fault = first_fault(error)
        if fault.unknown:
            known = KINDS[method].model_fields
            hint = did_you_mean(fault.where, known, f"it has {', '.join(known)}")
            raise UsageError(f"{method} has no setting {fault.where}; {hint}") from error
        raise UsageError(f"setting {fault.where} = {fault.value!r} of {method}: {fault.words}") from error
