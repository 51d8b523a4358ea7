"""One llama.cpp in one process: a JSON line in, a JSON line out, gone when its parent is gone.

Every answer is a function of its request alone: one slot, one thread, no prompt cache. With a prompt cache or more
threads the shapes of the matrix products depend on what ran before or on the machine, and with them the last bits,
and with them now and then a greedy token.
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
    server = _load(json.loads(sys.argv[1]))
    _write(answers, {"ready": True})
    while True:
        _write(answers, _answer(server, json.loads(requests.get())))


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
    parameters.cache_prompt = False
    parameters.cache_ram_mib = 0
    parameters.no_extra_bufts = not settings["repack"]
    parameters.fit_params = False  # would shrink the window to what memory is free just now
    parameters.warmup = False
    parameters.api_keys = [secrets.token_hex()]  # it listens on a local port too, which nobody is to use
    return xllamacpp.Server(parameters)


def _answer(server: Any, request: Json) -> Json:
    try:
        answer = server.handle_chat_completions({**request, "cache_prompt": False})
    except Exception as error:  # noqa: BLE001  whatever the library raises is the parent's to explain
        return {"error": {"message": f"{type(error).__name__}: {error}"}}
    return json.loads(answer) if isinstance(answer, str | bytes) else answer


def _write(answers: Any, value: Json) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
