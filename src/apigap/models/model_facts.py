"""Facts about a model that are known before it is asked: decoding, context window, reasoning, training cutoff."""

from datetime import date

from apigap.models.adapted import IN_PROCESS, spec_of
from apigap.models.backbones import Backbone, find_backbone
from apigap.models.provider_facts import facts_of
from apigap.models.registry import ModelSpec, find_model, model_names
from apigap.models.request import Decoding
from apigap.records.errors import UnknownModel, UsageError

LOCAL = "gguf/"
MOCK = "mockllm/"
BATCH = "batch/"
"""The beginnings of names: models of this machine, made-up answers, and answers that come through a folder."""
UNKNOWN_TOKENS = 16_384
"""Of an answer of a model that nothing is known about: it may reason, and a trace that is cut leaves no answer."""
_LOADED = ("hf/", "vllm/", "sglang/")
_LOADED_TOKENS = 4_096
"""The same where the weights are mostly loaded here: base models, which never end by themselves, are asked so too."""
_CHARACTERS_PER_TOKEN = 3
"""Fewer than the tokenizers here need on code and English, so that what fits by this fits the window."""


def room_for(window: int | None, max_tokens: int) -> int | None:
    """The most characters of a prompt in a `window` of tokens, beside an answer of `max_tokens`."""
    return None if window is None else max(0, (window - max_tokens) * _CHARACTERS_PER_TOKEN)


def most_tokens(characters: int) -> int:
    """The most tokens that a text of so many characters has, by the same measure."""
    return -(-characters // _CHARACTERS_PER_TOKEN)


def window_of(model: str) -> int | None:
    """The most tokens of prompt and answer together; None where that is not known."""
    known = _known(model)
    return known.context if known else None


def decoding_of(model: str) -> Decoding:
    """The decoding that `model` has by default: from its YAML file for a local one and a backbone.

    Of another one an answer may have as many tokens as a trace needs, or as its provider allows where that is less.
    """
    known = _known(model)
    if known:
        return known.decoding
    told = facts_of(model)
    most = told.most if told and told.most else UNKNOWN_TOKENS
    return Decoding(max_tokens=_LOADED_TOKENS if model.startswith(_LOADED) else min(most, UNKNOWN_TOKENS))


def decoding_within(model: str, max_tokens: int | None) -> Decoding:
    """The decoding of `model` for answers of `max_tokens`, or of its own length; a trace keeps its own budget."""
    own = decoding_of(model)
    if max_tokens is None or (reasons(model) and max_tokens < own.max_tokens):
        return own
    return own.model_copy(update={"max_tokens": max_tokens})


def tokens_for(model: str, answer: int, told: int | None = None) -> int:
    """The most tokens for an answer that needs `answer`: as many, but room for a trace where the model may write one.

    A model that nothing is known about may; `told` (the setting `generation.max_tokens`) is its room where it is given.
    """
    own = decoding_of(model).max_tokens
    if reasons(model):
        return max(answer, own)
    may_reason = _known(model) is None and not model.startswith(MOCK)
    return max(answer, told or own) if may_reason else answer


def reasons(model: str) -> bool:
    """True of a model known to write a trace before its answer, whose opening its template has already."""
    known = _known(model)
    return known is not None and known.reasoning


def scores_options(model: str) -> bool:
    """True of a model that tells how likely a given text is: a local one that writes no trace first.

    The others are asked for the letter of an option (`models/options/letters.py`).
    """
    return model.startswith(LOCAL) and not reasons(model)


def cutoff_of(model: str | None, explicit: date | None = None) -> date:
    """The training cutoff that was `explicit`, or the one in the description of a local model or a backbone.

    Of a provider's model it is the day of its release, by Inspect's tables: it cannot have seen what came after it.

    Raises:
        UsageError: when it is not known.
    """
    name = (model or "").removeprefix(LOCAL)
    backbone = find_backbone(name)
    is_local = name in model_names() or name.endswith(".gguf")
    found = explicit or (find_model(name).cutoff if is_local else backbone.cutoff if backbone else None)
    if found is None and model and (told := facts_of(model)):
        found = told.released
    if found is None:
        raise UsageError(
            f"{'the training cutoff of ' + model if model else 'no model is named, and its training cutoff'} is not "
            "known, so the old version cannot be chosen; give it with --old VERSION, or the cutoff with "
            f"--cutoff YYYY-MM-DD{_no_such_local(model)}"
        )
    return found


def _no_such_local(model: str | None) -> str:
    """Words to add for a local model's name that nothing has, else none."""
    try:
        if model and model.startswith(LOCAL):
            find_model(model.removeprefix(LOCAL))
    except UnknownModel as error:
        return f"; {error}"
    return ""


def _known(model: str) -> ModelSpec | Backbone | None:
    """The registry's word on a model that runs on this machine, else the description of a backbone."""
    if model.startswith(LOCAL):
        return find_model(model.removeprefix(LOCAL))
    return spec_of(model) if model.startswith(IN_PROCESS) else find_backbone(model)
