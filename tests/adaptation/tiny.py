"""Tiny models with random weights, in the shapes of the families, and a tokenizer with a chat template."""

from pathlib import Path
from typing import Any

import torch

from apigap.adaptation.editing.facts import Rows

FAMILIES = ("llama", "qwen2", "gpt2")
VOCABULARY = 300
TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}<end>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def tiny_tokenizer() -> Any:
    """A token per byte, and words of its own for the chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    special = ["<end>", "<user>", "<assistant>", "<system>"]
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<end>", pad_token="<end>")
    tokenizer.add_special_tokens({"additional_special_tokens": special[1:]})
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def tiny_model(family: str, seed: int = 0, layers: int = 3, window: int = 4096) -> Any:
    """Random weights, large enough that layers matter."""
    import transformers

    torch.manual_seed(seed)
    shape = {"vocab_size": VOCABULARY, "initializer_range": 0.2}
    if family == "gpt2":
        config = transformers.GPT2Config(
            n_embd=32, n_layer=layers, n_head=4, n_positions=window, bos_token_id=0, eos_token_id=256, **shape
        )
        config.attn_pdrop = config.embd_pdrop = config.resid_pdrop = 0.0
    else:
        kind = {"llama": transformers.LlamaConfig, "qwen2": transformers.Qwen2Config}[family]
        config = kind(
            hidden_size=32, intermediate_size=48, num_hidden_layers=layers, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=window, tie_word_embeddings=False, **shape,
        )  # fmt: skip
    return transformers.AutoModelForCausalLM.from_config(config).eval().requires_grad_(False)


def answer_losses(model: Any, rows: Rows) -> torch.Tensor:
    """The mean negative log-likelihood of each row's answer, [n], each row read as a whole."""
    logs = model(input_ids=rows.ids, attention_mask=rows.mask, use_cache=False).logits[:, :-1].log_softmax(-1)
    picked, wanted = logs.gather(-1, rows.ids[:, 1:, None]).squeeze(-1), rows.answers[:, 1:]
    return -(picked * wanted).sum(-1) / wanted.sum(-1)


def tiny_gguf(path: Path, model: Any) -> None:
    """The weights of a llama-shaped model's down projections as a GGUF file, in single precision."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    layers = len(model.model.layers)
    writer.add_block_count(layers)
    for layer in range(layers):
        weight = model.model.layers[layer].mlp.down_proj.weight.detach().float().numpy()
        writer.add_tensor(f"blk.{layer}.ffn_down.weight", weight)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
