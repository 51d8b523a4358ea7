"""`python -m bench.options`: what the likelihood of four options costs, in processor time, and what other ways cost.

Sixty signatures of the standard library with their parameters in four orders, after a prompt of about 150 tokens of
which 100 are shared. The ways take turns at each item. `each by grammar` writes an option in one request that allows
its tokens alone, `each anew` does that and reads the prompt again for every option, `read only` has the options read
and tells nothing: no way can be faster that goes through this engine one option at a time.
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
from apigap.models.gguf import Settings
from apigap.models.gguf_worker import Model, load
from apigap.models.options.token_scores import TextService, Tokens, begin_of
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
    return [f"{', '.join(order)}):\n" for order in orders]


class Ways:
    """One model in this process, asked in all ways."""

    def __init__(self, name: str) -> None:
        spec, key = find_model(name), secrets.token_hex()
        settings = Settings(context=2048)
        self._server = load({"path": str(ensure_file(spec)), **settings.model_dump()}, key)
        self._texts = TextService(self._server.listening_address, key)
        self._model = Model(self._server, self._texts, settings.context)
        self.tokens: list[tuple[int, float]] = []

    def own(self, messages: list[Json], options: list[str]) -> list[float]:
        """As apigap does it."""
        answer = self._model.answer({"messages": messages, "options": options, "shared": len(_SHARED)})
        self.tokens.append((answer["prompt_tokens"], mean(tokens for _, tokens in answer["scores"])))
        return [value for value, _ in answer["scores"]]

    def by_grammar(self, messages: list[Json], options: list[str], anew: bool = False) -> list[float]:
        """An option in one request, of which a grammar allows its tokens alone."""
        begin, wholes = self._tokens(messages, options)
        return [self._written(whole, begin, anew) for whole in wholes]

    def anew(self, messages: list[Json], options: list[str]) -> list[float]:
        """The same without anything kept from one option to the next."""
        return self.by_grammar(messages, options, anew=True)

    def read_only(self, messages: list[Json], options: list[str]) -> list[float]:
        """The options read as prompts."""
        for whole in self._tokens(messages, options)[1]:
            self._server.handle_completions({"prompt": list(whole), "n_predict": 0, "cache_prompt": True})
        return []

    def _tokens(self, messages: list[Json], options: list[str]) -> tuple[int, list[Tokens]]:
        text = self._texts.rendered(messages)
        wholes = [self._texts.tokens(text + option) for option in options]
        return begin_of(self._texts.tokens(text), wholes), wholes

    def _written(self, whole: Tokens, begin: int, anew: bool) -> float:
        grammar = "root ::= " + " ".join(f"<[{token}]>" for token in whole[begin:])
        asked = {"prompt": list(whole[:begin]), "n_predict": len(whole) - begin, "n_probs": 1, "grammar": grammar}
        fixed = {"temperature": 0.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "cache_prompt": not anew}
        answer: Any = self._server.handle_completions({**asked, **fixed})
        return sum(place["logprob"] for place in answer["choices"][0]["logprobs"]["content"])


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
    for messages, options in itertools.islice(items(), count):
        found: dict[str, list[float]] = {}
        for name, way in (
            ("likelihood", ways.own),
            ("each by grammar", ways.by_grammar),
            ("read only", ways.read_only),
            ("each anew", ways.anew),
        ):
            began = time.process_time()
            found[name] = way(messages, options)
            seconds.setdefault(name, []).append(time.process_time() - began)
        apart += [
            abs(a - b) / ways.tokens[-1][1] for a, b in zip(found["likelihood"], found["each by grammar"], strict=True)
        ]
    summary = {
        "items": len(ways.tokens),
        "tokens of a prompt": mean(prompt for prompt, _ in ways.tokens),
        "tokens of an option": mean(option for _, option in ways.tokens),
        "processor seconds of an item": {name: round(mean(values), 3) for name, values in seconds.items()},
        "items a minute of one core": round(60 / mean(seconds["likelihood"]), 1),
        "largest difference of ways, per token": max(apart),
    }
    print(json.dumps(summary, indent=2), file=out, flush=True)


if __name__ == "__main__":
    typer.run(run)
