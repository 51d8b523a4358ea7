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
from importlib import import_module
from typing import Any

from apigap.records.base import Json


def main() -> None:
    """Serve requests from standard input until it ends; the settings come as JSON in the first argument."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # llama.cpp logs to standard output too
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    model = Model(_load(json.loads(sys.argv[1])))
    _write(answers, {"ready": True})
    while True:
        _write(answers, model.answer(json.loads(requests.get())))


def _read(requests: "queue.Queue[str]") -> None:
    """Pass the lines on. The end of input means that the parent has ended, killed or not: so does this process."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _load(settings: dict[str, Any]) -> Any:
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
    parameters.api_keys = [secrets.token_hex()]  # it listens on a local port too, which nobody is to use
    return xllamacpp.Server(parameters)


class Model:
    """A loaded model and the shared part that its one slot holds."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._held: list[Json] | None = None

    def answer(self, request: dict[str, Any]) -> Json:
        """The server's answer to `request`, or its error."""
        shared = request.pop("shared", 0)
        if not shared:
            self._held = None
            return self._ask({**request, "cache_prompt": False})
        first = request["messages"][0]
        part = [{**first, "content": first["content"][:shared]}]
        failed = self._hold(request, part)
        return failed or self._ask({**request, "cache_prompt": True})

    def _hold(self, request: dict[str, Any], part: list[Json]) -> Json:
        """Bring the slot to exactly `part`; the error where that is not possible."""
        only = {**request, "messages": part, "max_tokens": 0}
        if self._held != part:
            self._held = None
            cold = self._ask({**only, "cache_prompt": False})
            if "error" in cold:
                return cold
            self._held = part
        back = self._ask({**only, "cache_prompt": True})
        return back if "error" in back else None

    def _ask(self, request: Json) -> Json:
        try:
            answer = self._server.handle_chat_completions(request)
        except Exception as error:  # noqa: BLE001  whatever the library raises is the parent's to explain
            return {"error": {"message": f"{type(error).__name__}: {error}"}}
        return json.loads(answer) if isinstance(answer, str | bytes) else answer


def _write(answers: Any, value: Json) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
