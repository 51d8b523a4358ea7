"""The likelihood of options against PyTorch: the same weights, and nothing of llama.cpp."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra adapt: make install-adapt")

from apigap.adaptation.gguf_export import export_gguf, linear_weights  # noqa: E402
from apigap.adaptation.loading import load  # noqa: E402
from apigap.models.gguf.servers import ServerPool, Settings, options_request  # noqa: E402
from apigap.models.request import Message  # noqa: E402

SHARED = "Python code of a library is shown, and its next line is to be found.\n\n"
SHAPES = ("start, stop, num=50)", "obj, *, skipkeys=False)", " x)", "*args, **kwargs):\n")
CASES = [
    (SHARED + "Write the signature of numpy.linspace.", "```python\ndef linspace(", SHAPES),
    (SHARED + "Write the signature of json.dumps.", "```python\ndef dumps(", SHAPES),
    (SHARED + "Say hello.", "", ("Hello", "Hello there, friend!", " 世界")),
    ("Go on with the code.", "def f(x):\n    return x", (" + 1\n", "[0]\n", "\n")),
]


def expected(model: Any, tokenizer: Any, question: str, begun: str, options: tuple[str, ...]) -> list[list[float]]:
    """Log-probability and tokens of each option after the tokens that all have in common with the prompt."""
    turns = [{"role": "user", "content": question}]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True) + begun
    prompt, *wholes = (
        tokenizer(one, add_special_tokens=False).input_ids for one in (text, *(text + option for option in options))
    )
    same = [len(set(place)) == 1 for place in zip(prompt, *wholes, strict=False)]
    begin = [*same, False].index(False)
    found = []
    for whole in wholes:
        with torch.no_grad():
            values = torch.log_softmax(model(torch.tensor([whole])).logits[0].double(), dim=-1)
        told = sum(float(values[place - 1, whole[place]]) for place in range(begin, len(whole)))
        found.append([told, len(whole) - begin])
    return found


@pytest.mark.slow
@pytest.mark.model
def test_likelihoods_are_those_of_pytorch(tmp_path: Path) -> None:
    """In half precision. With four-bit weights llama.cpp rounds the inputs of its products to eight bits too, which
    alone moves a token by some hundredths: that is the model that answers, and no error of the score."""
    loaded = load("gguf/smollm2-135m")
    model: Any = loaded.model  # whose parts torch types as either modules or tensors
    weights = {**linear_weights(model), "model.embed_tokens": model.get_input_embeddings().weight}
    halves = {name: weight.detach().half().float() for name, weight in weights.items()}
    base, exported = loaded.gguf, tmp_path / "half.gguf"
    assert base
    export_gguf(base, exported, halves)
    with torch.no_grad():
        for name, weight in halves.items():
            model.get_submodule(name).weight.copy_(weight)
    pool = ServerPool(exported, Settings(context=512), 1)
    for question, begun, options in CASES:
        turns = [Message(role="user", content=question), Message(role="assistant", content=begun)]
        shared = len(SHARED) if question.startswith(SHARED) else 0
        found = pool.ask(options_request(turns, options, shared))["scores"]
        wanted = expected(loaded.model, loaded.tokenizer, question, begun, options)
        assert [tokens for _, tokens in found] == [tokens for _, tokens in wanted]
        for (value, tokens), (true, _) in zip(found, wanted, strict=True):
            assert value == pytest.approx(true, abs=0.01 * tokens)
    pool.close()
