"""llama.cpp's own HTTP server with an embedded model: the server that the doors of `docs/doors.md` are tried against.

    .venv/bin/python -m tools.models.llama_server qwen2.5-coder-0.5b 8080      # until Ctrl+C

It speaks OpenAI's protocol under /v1 (chat, completions, log-probabilities, tools, streams), and Anthropic's messages.
Qwen's coder models write calls of tools without the marks that their own template asks for, and the server reads none
then: they are served with a template that wants no marks, and is the same in all else.
"""

import argparse
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from apigap.models.download import ensure_file
from apigap.models.registry import find_model

_WINDOW = 16_384
_SLOTS = 2
_KEPT_MIB = 512
"""Of prompts read before; where nothing is said it is eight times a gigabyte."""
_CALM = {**os.environ, "OMP_NUM_THREADS": "1"}
"""Several threads wait for each other, by which a machine that does other things too becomes very slow."""
ROOT = Path(__file__).resolve().parents[2]


def serve(model: str, port: int) -> None:
    """Serve the embedded `model` on this machine until the process ends; the address is printed (port 0: any free)."""
    xllamacpp: Any = importlib.import_module("xllamacpp")

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(ensure_file(find_model(model)))
    parameters.hostnames, parameters.port = ["127.0.0.1"], port
    parameters.n_ctx, parameters.n_parallel = _SLOTS * _WINDOW, _SLOTS
    parameters.cache_ram_mib = _KEPT_MIB
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.use_jinja = True
    if model.startswith("qwen2.5-coder"):
        parameters.chat_template = Path(__file__).with_name("qwen_calls_as_json.jinja").read_text("utf-8")
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


@contextmanager
def serving(model: str, log: Path) -> Iterator[str]:
    """The address of such a server in a process of its own, without /v1; what it logs goes to `log`."""
    command = [sys.executable, "-m", "tools.models.llama_server", model, "0"]
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=_CALM)
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http"):
            raise SystemExit(f"llama.cpp's server did not start: see {log}")
        yield address
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="an embedded model by its name, as qwen2.5-coder-0.5b")
    parser.add_argument("port", type=int, help="0: any free one")
    given = parser.parse_args()
    serve(given.model, given.port)
