"""Running one of our own scripts in a fresh, isolated interpreter, with JSON in and JSON out."""

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from apigap.execution.environments import Environment
from apigap.execution.isolation import Profile
from apigap.execution.limits import Limits
from apigap.execution.sandbox import Stream, control_group, start_worker
from apigap.execution.worker import protocol
from apigap.records.base import Json
from apigap.records.errors import InfrastructureError

INSIDE = "/harness/script.py"
_CHUNK = 1 << 18


def run_script(
    environment: Environment, profile: Profile, limits: Limits, path: Path, argument: Json, timeout: float
) -> Json:
    """The JSON that `main(argument)` of the script at `path` returned; see `Engine.script`."""
    local = profile.backend == "none"
    folder = tempfile.mkdtemp(prefix="apigap-") if local else None
    group = control_group(profile, limits)
    ours, theirs = socket.socketpair()
    arguments = ["script", str(theirs.fileno()), str(path) if local else INSIDE]
    scripts = [(path.resolve(), INSIDE)]
    try:
        with theirs:
            process = start_worker(environment, profile, arguments, theirs, folder, group, scripts)
        with ours, process:
            try:
                return _exchange(process, ours, path, argument, time.monotonic() + timeout)
            finally:
                os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
    finally:
        ours.close()
        if group is not None:
            group.remove()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _exchange(
    process: "subprocess.Popen[bytes]", control: socket.socket, path: Path, argument: Json, until: float
) -> Json:
    assert process.stderr is not None
    errors, stderr = process.stderr.fileno(), Stream()
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
            try:
                frames, _ = protocol.split_frames(data, protocol.MAX_SCRIPT)
                if frames:
                    return protocol.loads(frames[0][1])
            except protocol.ProtocolError as error:
                raise InfrastructureError(f"{path.name} sent a result that cannot be read: {error}") from None
            if not part:
                stderr.add(process.stderr.read()[-4096:])
                raise InfrastructureError(f"{path.name} ended without a result: {stderr.text[-1500:].strip()}")


def _receive(control: socket.socket) -> bytes:
    try:
        return control.recv(_CHUNK)
    except ConnectionError:
        return b""
