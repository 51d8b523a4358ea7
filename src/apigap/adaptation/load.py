"""Models as PyTorch modules: from the hub, a folder, or a GGUF file of the registry, dequantised."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from apigap.adaptation.settings import Precision
from apigap.models.adapted import IN_PROCESS, base_of
from apigap.models.download import ensure_model
from apigap.records.errors import ModelUnavailable

THREADS = 2


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode, its tokenizer, and its GGUF file where it comes from one."""

    model: nn.Module
    tokenizer: Any
    gguf: Path | None


def load(name: str, precision: Precision = "float32", threads: int = THREADS) -> Loaded:
    """The untaught weights behind `name`: `gguf/NAME`, `transformers/NAME`, a folder, or a name on the hub.

    Raises:
        ModelUnavailable: when there are none, or they cannot be read.
    """
    import transformers
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    torch.set_num_threads(threads)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    base = base_of(name.removeprefix(IN_PROCESS))
    gguf = ensure_model(base.removeprefix("gguf/")) if base.startswith("gguf/") else None
    where, given = (str(gguf.parent), {"gguf_file": gguf.name}) if gguf else (base, {})
    loader: Any = AutoModelForCausalLM
    reader: Any = AutoTokenizer
    try:
        tokenizer: Any = reader.from_pretrained(where, **given)
        model: Any = loader.from_pretrained(where, dtype=getattr(torch, precision), **given)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise ModelUnavailable(
            f"transformers {transformers.__version__} cannot load {base} ({error}); give a folder with config.json and "
            "weights, a name on the hub, or a model of the registry (gguf/NAME)"
        ) from error
    model.eval()
    model.requires_grad_(False)
    return Loaded(model, tokenizer, gguf)
