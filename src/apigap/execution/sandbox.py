"""One live sandbox on the host's side: start it, hand it programs one after another, read what comes back.

Nothing that arrives is believed: sizes are bounded while reading, and every surprise ends in an `Ended` that says so.
"""

import contextlib
import functools
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apigap.execution.cgroups import Cgroup
from apigap.execution.environments import Environment
from apigap.execution.isolation import VARIABLES, WORKER_FOLDER, WORKER_PATH, Profile, sandbox_command
from apigap.execution.limits import MIB, Limits
from apigap.execution.worker import protocol
from apigap.records.base import canonical_json
from apigap.records.errors import InfrastructureError

TAIL = 4096
_CHUNK = 1 << 16
_START_SECONDS = 30.0
_GRACE_SECONDS = 30.0
_BASELINE = 1024 * MIB  # what the preloaded library may hold before a program starts
_OWN_PROCESSES = 12


@dataclass
class Stream:
    """What is kept of an output stream: its size and its tail."""

    size: int = 0
    tail: bytes = b""

    def add(self, data: bytes) -> None:
        """Take in more output."""
        self.size += len(data)
        self.tail = (self.tail + data)[-TAIL:]

    @property
    def text(self) -> str:
        """The tail as text, whatever bytes it holds."""
        return self.tail.decode("utf-8", "replace")


@dataclass
class Ended:
    """One program's end as the host saw it. `end` is the zygote's word; None when the sandbox died."""

    report: bytearray = field(default_factory=bytearray)
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)
    end: dict[str, Any] | None = None
    killed_for: str | None = None
    out_of_memory: bool = False
    seconds: float = 0.0


class SandboxLost(InfrastructureError):
    """A sandbox could not be started, or does not answer."""


class Sandbox:
    """A zygote in its isolation. Not thread-safe: one thread drives it at a time.

    `preload` is imported once; with `cold` it is imported in each child instead. `warm_problem` says why a warm
    start was refused (then the sandbox is of no use and must be closed).
    """

    def __init__(
        self, environment: Environment, profile: Profile, limits: Limits, preload: Sequence[str], cold: bool = False
    ) -> None:
        self.limits = limits
        self.served = 0
        self.usable = True
        self.warm_problem: str | None = None
        self._profile = profile
        self._folder: str | None = None
        self._errors = Stream()
        self._group = control_group(profile, limits)
        self._process, self._control = self._launch(environment, list(preload), cold)
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _launch(
        self, environment: Environment, preload: list[str], cold: bool
    ) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        arguments = ["zygote", str(theirs.fileno()), "local" if self._profile.backend == "none" else "contained"]
        if self._profile.backend == "none":
            self._folder = tempfile.mkdtemp(prefix="apigap-")
        arguments.append(canonical_json(self._settings(preload, cold)))
        try:
            process = start_worker(environment, self._profile, arguments, theirs, self._folder, self._group)
        except BaseException:
            ours.close()
            self._discard()
            raise
        finally:
            theirs.close()
        return process, ours

    def _settings(self, preload: list[str], cold: bool) -> dict[str, Any]:
        limits = self.limits
        return {
            "folder": self._folder or "/tmp",  # noqa: S108
            "preload": [] if cold else preload,
            "late": preload if cold else [],
            "late_seconds": limits.preload_seconds if cold else 0,
            "watch": self._group is None,
            "cpu_seconds": limits.cpu_seconds,
            "wall_seconds": limits.wall_seconds,
            "memory": limits.memory,
            "temporary": limits.temporary,
            "open_files": limits.open_files,
            # Without a user namespace of its own the count would include everything else the user runs.
            "processes": 0 if self._profile.backend == "none" else limits.processes,
            "recording": limits.recording,
        }

    def _greet(self) -> None:
        kind, body = self._receive(time.monotonic() + _START_SECONDS + self.limits.preload_seconds)
        answer = _object(body)
        if kind != protocol.READY or answer is None:
            raise SandboxLost("the sandbox gave no greeting that can be understood")
        if answer.get("warm") is not True:
            self.warm_problem = str(answer.get("reason"))

    def _receive(self, until: float) -> tuple[bytes, bytes]:
        """One control frame; meanwhile what the sandbox says on stderr is drained."""
        data = bytearray()
        assert self._process.stderr is not None
        errors = self._process.stderr.fileno()
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(errors, select.POLLIN)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise SandboxLost("the sandbox did not answer in time")
            ready = dict(poll.poll(left * 1000))
            if errors in ready and not _drain(errors, self._errors):
                poll.unregister(errors)
            if self._control.fileno() in ready:
                part = self._control.recv(_CHUNK)
                if not part:
                    raise SandboxLost(self._last_words())
                data += part
                frames = _whole_frames(data, protocol.MAX_CONTROL)
                if frames:
                    return frames[0]

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        _drain(self._process.stderr.fileno(), self._errors)
        said = self._errors.text.strip()[-600:]
        return f"the sandbox ended (exit code {self._process.returncode}): {said or 'it said nothing'}"

    def run(self, request: dict[str, Any]) -> Ended:
        """Run one program and wait for its end; never raises for anything that the program does.

        Raises:
            SandboxLost: when the request did not reach the sandbox.
        """
        started = time.monotonic()
        kills = self._group.out_of_memory_kills() if self._group else 0
        ended, readers = Ended(), self._send(request)
        try:
            self._follow(ended, readers)
        finally:
            for reader in readers:
                os.close(reader)
        self.served += 1
        ended.seconds = time.monotonic() - started
        ended.out_of_memory = bool(self._group and self._group.out_of_memory_kills() > kills)
        if ended.end is None or ended.end.get("dirty") is not False:
            self.usable = False
        return ended

    def _send(self, request: dict[str, Any]) -> list[int]:
        """Send the request with the write ends of three new pipes; gives the read ends."""
        pairs = [os.pipe() for _ in range(3)]
        body = protocol.dumps(request).encode("ascii")
        kind = protocol.RECORD if request["record"] else protocol.RUN
        try:
            self._control.settimeout(_GRACE_SECONDS)
            header = protocol.HEADER.pack(kind, len(body))
            socket.send_fds(self._control, [header], [write for _, write in pairs])
            self._control.sendall(body)
        except OSError as error:
            for read, _ in pairs:
                os.close(read)
            self.usable = False
            raise SandboxLost(f"the sandbox takes no more programs: {error}") from None
        finally:
            for _, write in pairs:
                os.close(write)
        return [read for read, _ in pairs]

    def _follow(self, ended: Ended, readers: list[int]) -> None:
        report, out, err = readers
        streams = {out: ended.stdout, err: ended.stderr}
        control = self._control.fileno()
        poll = select.poll()
        for descriptor in (*readers, control):
            os.set_blocking(descriptor, False)
            poll.register(descriptor, select.POLLIN)
        answer = bytearray()
        silent_since = time.monotonic()
        while True:
            ready = dict(poll.poll(500))
            if control in ready:
                silent_since = time.monotonic()
            elif time.monotonic() - silent_since > self.limits.silence_seconds:
                ended.killed_for = "wall"
                return
            for descriptor in [one for one in readers if one in ready]:
                stream = streams.get(descriptor)
                more = _drain(descriptor, stream) if stream else _append(descriptor, ended.report)
                if not more:
                    poll.unregister(descriptor)
            self._check_sizes(ended)
            if control in ready and self._answered(answer, ended):
                break
        for descriptor in (out, err):
            while _drain(descriptor, streams[descriptor]):
                pass
        while len(ended.report) <= _REPORT_LIMIT and _append(report, ended.report):
            pass

    def _check_sizes(self, ended: Ended) -> None:
        too_much = max(ended.stdout.size, ended.stderr.size) > self.limits.output or len(ended.report) > _REPORT_LIMIT
        if too_much and ended.killed_for is None:
            ended.killed_for = "output"
            with contextlib.suppress(OSError):
                self._control.sendall(protocol.frame(protocol.KILL, {}))

    def _answered(self, answer: bytearray, ended: Ended) -> bool:
        """Whether the zygote has said how the program ended, or has died."""
        try:
            part = self._control.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        answer += part
        frames = [one for one in _whole_frames(answer, protocol.MAX_CONTROL) if one[0] != protocol.ALIVE]
        if frames and frames[0][0] == protocol.DONE:
            ended.end = _object(frames[0][1])
        return bool(frames) or not part

    def close(self) -> None:
        """End every process of the sandbox and remove what it left on the host."""
        self.usable = False
        self._control.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._discard()

    def _discard(self) -> None:
        if self._group is not None:
            self._group.remove()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


_REPORT_LIMIT = protocol.MAX_REPORT + MIB


def start_worker(
    environment: Environment,
    profile: Profile,
    arguments: list[str],
    control: socket.socket,
    folder: str | None,
    group: Cgroup | None,
    scripts: Sequence[tuple[Path, str]] = (),
) -> subprocess.Popen[bytes]:
    """Start the worker's boot file with `arguments` inside the isolation; it inherits `control` and nothing else.

    Raises:
        SandboxLost: when the process cannot be started.
    """
    local = profile.backend == "none"
    python = str(environment.python) if local else "/environment/bin/python"
    boot = str(WORKER_FOLDER / "boot.py") if local else f"{WORKER_PATH}/boot.py"
    command = sandbox_command(environment, profile, [python, "-s", boot, *arguments], scripts)
    if group is not None:
        command = group.enter(command)
    variables = VARIABLES if not local else {**VARIABLES, "HOME": folder or "/", "TMPDIR": folder or "/"}

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            pass_fds=[control.fileno()], env=variables, start_new_session=True, cwd=folder or "/",
        )  # fmt: skip

    try:
        return _starter().submit(start).result()
    except OSError as error:
        raise SandboxLost(f"cannot start {command[0]}: {error}") from error


@functools.cache
def _starter() -> ThreadPoolExecutor:
    """The one thread that starts sandboxes: they die with the thread that started them, not with the process."""
    return ThreadPoolExecutor(1, thread_name_prefix="apigap-starter")


def control_group(profile: Profile, limits: Limits) -> Cgroup | None:
    """A new control group for one sandbox; None where none can be made."""
    if profile.cgroup is None:
        return None
    memory = limits.memory + limits.temporary + _BASELINE
    group = Cgroup(profile.cgroup, memory, limits.processes + _OWN_PROCESSES)
    try:
        group.create()
    except OSError as error:
        group.remove()
        raise SandboxLost(f"cannot make a control group: {error}") from error
    return group


def _whole_frames(data: bytearray, limit: int) -> list[tuple[bytes, bytes]]:
    try:
        return protocol.split_frames(data, limit)[0]
    except protocol.ProtocolError:
        return [(b"?", b"")]


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        value = protocol.loads(body)
    except protocol.ProtocolError:
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _drain(descriptor: int, stream: Stream) -> bool:
    """Read once; False at the end of the stream or when nothing is there."""
    data = _read(descriptor)
    stream.add(data)
    return bool(data)


def _append(descriptor: int, data: bytearray) -> bool:
    part = _read(descriptor)
    data += part
    return bool(part)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except (BlockingIOError, OSError):
        return b""
