"""The likelihood of given texts from a llama.cpp server: exact, and the same bits whatever ran before.

The server tells probabilities of what it writes, not of what it reads. So each token of an option is written by it,
one request each, with a bias that lets no other be taken; the probability is that of before the bias. A step costs
what writing a token costs, since the slot holds everything before it.

Every token from the first that an option may differ in is computed by itself, and everything before in one way that
depends on the request alone. So no score depends on the order of the options, and what options begin alike with is
computed once.
"""

import http.client
import json
import math
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any
from urllib.parse import urlsplit

from apigap.records.base import Json

Tokens = tuple[int, ...]
Ask = Callable[[dict[str, Json]], Json]
"""Sends a completion request to the server; an answer with `error` where that fails."""

_BIAS = 1e4
"""Added to the logit of the token to be taken; logits are hundreds at most."""
_ALTERNATIVES = 32
"""Likeliest tokens told at each place: where options part, most of the others' next tokens are among them."""
_ALL = 2**30
"""More than any vocabulary has."""
_LEAST = -104.0
"""Below the logarithm of the smallest probability in 32 bits; stands for a probability that is zero there."""


class TextService:
    """The server's own reading of texts, by its local port: the chat template and the tokens of the model."""

    def __init__(self, address: str, key: str) -> None:
        self._host = urlsplit(address).netloc
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}

    def rendered(self, messages: Sequence[Json]) -> str:
        """The text that the model reads for `messages`; it ends with the begun answer, if there is one.

        The begun answer is added here, as it is: templates may trim it, and leave out an empty one with its heading.
        """
        asked, begun = list(messages), ""
        if asked[-1]["role"] == "assistant":
            begun = asked.pop()["content"]
        return self._post("/apply-template", {"messages": asked})["prompt"] + begun

    def tokens(self, text: str) -> Tokens:
        """The canonical tokens of a text."""
        return tuple(self._post("/tokenize", {"content": text, "add_special": True, "parse_special": True})["tokens"])

    def _post(self, path: str, body: Json) -> Json:
        connection = http.client.HTTPConnection(self._host)
        try:
            connection.request("POST", path, json.dumps(body), self._headers)
            answer = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        if "error" in answer:
            raise TextRefused(answer["error"].get("message", f"{path} failed"))
        return answer


class TextRefused(Exception):
    """The server cannot make a prompt or tokens of a text."""


def begin_of(prompt: Tokens, wholes: Sequence[Tokens]) -> int:
    """The number of the prompt's tokens that all `wholes` (prompt and option, as one text) begin with.

    Tokens of a whole text may reach over the end of the prompt: `f(` and `start` can be `f` and `(start`.
    """
    alike = takewhile(lambda place: len(set(place)) == 1, zip(prompt, *wholes, strict=False))
    return sum(1 for _ in alike)


def score_tokens(ask: Ask, wholes: Sequence[Tokens], begin: int, spare: int) -> list[float]:
    """The log-probability of the tokens of each whole from place `begin` on, given those before it.

    The slot of the server holds the tokens up to `begin`, without the last one. `spare` is a token of whole
    characters, which is written where the probability of another is only to be read.

    Raises:
        TextRefused: when the server does not tell the probability of a token.
    """
    known: dict[Tokens, float] = {}
    for whole in sorted(wholes):  # neighbours begin alike, so the slot holds what they share
        for place in range(begin, len(whole)):
            if whole[: place + 1] not in known:
                known.update(_after(ask, whole[:place], whole[place], spare))
    return [math.fsum(known[whole[: place + 1]] for place in range(begin, len(whole))) for whole in wholes]


def _after(ask: Ask, before: Tokens, token: int, spare: int) -> dict[Tokens, float]:
    """The log-probabilities of `token` and of the likeliest ones at its place.

    Of a token that ends inside of a character the server tells nothing when it is written, so that all are read.
    """
    told = _step(ask, before, token, _ALTERNATIVES)
    if token not in told:
        told = _step(ask, before, spare, _ALL)
    if token not in told:
        raise TextRefused(f"the server does not tell the probability of token {token}, which an option has")
    return {(*before, one): value for one, value in told.items()}


def _step(ask: Ask, before: Tokens, written: int, alternatives: int) -> dict[int, float]:
    """The log-probabilities of the token to be written and of the likeliest ones; none where they are not told."""
    answer = ask(
        {
            "prompt": list(before),
            "n_predict": 1,
            "n_probs": alternatives,
            "logit_bias": [[written, _BIAS]],
            "cache_prompt": True,
            "temperature": 0.0,
            "top_k": 0,
            "top_p": 1.0,
            "min_p": 0.0,
            "repeat_penalty": 1.0,
        }
    )
    if "error" in answer:
        raise TextRefused(answer["error"].get("message", "a step failed"))
    probabilities: dict[str, Any] = answer["choices"][0].get("logprobs") or {"content": []}
    places: list[dict[str, Any]] = probabilities["content"]
    told: list[dict[str, Any]] = [one for place in places for one in (*place["top_logprobs"], place)]
    return {one["id"]: max(one["logprob"], _LEAST) for one in told}
