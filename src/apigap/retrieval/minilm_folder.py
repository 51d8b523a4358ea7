"""all-MiniLM-L6-v2 in the form that sentence-transformers loads: the fetched weights, and what they are told by."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from apigap.records.base import Json
from apigap.records.paths import cache_home, exclusive
from apigap.records.store import write_text
from apigap.retrieval.minilm import MODEL, MOST_TOKENS
from apigap.retrieval.weights import ensure_files

_KINDS = "sentence_transformers.models"
_PARTS: tuple[tuple[str, str], ...] = (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
_FILES: dict[str, Json] = {
    "config.json": {
        "architectures": ["BertModel"], "model_type": "bert", "vocab_size": 30522, "hidden_size": 384,
        "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, "max_position_embeddings": 512,
        "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0,
    },
    "tokenizer_config.json": {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 512, "unk_token": "[UNK]",
        "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]",
    },
    "sentence_bert_config.json": {"max_seq_length": MOST_TOKENS, "do_lower_case": False},
    "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
    "modules.json": [
        {"idx": number, "name": str(number), "path": path, "type": f"{_KINDS}.{kind}"}
        for number, (path, kind) in enumerate(_PARTS)
    ],
}  # fmt: skip


def minilm_folder(announce: Callable[[str], None] | None = None) -> Path:
    """The folder in the cache, made first where it is missing; the weights are fetched as for `minilm` itself.

    Raises:
        ModelUnavailable: when they cannot be.
    """
    weights = ensure_files(MODEL, announce)
    home = cache_home() / "models" / f"{MODEL.name}-{MODEL.version}-sentence-transformers"
    with exclusive(home.with_name(f"{home.name}.lock")):
        for name in MODEL.files:
            if not (home / name).exists():
                home.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(weights / name, home / f".{name}")
                (home / f".{name}").replace(home / name)
        for name, content in _FILES.items():
            write_text(home / name, json.dumps(content, indent=1) + "\n")
        (home / "2_Normalize").mkdir(exist_ok=True)
    return home
