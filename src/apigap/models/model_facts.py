"""Facts about a model that are known before it is asked: decoding, context window, reasoning."""

from apigap.models.adapted import IN_PROCESS, spec_of
from apigap.models.backbones import find_backbone
from apigap.models.registry import ModelSpec, find_model
from apigap.models.request import Decoding

_CHARACTERS_PER_TOKEN = 3
"""Fewer than the tokenizers here need on code and English, so that what fits by this fits the window."""


def room_for(window: int | None, max_tokens: int) -> int | None:
    """The most characters of a prompt in a `window` of tokens, beside an answer of `max_tokens`."""
    return None if window is None else max(0, (window - max_tokens) * _CHARACTERS_PER_TOKEN)


def window_of(model: str) -> int | None:
    """The most tokens of prompt and answer together; None where that is not known."""
    spec = _spec(model)
    if spec is not None:
        return spec.context
    backbone = find_backbone(model)
    return backbone.context if backbone else None


LOCAL = "gguf/"


def decoding_of(model: str) -> Decoding:
    """The decoding that `model` has by default: from its YAML file for a local one and a backbone."""
    spec = _spec(model)
    if spec is not None:
        return spec.decoding
    backbone = find_backbone(model)
    return backbone.decoding if backbone else Decoding()


def decoding_within(model: str, max_tokens: int | None) -> Decoding:
    """The decoding of `model` for answers of `max_tokens`, or of its own length; a trace keeps its own budget."""
    own = decoding_of(model)
    if max_tokens is None or (reasons(model) and max_tokens < own.max_tokens):
        return own
    return own.model_copy(update={"max_tokens": max_tokens})


def reasons(model: str) -> bool:
    """True of a model known to write a trace before its answer, whose opening its template has already."""
    spec, backbone = _spec(model), find_backbone(model)
    return bool((spec and spec.reasoning) or (backbone and backbone.reasoning))


def scores_options(model: str) -> bool:
    """True of a model that tells how likely a given text is: a local one that writes no trace first.

    The others are asked for the letter of an option (`models/options/letters.py`).
    """
    return model.startswith(LOCAL) and not reasons(model)


def _spec(model: str) -> ModelSpec | None:
    """The registry's word on a model that runs on this machine."""
    if model.startswith(LOCAL):
        return find_model(model.removeprefix(LOCAL))
    return spec_of(model) if model.startswith(IN_PROCESS) else None
