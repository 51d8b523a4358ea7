"""Running one of our own scripts in a fresh, isolated interpreter, with JSON in and JSON out."""

import contextlib
import os
import select
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.records.base import Json, canonical_json
from apigap.records.errors import InfrastructureError
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.launch import Worker
from apigap.sandbox.isolation.layout import Script
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import Limits
from apigap.sandbox.worker import protocol

INSIDE = "/harness/script"
_CHUNK = 1 << 18


def run_script(
    environment: Environment,
    profile: Profile,
    limits: Limits,
    path: Path,
    argument: Json,
    timeout: float,
    *,
    bare: bool = False,
    shown: Sequence[Script] = (),
) -> Json:
    """The JSON that `main(argument)` of the script at `path` returned; see `Engine.script`.

    With `bare` nothing of the environment is loaded before the script, see `Worker`; `shown` is bound beside it.
    """
    inside = INSIDE if path.is_dir() else f"{INSIDE}.py"
    scripts = [(path.resolve(), inside), *shown]
    worker = Worker(profile, limits, bare)
    confinement = canonical_json(worker.confinement(environment, scripts))
    worker.start(environment, "script", [inside if profile.contained else str(path), confinement], scripts)
    try:
        return _exchange(worker, path, argument, time.monotonic() + timeout)
    finally:
        worker.close()


def _exchange(worker: Worker, path: Path, argument: Json, until: float) -> Json:
    process, control, stderr = worker.process, worker.control, worker.errors
    assert process.stderr is not None
    errors = process.stderr.fileno()
    with contextlib.suppress(OSError):  # where it has ended already, what it said on stderr is read below
        control.sendall(protocol.frame(protocol.RUN, argument))
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(errors, select.POLLIN)
    data = bytearray()
    while True:
        left = until - time.monotonic()
        ready = dict(poll.poll(max(0.0, left) * 1000))
        if not ready:
            raise InfrastructureError(f"{path.name} did not end in time; its last words: {stderr.text[-1500:]}")
        if errors in ready:
            part = os.read(errors, _CHUNK)
            stderr.add(part)
            if not part:
                poll.unregister(errors)
        if control.fileno() in ready:
            part = _receive(control)
            data += part
            result = _result(worker, data, path)
            if result is not None:
                return result[0]
            if not part:
                stderr.add(process.stderr.read()[-4096:])
                raise InfrastructureError(f"{path.name} ended without a result: {stderr.text[-1500:].strip()}")


def _result(worker: Worker, data: bytearray, path: Path) -> tuple[Json] | None:
    """The script's result once it is there whole; before it, the worker says what it has given up."""
    try:
        frames, _ = protocol.split_frames(data, protocol.MAX_SCRIPT)
        bodies: list[Any] = [protocol.loads(body) for _, body in frames[:2]]
    except protocol.ProtocolError as error:
        raise InfrastructureError(f"{path.name} sent a result that cannot be read: {error}") from None
    if len(bodies) < 2:
        return None
    worker.check_confinement(bodies[0])
    return (bodies[1],)


def _receive(control: socket.socket) -> bytes:
    try:
        return control.recv(_CHUNK)
    except ConnectionError:
        return b""
