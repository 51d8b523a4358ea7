"""One llama.cpp in one process: a JSON line in, a JSON line out, gone when its parent is gone.

Every answer is a function of its request alone: one slot, one thread, no free use of the prompt cache. With a prompt
cache or more threads the shapes of the matrix products depend on what ran before or on the machine, and with them the
last bits, and with them now and then a greedy token.

A request may name the first characters of its first message that others share. They are computed once, always by the
same steps: the shared part by itself, cold; then, before each answer, back to exactly that part; then the rest in one
go. So an answer with a shared part is also the same whatever ran before (though not the one without).
"""

import json
import os
import queue
import secrets
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from apigap.models.options.token_scores import TextRefused, TextService, Tokens, begin_of, score_tokens
from apigap.records.base import Json


def main() -> None:
    """Serve requests from standard input until it ends; the settings come as JSON in the first argument."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # llama.cpp logs to standard output too
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    settings = json.loads(sys.argv[1])
    key = secrets.token_hex()
    server = load(settings, key)
    model = Model(server, TextService(server.listening_address, key), settings["context"])
    _write(answers, {"ready": True})
    while True:
        _write(answers, model.answer(json.loads(requests.get())))


def _read(requests: "queue.Queue[str]") -> None:
    """Pass the lines on. The end of input means that the parent has ended, killed or not: so does this process."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def load(settings: dict[str, Any], key: str) -> Any:
    """xllamacpp's server with the model and the settings of `servers.Settings`; `key` opens its local port."""
    xllamacpp: Any = import_module("xllamacpp")  # a compiled module without type information
    parameters = xllamacpp.CommonParams()
    parameters.model.path = settings["path"]
    parameters.n_ctx = settings["context"]
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = settings["batch"]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = settings["threads"]
    parameters.cache_prompt = True  # decided by each request
    parameters.cache_ram_mib = 0
    parameters.no_extra_bufts = not settings["repack"]
    parameters.fit_params = False  # would shrink the window to what memory is free just now
    parameters.warmup = False
    parameters.api_keys = [key]  # it listens on a local port too, which nobody else is to use
    return xllamacpp.Server(parameters)


class Model:
    """A loaded model and the shared part that its one slot holds."""

    def __init__(self, server: Any, texts: TextService, context: int) -> None:
        self._server = server
        self._texts = texts
        self._context = context
        self._held: tuple[Json, ...] | None = None

    def answer(self, request: dict[str, Any]) -> Json:
        """The server's answer to `request`, the scores of its options where it has any, or the error."""
        shared = request.pop("shared", 0)
        if "options" in request:
            return self._scores(request["messages"], request["options"], shared)
        if not shared:
            self._held = None
            return self._ask({**request, "cache_prompt": False})
        failed = self._hold(request, _first(request["messages"], shared))
        return failed or self._ask({**request, "cache_prompt": True})

    def _scores(self, messages: list[Any], options: list[str], shared: int) -> Json:
        """`scores` (log-probability and tokens of each option) and the tokens of the prompt."""
        try:
            text = self._texts.rendered(messages)
            prompt = self._texts.tokens(text)
            wholes = [self._texts.tokens(text + option) for option in options]
            if max(len(whole) for whole in wholes) > self._context:
                return {"error": {"type": "exceed_context_size_error", "n_prompt_tokens": len(prompt)}}
            begin = begin_of(prompt, wholes)
            before = prompt[: max(0, begin - 1)]
            self._read(before, self._shared_tokens(before, messages, shared))
            found = score_tokens(self._complete, wholes, begin, self._texts.tokens(".")[-1])
        except (TextRefused, OSError, ValueError) as error:
            return {"error": {"message": f"{type(error).__name__}: {error}"}}
        scores = [[value, len(whole) - begin] for value, whole in zip(found, wholes, strict=True)]
        return {"scores": scores, "prompt_tokens": len(prompt)}

    def _shared_tokens(self, before: Tokens, messages: list[Any], shared: int) -> Tokens:
        """The first tokens of `before` that are those of the shared part."""
        if not shared:
            return ()
        part = self._texts.tokens(self._texts.rendered(_first(messages, shared)))
        return before[: begin_of(before, [part])]

    def _read(self, tokens: Tokens, part: Tokens) -> None:
        """Bring the slot to exactly `tokens`, of which `part` are read before and kept.

        Only what every reader of `part` has is held, so that nothing of it is ever cut off and computed again beside
        other tokens.
        """
        steps = [(tokens, bool(part))]
        if part:
            steps.insert(0, (part, True))
        if part and self._held != part:
            steps.insert(0, (part, False))
        self._held = None
        for wanted, kept in steps:
            read: Json = wanted and self._complete({"prompt": list(wanted), "n_predict": 0, "cache_prompt": kept})
            if "error" in read:
                raise TextRefused(read["error"].get("message", "the prompt cannot be read"))
        self._held = part or None

    def _hold(self, request: dict[str, Any], part: list[Json]) -> Json:
        """Bring the slot to exactly `part`, with the tools that are offered; the error where that is not possible."""
        only = {**request, "messages": part, "max_tokens": 0}
        wanted = (*part, *request.get("tools", ()))
        if self._held != wanted:
            self._held = None
            cold = self._ask({**only, "cache_prompt": False})
            if "error" in cold:
                return cold
            self._held = wanted
        back = self._ask({**only, "cache_prompt": True})
        return back if "error" in back else None

    def _ask(self, request: Json) -> Json:
        return _called(self._server.handle_chat_completions, request)

    def _complete(self, request: Json) -> Json:
        return _called(self._server.handle_completions, request)


def _first(messages: list[Any], shared: int) -> list[Json]:
    """The first message alone, cut after its shared part."""
    return [{**messages[0], "content": messages[0]["content"][:shared]}]


def _called(function: Callable[[Json], Any], request: Json) -> Json:
    try:
        answer = function(request)
    except Exception as error:  # noqa: BLE001  whatever the library raises is the parent's to explain
        return {"error": {"message": f"{type(error).__name__}: {error}"}}
    return json.loads(answer) if isinstance(answer, str | bytes) else answer


def _write(answers: Any, value: Json) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
