"""Local GGUF models: llama.cpp in worker processes whose answers are the same bits whatever ran before.

Measured on two cores (AVX2 build, idle machine shared by both ways): two processes with one thread each read and write
as many tokens a second as one process with two threads, and far more when anything else runs; weights are shared
through the page cache. So a server has one thread and a machine as many servers as cores, where memory allows.
"""

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from pydantic import Field

from apigap.models.registry import ModelSpec
from apigap.models.request import Message
from apigap.records.base import Json, Record
from apigap.records.errors import ModelUnavailable
from apigap.records.extras import install_command

_LOG_TAIL = 2000


def _repacking_pays() -> bool:
    """True when prompts are read faster from repacked weights (docs/performance.md); not so in builds for AVX-512."""
    built_for = instruction_sets().split()
    return "AVX512_VNNI" not in built_for or "AMX_INT8" in built_for


class Settings(Record):
    """Settings of llama.cpp. Each of these can change the last bits of an answer, so all are in the manifest.

    `context` in tokens; `batch` is how many prompt tokens are computed at once; `repack` lets llama.cpp keep a copy
    of the weights in the layout of this processor (more memory per server), by default where that is faster.
    """

    context: int
    threads: int = 1
    batch: int = 512
    repack: bool = Field(default_factory=_repacking_pays)


def backend_of(spec: ModelSpec, settings: Settings | None = None) -> dict[str, Json]:
    """Everything that decides the answers of a local model, for a manifest.

    Raises:
        ModelUnavailable: when xllamacpp is not installed.
    """
    used = settings or Settings(context=spec.context)
    engine: dict[str, Json] = {"engine": "xllamacpp", "version": _engine_version(), "built_for": instruction_sets()}
    fixed: dict[str, Json] = {"slots": 1, "prompt_cache": "shared part only"}
    return {**engine, **fixed, "sha256": spec.sha256, **used.model_dump()}


@functools.cache
def instruction_sets() -> str:
    """The instruction sets that the installed llama.cpp was compiled for; another build has other last bits.

    Raises:
        ModelUnavailable: when xllamacpp is not installed.
    """
    _engine_version()
    xllamacpp: Any = import_module("xllamacpp")  # a compiled module without type information
    info: str = xllamacpp.get_system_info()
    return " ".join(part.split("=")[0].split(":")[-1].strip() for part in info.split("|") if "= 1" in part)


def default_processes(spec: ModelSpec) -> int:
    """As many servers as this process may use cores and the free memory holds, at least one.

    A server needs about twice the size of its file: the file, its repacked copy, and the window.
    """
    return max(1, min(len(os.sched_getaffinity(0)), _free_memory() // (2 * spec.bytes)))


def _free_memory() -> int:
    """Bytes that can be had without swapping, as the kernel estimates them."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))


class ServerPool:
    """Worker processes with one model; started when first needed, safe to use from many threads."""

    def __init__(self, path: Path, settings: Settings, processes: int) -> None:
        _engine_version()
        self.path = path
        self.settings = settings
        self.processes = processes
        self._idle = _Idle(processes)
        self._lock = threading.Lock()
        self._running: set[_Server] = set()
        self._closed = False
        atexit.register(self.close)

    def ask(self, request: dict[str, Json]) -> Json:
        """The answer to an OpenAI-style chat request; waits for a free server. A server that died is replaced once.

        Raises:
            ModelUnavailable: when the model cannot be loaded, or the server died twice at this request.
        """
        prefix = request["messages"][0]["content"][: request.get("shared", 0)]
        server = self._idle.take(prefix)
        try:
            for attempt in (1, 2):
                try:
                    server = server or self._start()
                    server.prefix = prefix
                    return server.ask(request)
                except _ServerDied as death:
                    server = self._drop(server)
                    if attempt == 2:
                        raise self._stopped(death) from death
        finally:
            self._idle.give(server)

    def close(self) -> None:
        """End all servers. A request that is under way fails."""
        atexit.unregister(self.close)
        with self._lock:
            self._closed = True
            running, self._running = self._running, set()
        for server in running:
            server.stop()

    def _start(self) -> "_Server":
        with self._lock:
            if self._closed:
                raise ModelUnavailable(f"the servers of {self.path} were closed while an answer was wanted")
            server = _Server(self.path, self.settings)
            self._running.add(server)
        try:
            server.wait_ready()
        except _ServerDied:
            self._drop(server)
            raise
        return server

    def _drop(self, server: "_Server | None") -> None:
        if server is not None:
            server.stop()
            with self._lock:
                self._running.discard(server)

    def _stopped(self, death: "_ServerDied") -> ModelUnavailable:
        return ModelUnavailable(
            f"llama.cpp stopped while it worked with {self.path} ({death}); check that the file is a GGUF model and "
            f"the free memory ({self.processes} servers), or ask for fewer servers"
        )


class _Idle:
    """The free places of a pool, each with its server or still without one."""

    def __init__(self, count: int) -> None:
        self._free: list[_Server | None] = [None] * count
        self._changed = threading.Condition()

    def take(self, prefix: str) -> "_Server | None":
        """A free server, if there is one that has read `prefix` already that one; waits for one to be free."""
        with self._changed:
            self._changed.wait_for(lambda: self._free)
            fitting = (i for i, server in enumerate(self._free) if server and server.prefix == prefix)
            return self._free.pop(next(fitting, -1))

    def give(self, server: "_Server | None") -> None:
        with self._changed:
            self._free.append(server)
            self._changed.notify()


class _ServerDied(Exception):
    """The worker process ended; carries the end of its log."""


class _Server:
    """One worker process. It ends by itself when this process ends, because its standard input does."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.prefix = ""
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the process
        arguments = json.dumps({"path": str(path), **settings.model_dump()})
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "apigap.models.gguf.worker", arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, "OMP_NUM_THREADS": str(settings.threads)},
            start_new_session=True,  # Ctrl-C is the parent's to handle; the end of the pipe ends this one
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_ready(self) -> None:
        self._read()

    def ask(self, request: dict[str, Json]) -> Json:
        try:
            assert self._process.stdin
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise _ServerDied(self._reason()) from None
        return self._read()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> Json:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise _ServerDied(self._reason())
        return json.loads(line)

    def _reason(self) -> str:
        code = self._process.wait()
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - _LOG_TAIL))
        lines = [line for line in self._log.read().decode(errors="replace").splitlines() if line.strip()]
        return f"exit {code}: {' / '.join(lines[-3:])}"


def chat_request(
    messages: Sequence[Message],
    *,
    max_tokens: int,
    stop: Sequence[str],
    temperature: float,
    top_p: float,
    seed: int,
    shared: int = 0,
    alternatives: int = 0,
    schema: dict[str, Json] | None = None,
    tools: Sequence[dict[str, Json]] = (),
) -> dict[str, Any]:
    """The request for one answer. All samplers are named, since the defaults of llama.cpp change between builds.

    `shared` counts the first characters of the first message that other requests share; see `gguf.worker`.
    `alternatives` asks for that many likeliest tokens at each place, with their log probabilities.
    With `schema` no token is taken that leads away from JSON of that schema. `tools` are told as the template of the
    model tells them.
    """
    schema_options = {"response_format": {"type": "json_schema", "json_schema": {"schema": schema}}} if schema else {}
    alternatives_options = {"logprobs": True, "top_logprobs": alternatives} if alternatives else {}
    return {
        **alternatives_options,
        **schema_options,
        **({"tools": list(tools)} if tools else {}),
        "shared": shared,
        "messages": _plain(messages),
        "max_tokens": max_tokens,
        "stop": list(stop),
        "temperature": temperature,
        "top_p": top_p,
        "top_k": 0,
        "min_p": 0.0,
        "repeat_penalty": 1.0,
        "seed": seed,
    }


def options_request(messages: Sequence[Message], options: Sequence[str], shared: int = 0) -> dict[str, Json]:
    """The request for the likelihood of each option as what follows `messages`; the answer has `scores`."""
    return {"shared": shared, "messages": _plain(messages), "options": [_clean(option) for option in options]}


def _plain(messages: Sequence[Message]) -> list[Json]:
    return [{"role": message.role, "content": _clean(message.content)} for message in messages]


def _clean(text: str) -> str:
    """A lone surrogate is no text to a tokeniser: it becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _engine_version() -> str:
    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        raise ModelUnavailable(
            f"local models need the package xllamacpp; run: {install_command('local')}, or take a model of a provider"
        ) from None
