"""The backbones of the published study: one YAML file each in `configs/backbones`, or in $APIGAP_BACKBONES."""

import functools
from datetime import date
from importlib.resources.abc import Traversable

from pydantic import Field

from apigap.models.request import Decoding
from apigap.records.base import Json, Record
from apigap.records.errors import ModelUnavailable
from apigap.records.names import did_you_mean
from apigap.records.yaml_settings.config_files import config_files, read_config

_PROVIDERS = ("hf/", "vllm/")


class Backbone(Record):
    """A model whose weights are on the Hugging Face hub.

    `cutoff` is the date after which it cannot have seen anything. `context` counts tokens of prompt and answer
    together, `max_tokens` those of an answer; of a `reasoning` model its trace counts too.
    """

    name: str
    hub: str
    revision: str
    cutoff: date
    cutoff_source: str
    context: int = Field(gt=0)
    max_tokens: int = Field(gt=0)
    reasoning: bool = False

    @property
    def decoding(self) -> Decoding:
        """Decoding settings; greedy answers of a reasoning model are not cut at their first block."""
        return Decoding(max_tokens=self.max_tokens)

    def model_args(self) -> dict[str, Json]:
        """Arguments of Inspect's provider beside the name."""
        return {"revision": self.revision}


def backbone_names() -> list[str]:
    """The names of all backbones, sorted."""
    return sorted(_backbones())


def find_backbone(model: str) -> Backbone | None:
    """The backbone that `model` means, by its short name or as `hf/...` or `vllm/...`; None for any other model."""
    for backbone in _backbones().values():
        if model == backbone.name or model in {f"{provider}{backbone.hub}" for provider in _PROVIDERS}:
            return backbone
    return None


def provider_name(model: str) -> str:
    """The name that Inspect knows `model` by: `hf/...` for the short name of a backbone, else `model` itself.

    Raises:
        ModelUnavailable: for a name without a provider that is of no backbone; the message has the nearest ones.
    """
    if "/" in model:
        return model
    backbone = find_backbone(model)
    if backbone is not None:
        return f"hf/{backbone.hub}"
    hint = did_you_mean(model, backbone_names(), f"backbones are {', '.join(backbone_names())}")
    ways = "write PROVIDER/MODEL, as gguf/qwen2.5-coder-1.5b, or a backbone's name"
    raise ModelUnavailable(f"{model!r} is not the name of a model; {ways}; {hint}")


def _backbones() -> dict[str, Backbone]:
    return {name: _read(name, file) for name, file in dict(config_files("backbones")).items()}


@functools.lru_cache
def _read(name: str, file: Traversable) -> Backbone:
    return read_config(file, Backbone, "a backbone", name=name)
