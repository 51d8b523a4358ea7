"""`python -m bench.options`: what the likelihood of four options costs, in processor time, and what other ways cost.

Sixty functions of the standard library with their parameters in four orders, after a prompt of about 150 tokens of
which 100 are shared. The prompt is read once, as the worker does; then its options are gone through in each way.
`by grammar` writes an option in one request that allows its tokens alone. `read only` has the options read as prompts,
which tells nothing: no way through this engine that takes one option at a time can be faster.
"""

import inspect
import itertools
import json
import os
import secrets
import time
from collections.abc import Iterator
from importlib import import_module
from statistics import mean
from typing import Annotated, Any

import typer

from apigap.models.download import ensure_file
from apigap.models.gguf.servers import Settings
from apigap.models.gguf.worker import load
from apigap.models.options.token_scores import TextService, Tokens, begin_of, score_tokens
from apigap.models.registry import find_model
from apigap.records.base import Json

_MODULES = (
    "statistics", "textwrap", "shutil", "random", "heapq", "bisect", "difflib", "json", "re", "copy", "tempfile",
    "calendar", "csv", "fnmatch", "glob", "subprocess", "string", "ast", "inspect", "locale", "platform", "zipfile",
)  # fmt: skip
_SHARED = (
    "You are asked about functions of Python's standard library. For each, four parameter lists are possible; three of "
    "them name the parameters in a wrong order. Look at the name of the function and at the module that it is in, "
    "think of how it is called in programs that you have read, and write its definition as it stands in the source, "
    "with the defaults of its parameters and without annotations. Write nothing else: no comment, no text.\n\n"
)


def items() -> Iterator[tuple[list[Json], list[str]]]:
    """Messages with a begun definition, and four ways to go on."""
    for name in _MODULES:
        module = import_module(name)
        for function in sorted(vars(module)):
            value = getattr(module, function)
            if function.startswith("_") or not inspect.isfunction(value) or value.__module__ != name:
                continue
            names = list(inspect.signature(value).parameters)
            if 3 <= len(names) <= 6:
                question = (
                    f"{_SHARED}The function is `{name}.{function}`, of the module `{name}`. Write its definition."
                )
                begun = {"role": "assistant", "content": f"```python\ndef {function}("}
                yield [{"role": "user", "content": question}, begun], _options(names)


def _options(names: list[str]) -> list[str]:
    """Three orders that begin alike or not, and the reverse."""
    orders = [*itertools.islice(itertools.permutations(names), 0, 5, 2), names[::-1]]
    return [f"{', '.join([order[0], *(f'{name}=None' for name in order[1:])])}):\n" for order in orders]


class Ways:
    """One model in this process, asked in all ways."""

    def __init__(self, name: str) -> None:
        spec, key = find_model(name), secrets.token_hex()
        self._server = load({"path": str(ensure_file(spec)), **Settings(context=2048).model_dump()}, key)
        self._texts = TextService(self._server.listening_address, key)
        self._spare = self._texts.tokens(".")[-1]

    def tokens(self, messages: list[Json], options: list[str]) -> tuple[int, list[Tokens]]:
        """The number of tokens before the options, and those of prompt and option."""
        text = self._texts.rendered(messages)
        wholes = [self._texts.tokens(text + option) for option in options]
        return begin_of(self._texts.tokens(text), wholes), wholes

    def prompt(self, begin: int, wholes: list[Tokens]) -> None:
        """The shared part is in the slot, but for the first time; the rest of the prompt is read."""
        part = self._texts.tokens(self._texts.rendered([{"role": "user", "content": _SHARED}]))
        before = wholes[0][: begin - 1]
        for tokens in (before[: begin_of(before, [part])], before):
            self._ask({"prompt": list(tokens), "n_predict": 0, "cache_prompt": True})

    def likelihood(self, begin: int, wholes: list[Tokens]) -> list[float]:
        """As apigap does it."""
        return score_tokens(self._ask, wholes, begin, self._spare)

    def by_grammar(self, begin: int, wholes: list[Tokens]) -> list[float]:
        """An option in one request, of which a grammar allows its tokens alone."""
        return [self._written(whole, begin) for whole in wholes]

    def read_only(self, begin: int, wholes: list[Tokens]) -> list[float]:
        """The options read as prompts, after the prompt, which is in the slot."""
        for whole in wholes:
            self._ask({"prompt": list(whole), "n_predict": 0, "cache_prompt": True})
        return []

    def _written(self, whole: Tokens, begin: int) -> float:
        grammar = "root ::= " + " ".join(f"<[{token}]>" for token in whole[begin:])
        asked = {"prompt": list(whole[:begin]), "n_predict": len(whole) - begin, "n_probs": 1, "grammar": grammar}
        fixed = {"temperature": 0.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "cache_prompt": True}
        return sum(place["logprob"] for place in self._ask({**asked, **fixed})["choices"][0]["logprobs"]["content"])

    def _ask(self, request: dict[str, Json]) -> Json:
        return self._server.handle_completions(request)


def run(
    model: Annotated[str, typer.Option(help="A local model, by its name in the registry.")] = "qwen2.5-coder-0.5b",
    count: Annotated[int, typer.Option(min=1, help="How many items.")] = 60,
) -> None:
    """Print the processor seconds of an item in each way, and how far the ways' scores are apart."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # llama.cpp logs to both
    os.dup2(1, 2)
    ways = Ways(model)
    seconds: dict[str, list[float]] = {}
    apart: list[float] = []
    lengths: list[tuple[int, float]] = []
    for messages, options in itertools.islice(items(), count):
        begin, wholes = ways.tokens(messages, options)
        lengths.append((begin, mean(len(whole) - begin for whole in wholes)))
        found: dict[str, Any] = {}
        for way in (ways.prompt, ways.likelihood, ways.by_grammar, ways.read_only):
            began = time.process_time()
            found[way.__name__] = way(begin, wholes)
            seconds.setdefault(way.__name__, []).append(time.process_time() - began)
        both = zip(found["likelihood"], found["by_grammar"], wholes, strict=True)
        apart += [abs(one - other) / (len(whole) - begin) for one, other, whole in both]
    once = {name: mean(values[1:] or values) for name, values in seconds.items()}  # the first reads the shared part
    summary = {
        "items": len(lengths),
        "tokens of a prompt": mean(prompt for prompt, _ in lengths),
        "tokens of an option": mean(option for _, option in lengths),
        "processor seconds of an item": {name: round(value, 3) for name, value in once.items()},
        "items a minute of one core": round(60 / (once["prompt"] + once["likelihood"]), 1),
        "largest difference of ways, per token": max(apart),
    }
    print(json.dumps(summary, indent=2), file=out, flush=True)


if __name__ == "__main__":
    typer.run(run)
