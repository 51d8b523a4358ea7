"""Models as PyTorch modules: from the hub, a folder, or a GGUF file of the registry, dequantised."""

import contextlib
import io
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import nn

from apigap.adaptation.disk_errors import disk_errors
from apigap.adaptation.settings import TuningPrecision
from apigap.models.adapted import IN_PROCESS, base_of, spec_of
from apigap.models.download import ensure_file
from apigap.models.registry import ModelSpec
from apigap.packages.hub import where_to_look
from apigap.records.errors import ModelUnavailable
from apigap.records.paths import cache_home, exclusive


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode, its tokenizer, and its GGUF file where it comes from one."""

    model: nn.Module
    tokenizer: Any
    gguf: Path | None


def load(name: str, precision: TuningPrecision = "float32") -> Loaded:
    """The untaught weights behind `name`: `gguf/NAME`, `transformers/NAME`, a folder, or a name on the hub.

    Raises:
        ModelUnavailable: when there are none, or they cannot be read.
    """
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    base = base_of(name.removeprefix(IN_PROCESS))
    spec = spec_of(name)
    gguf = ensure_file(spec) if spec else None
    try:
        source, where = (str(_dequantised(gguf, spec)), {}) if gguf and spec else (base, where_to_look(base))
        model, tokenizer = _read(source, torch.bfloat16 if precision == "bfloat16" else torch.float32, **where)
    except (OSError, ValueError, KeyError, ImportError, SafetensorError) as error:
        raise ModelUnavailable(
            f"transformers {transformers.__version__} cannot load {base} ({error}); give a folder with config.json and "
            "weights, a name on the hub, or a model of the registry (gguf/NAME)"
        ) from error
    model.eval()
    model.requires_grad_(False)
    return Loaded(model, tokenizer, gguf)


def _read(source: str, precision: torch.dtype, **options: Any) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    loader: Any = AutoModelForCausalLM
    reader: Any = AutoTokenizer
    return loader.from_pretrained(source, dtype=precision, **options), reader.from_pretrained(source, **options)


def _dequantised(gguf: Path, spec: ModelSpec) -> Path:
    """A GGUF file as a folder in the cache, in single precision, made once: reading the file itself takes a minute.

    Files are told apart by their content: that of every adapted model has the same name.

    Raises:
        InfrastructureError: when there is no room for it.
    """
    name = f"{Path(spec.name).name.removesuffix('.gguf')}-{spec.sha256[:12]}"
    folder = cache_home() / "dequantised" / f"{name}-transformers-{version('transformers')}"
    with exclusive(folder.with_suffix(".lock")):
        if not folder.is_dir():
            temporary = folder.with_name(f".{folder.name}.tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            with contextlib.redirect_stderr(io.StringIO()):  # its bar cannot be switched off
                model, tokenizer = _read(str(gguf.parent), torch.float32, gguf_file=gguf.name)
            model.hf_quantizer = None  # the weights are plain numbers by now
            del model.config.quantization_config
            with disk_errors(folder, temporary):
                model.save_pretrained(temporary)
                tokenizer.save_pretrained(temporary)
                temporary.rename(folder)
    return folder
