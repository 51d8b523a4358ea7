"""The warm process: imports the library once, forks one child per program, and cleans up after each.

It reads no byte that a child wrote: the child's report and output go straight to the host through descriptors
that the host sends along with each request. It forgets a request as soon as the child has it, so that the next
program finds nothing of the one before in its memory.

Arguments: the control socket's descriptor or path, `contained` or `local`, then one JSON object of settings.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
from typing import Any

from . import kernel, threads
from .child import be_child, seed_generators
from .confine import confine
from .connect import open_control
from .landlock import SIGNALS_SINCE
from .preload import preload
from .protocol import ALIVE, DONE, HEADER, KILL, MAX_REQUEST, READY, RECORD, RUN, frame
from .watch import self_check
from .watch.standard_library import StandardLibrary

TICK = 0.1
SIGN_OF_LIFE = 0.5
CPU_GRACE = 1.0  # rlimits come first where there is one process
STARVED = 5  # at most so many times the wall limit is waited for a processor
CHECK_EVERY = 50  # programs
MAY_GROW = 32 << 20
_INODES = 10_000
_SHARED = ("/tmp", "/dev/shm", "/dev/pts")  # noqa: S108


def main(arguments: list[str]) -> None:
    """Serve until the host hangs up."""
    control = open_control(arguments[0])
    contained, settings = arguments[1] == "contained", json.loads(arguments[2])
    Zygote(control, contained, settings).serve()


class Zygote:
    """One sandbox's server. `contained` says that it is alone in a process namespace of its own."""

    def __init__(self, control: socket.socket, contained: bool, settings: dict[str, Any]) -> None:
        self.control = control
        # kill(-1) would reach every process of the user: only where the first process is the sandbox's own or this.
        first = os.getpid() == 1 or (os.getppid() == 1 and os.getpid() < 10)
        self.contained = contained and first
        self.settings = settings
        self.count = 0
        self.has_threads = False
        self.base: str = settings["folder"]
        self.at_first = (0, 0)
        self.standing: dict[str, Any] = {}
        self.late = 0.0, 0.0  # seconds of wall and of processor time that the program's imports may take, or took

    def serve(self) -> None:
        """Give up rights, preload, tell the host how that went, then run program after program."""
        confined = confine(self.settings["confinement"])
        unproven = self_check.problem()  # while nothing of a library can have changed what it sees
        ready = {**self._preload(), "confined": confined, "unproven": unproven}
        if self.contained:
            kernel.set_dumpable(False)
        kernel.adopt_orphans()  # so that the time they have used is known
        seed_generators(0)  # children inherit the state that nearly all of them ask for
        self.standard = StandardLibrary()
        gc.collect()
        gc.freeze()
        self.at_first = kernel.holdings()
        self.standing = self._standing()
        self.settings["keep_signals_inside"] = confined["landlock"] >= SIGNALS_SINCE
        self.control.sendall(frame(READY, ready))
        while True:
            kind, body, descriptors = self._receive()
            if kind in (RUN, RECORD):
                self._run(body, descriptors, self.settings["recording"] if kind == RECORD else 1)

    def _preload(self) -> dict[str, Any]:
        for name in self.settings["preload"]:
            try:
                preload(name)
            except BaseException as error:
                return {"warm": False, "reason": f"importing {name}: {type(error).__name__}: {str(error)[:500]}"}
        self.has_threads = threads.there_are_others()
        problem = threads.problem() if self.has_threads else None
        if problem is None and kernel.shares_memory():
            problem = "an import made memory that programs would share"
        if problem is not None:
            return {"warm": False, "reason": problem}
        return {"warm": True, "threads": self.has_threads, "python": sys.version.split()[0]}

    def _receive(self) -> tuple[bytes, bytearray, list[int]]:
        """One frame with the descriptors that came along; ends the process when the host has hung up."""
        header, descriptors, _, _ = socket.recv_fds(self.control, HEADER.size, 3)
        while 0 < len(header) < HEADER.size:
            header += self._more(HEADER.size - len(header))
        if not header:
            os._exit(0)
        kind, length = HEADER.unpack(header)
        if length > MAX_REQUEST:
            os._exit(1)
        body = bytearray(length)
        view, at = memoryview(body), 0
        while at < length:
            got = self.control.recv_into(view[at:])
            if not got:
                os._exit(0)
            at += got
        return kind, body, descriptors

    def _more(self, count: int) -> bytes:
        data = self.control.recv(count)
        if not data:
            os._exit(0)
        return data

    def _run(self, body: bytearray, descriptors: list[int], factor: int) -> None:
        self.count += 1
        folder = os.path.join(self.base, "program")  # always the same: it may stand in what a program gives
        os.mkdir(folder, 0o700)
        self.late = self.settings["late_seconds"], self.settings["late_seconds"]
        ends = os.pipe() if self.settings["late"] else None
        if self.has_threads:
            threads.wait_for_sleep()
        try:
            pid = os.fork()
        except OSError as error:
            self._done({"infra": f"cannot fork: {error}"}, [*descriptors, *(ends or ())], folder)
            return
        if pid == 0:
            self.control.close()
            loading = ends[1] if ends else None
            context = {**self.settings, "factor": factor}
            be_child(body, descriptors, loading, folder, context, self.contained, self.standard)
        body[:] = bytes(len(body))
        if ends:
            os.close(ends[1])
        end = self._follow(pid, ends[0] if ends else None, folder, factor)
        self._done(end, [*descriptors, *(ends[:1] if ends else ())], folder)

    def _follow(self, pid: int, loading: int | None, folder: str, factor: int) -> dict[str, Any]:
        """The child's end, once nothing is left of it and of all that it has started."""
        started, before = time.monotonic(), kernel.collected_seconds()
        end = self._wait(pid, loading, factor, before)
        waited = kernel.starved(pid)
        end |= _collect(pid)
        elapsed = time.monotonic() - started
        end["dirty"] = not self._clean(folder)
        end["cpu"] = kernel.collected_seconds() - before
        end["idle"] = max(0.0, elapsed - end["cpu"] - waited)
        if end["cpu"] > self._allowed(factor):
            end.setdefault("limit", "cpu")
        end["spent"] = end["cpu"] > self._allowed(factor) - CPU_GRACE
        return end

    def _done(self, end: dict[str, Any], descriptors: list[int], folder: str) -> None:
        for descriptor in descriptors:
            os.close(descriptor)
        now = self._standing()
        end["changed"] = sorted(name for name in now if now[name] != self.standing.get(name))
        end["dirty"] = end.get("dirty", True) or self.has_drifted()
        self.control.sendall(frame(DONE, end))

    def _standing(self) -> dict[str, Any]:
        return kernel.standing(_SHARED if self.contained else ())

    def has_drifted(self) -> bool:
        """Tell whether this process holds more descriptors or much more memory than at first: then it has to end."""
        if self.count % CHECK_EVERY:
            return False
        (descriptors, memory), (now, used) = self.at_first, kernel.holdings()
        return now > descriptors or used > memory + MAY_GROW

    def _wait(self, pid: int, loading: int | None, factor: int, before: float) -> dict[str, Any]:
        """Wait until the child has ended; too much time or memory, or a KILL frame from the host, ends it.

        Once the child has closed `loading`, its imports are over, and what they have not used of their time is lost.
        """
        handle = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(self.control, select.POLLIN)
        if loading is not None:
            poll.register(loading, 0)  # its end is all that is looked for
        started = time.monotonic()
        end: dict[str, Any] = {}
        while True:
            ready = dict(poll.poll(1000 * (TICK if self.settings["watch"] else SIGN_OF_LIFE)))
            if handle in ready:
                break
            if loading is not None and loading in ready:
                poll.unregister(loading)
                self.late = time.monotonic() - started, kernel.processor_seconds(pid)
                continue
            if self.control.fileno() in ready:
                if self._receive()[0] == KILL:
                    self._kill()
                continue
            self.control.sendall(frame(ALIVE, {}))
            kernel.reap(but=pid)
            limit = self._limit_reached(pid, time.monotonic() - started, factor, before)
            if limit:
                end.setdefault("limit", limit)
                self._kill()
        os.close(handle)
        return end

    def _allowed(self, factor: int) -> float:
        """Seconds of processor time that a program and all that it starts may use together."""
        return self.late[1] + self.settings["cpu_seconds"] * factor + CPU_GRACE

    def _limit_reached(self, pid: int, elapsed: float, factor: int, before: float) -> str | None:
        """The limit that the program and all that it has started have reached together, if any.

        Time that the program spent waiting for a processor does not count as its own: a busy machine decides nothing.
        """
        late, wall = self.late[0], self.settings["wall_seconds"] * factor
        pids = kernel.others() if self.contained else kernel.descendants()
        used = sum(map(kernel.processor_seconds, pids)) + kernel.collected_seconds() - before
        if used > self._allowed(factor):
            return "cpu"
        if elapsed - late > wall + min(kernel.starved(pid), STARVED * wall):
            return "wall"
        if self.settings["watch"] and sum(map(kernel.resident, pids)) > self.settings["memory"]:
            return "memory"
        return None

    def _kill(self) -> None:
        if self.contained:
            kernel.kill_all_others()
            return
        for pid in kernel.descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def _clean(self, folder: str) -> bool:
        """Kill what the program left running and remove what it left lying; False when something stays."""
        until = time.monotonic() + 2.0
        while True:
            self._kill()
            kernel.reap()
            if not (kernel.others() if self.contained else kernel.descendants()):
                break
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        return self._sweep(folder) and not _ipc_left() and not (self.contained and kernel.connections_left())

    def _sweep(self, folder: str) -> bool:
        places: list[str] = [self.base]
        if self.contained:
            places.append("/dev/shm")  # noqa: S108
            stat = os.statvfs(self.base)
            if stat.f_files - stat.f_ffree > _INODES:
                return False
        for place in places:
            if not os.path.isdir(place):
                continue
            for name in os.listdir(place):
                path = os.path.join(place, name)
                try:
                    _remove(path)
                except (OSError, RecursionError):
                    return False
        return True


def _collect(pid: int) -> dict[str, Any]:
    """Collect a child that has ended, and say how."""
    _, status = os.waitpid(pid, 0)
    return {
        "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
    }


def _remove(path: str) -> None:
    """Remove a file or a folder with all that is in it; what most programs leave, a folder of files, in a few calls."""
    if not os.path.isdir(path) or os.path.islink(path):
        os.unlink(path)
        return
    try:
        for name in os.listdir(path):
            os.unlink(os.path.join(path, name))
        os.rmdir(path)
    except OSError:
        shutil.rmtree(path)


def _ipc_left() -> bool:
    """Tell whether System V objects outlived the program; only a new namespace is rid of them."""
    for kind in ("shm", "sem", "msg"):
        try:
            with open(f"/proc/sysvipc/{kind}", "rb") as file:
                if len(file.readlines()) > 1:
                    return True
        except OSError:
            continue
    return False
