"""One live sandbox on the host's side: start it, hand it programs one after another, read what comes back.

Nothing that arrives is believed: sizes are bounded while reading, and every surprise ends in an `Ended` that says so.
"""

import contextlib
import os
import select
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from apigap.records.base import canonical_json
from apigap.records.errors import EnvironmentFailure
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.launch import START_SECONDS, SandboxLost, Worker
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.streams import CHUNK, Stream, drain, read_part
from apigap.sandbox.worker import protocol

_GRACE_SECONDS = 30.0
_REPORT_LIMIT = protocol.MAX_REPORT + MIB


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


class Sandbox:
    """A zygote in its isolation. Not thread-safe: one thread drives it at a time.

    `preload` is imported once; with `cold` it is imported in each child instead. `warm_problem` says why a warm
    start was refused (then the sandbox is of no use and must be closed). `beside_threads` is true where the import
    started threads, which the programs do not have: what can come of that is believed only of a cold sandbox.
    """

    def __init__(
        self, environment: Environment, profile: Profile, limits: Limits, preload: Sequence[str], cold: bool = False
    ) -> None:
        self.limits = limits
        self._python = environment.python_version
        self.served = 0
        self.usable = True
        self.cold = cold
        self.warm_problem: str | None = None
        self.beside_threads = False
        self._worker = Worker(profile, limits)
        settings = {**self._settings(list(preload), cold), "confinement": self._worker.confinement(environment)}
        arguments = ["contained" if profile.contained else "local", canonical_json(settings)]
        self._worker.start(environment, "zygote", arguments)
        self._control = self._worker.control
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _settings(self, preload: list[str], cold: bool) -> dict[str, Any]:
        limits = self.limits
        return {
            "folder": self._worker.folder or "/tmp",  # noqa: S108
            "preload": [] if cold else preload,
            "late": preload if cold else [],
            "late_seconds": limits.preload_seconds if cold else 0,
            "watch": self._worker.group is None,
            "cpu_seconds": limits.cpu_seconds,
            "wall_seconds": limits.wall_seconds,
            "memory": limits.memory,
            "temporary": limits.temporary,
            "open_files": limits.open_files,
            # Without a user namespace of its own the count would include everything else the user runs.
            "processes": limits.processes if "user" in self._worker.profile.namespaces else 0,
            "recording": limits.recording,
        }

    def _greet(self) -> None:
        kind, body = self._receive(time.monotonic() + START_SECONDS + self.limits.preload_seconds)
        answer = _object(body)
        if kind != protocol.READY or answer is None:
            raise SandboxLost("the sandbox gave no greeting that can be understood")
        self._worker.check_confinement(answer.get("confined"))
        if answer.get("unproven") is not None:
            raise EnvironmentFailure(
                f"no verdict can be reached on Python {self._python}: the watch over calls does not work on it "
                f"({answer['unproven']}); choose another one with --python"
            )
        if answer.get("warm") is not True:
            self.warm_problem = str(answer.get("reason"))
        self.beside_threads = answer.get("threads") is True

    def _receive(self, until: float) -> tuple[bytes, bytes]:
        """One control frame; meanwhile what the sandbox says on stderr is drained."""
        data = bytearray()
        assert self._worker.process.stderr is not None
        errors = self._worker.process.stderr.fileno()
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(errors, select.POLLIN)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise SandboxLost("the sandbox did not answer in time")
            ready = dict(poll.poll(left * 1000))
            if errors in ready and not drain(errors, self._worker.errors):
                poll.unregister(errors)
            if self._control.fileno() in ready:
                part = self._control.recv(CHUNK)
                if not part:
                    raise SandboxLost(self._worker.last_words())
                data += part
                frames = _whole_frames(data, protocol.MAX_CONTROL)
                if frames:
                    return frames[0]

    def run(self, request: dict[str, Any]) -> Ended:
        """Run one program and wait for its end; never raises for anything that the program does.

        Raises:
            SandboxLost: when the request did not reach the sandbox.
        """
        started = time.monotonic()
        group = self._worker.group
        kills = group.out_of_memory_kills() if group else 0
        ended, readers = Ended(), self._send(request)
        try:
            self._follow(ended, readers)
        finally:
            for reader in readers:
                os.close(reader)
        self.served += 1
        ended.seconds = time.monotonic() - started
        ended.out_of_memory = bool(group and group.out_of_memory_kills() > kills)
        if ended.end is None or ended.end.get("dirty") is not False:
            self.usable = False
        return ended

    def _send(self, request: dict[str, Any]) -> list[int]:
        """Send the request with the write ends of three new pipes; gives the read ends."""
        pairs = [os.pipe() for _ in range(3)]
        for _, write in pairs[1:]:
            os.fchmod(write, 0o622)  # so that any user's program can open /dev/stdout as a script can
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
                more = drain(descriptor, stream) if stream else _append(descriptor, ended.report)
                if not more:
                    poll.unregister(descriptor)
            self._check_sizes(ended)
            if control in ready and self._answered(answer, ended):
                break
        for descriptor in (out, err):
            while drain(descriptor, streams[descriptor]):
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
        """Tell whether the zygote has said how the program ended, or has died."""
        try:
            part = self._control.recv(CHUNK)
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
        self._worker.close()


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


def _append(descriptor: int, data: bytearray) -> bool:
    part = read_part(descriptor)
    data += part
    return bool(part)
