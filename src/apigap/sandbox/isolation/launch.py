"""Starting a worker in its isolation, and ending it with everything that it started or left."""

import contextlib
import functools
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from apigap.records.errors import InfrastructureError
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.availability import filter_to_read, sandbox_command
from apigap.sandbox.isolation.cgroups import Cgroup, whole_memory, whole_processes
from apigap.sandbox.isolation.containers import CONTROL_SOCKET, container_command, remove_container
from apigap.sandbox.isolation.layout import (
    ENVIRONMENT_PATH,
    VARIABLES,
    WORKER_FOLDER,
    WORKER_PATH,
    WRITABLE,
    Script,
    readable_binds,
)
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.isolation.seccomp import filter_here
from apigap.sandbox.limits import Limits
from apigap.sandbox.streams import Stream, drain

START_SECONDS = 30.0
_CONNECT_TICK = 0.2
_END_SECONDS = 2.0


class SandboxLost(InfrastructureError):
    """A sandbox could not be started, or does not answer."""


class Worker:
    """One worker process in its isolation. Made in two steps: the worker's arguments depend on the first.

    `folder` is the private folder of a run without isolation; `group` its control group, None where there is none
    of our own. With `bare` it is run by the interpreter that the environment is made of, which looks into no
    site-packages: nothing of the environment is imported or started. After `start` there are `process` (of a
    container: the command that follows it) and `control`, the socket over which host and worker talk.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket

    def __init__(self, profile: Profile, limits: Limits, bare: bool = False) -> None:
        self.profile = profile
        self.limits = limits
        self._bare = bare
        self.errors = Stream()
        self._undo = contextlib.ExitStack()
        self.group = _control_group(profile, limits)
        if self.group is not None:
            self._undo.callback(self.group.remove)
        self.folder = None if profile.contained else self._new_folder()
        self._container = f"apigap-{os.getpid()}-{secrets.token_hex(4)}"

    def start(
        self, environment: Environment, role: str, arguments: Sequence[str], scripts: Sequence[Script] = ()
    ) -> None:
        """Start the worker's boot file as `role`; it inherits the control socket, or is bound it, and nothing else.

        Raises:
            SandboxLost: when it cannot be started; everything is closed then.
            IsolationMissing: when there is nothing to isolate it with.
        """
        try:
            if self.profile.is_container:
                self._start_container(environment, role, arguments, scripts)
            else:
                self._start_process(environment, role, arguments, scripts)
        except BaseException:
            self.close()
            raise

    def confinement(self, environment: Environment, scripts: Sequence[Script] = ()) -> dict[str, Any]:
        """Settings of `worker/confine.py`: the confinement that the worker must take on before it serves."""
        program = filter_here() if self.profile.is_container else None
        restricts = self.profile.landlock is not None
        return {
            "readable": [target for _, target in readable_binds(environment, scripts)] if restricts else [],
            "writable": list(WRITABLE) if restricts else [],
            "filter": program.hex() if program else "",
        }

    def check_confinement(self, said: object) -> None:
        """Compare what the worker says is in force with the profile: what is written down must be true.

        Raises:
            SandboxLost: when it is not.
        """
        if self.profile.contained:
            found: dict[str, Any] = said if isinstance(said, dict) else {}  # pyright: ignore[reportUnknownVariableType]
            landlock, filtered = self.profile.landlock or 0, self.profile.seccomp is not None
            if found.get("landlock") != landlock or (filtered and found.get("seccomp") is not True):
                raise SandboxLost(
                    f"the sandbox says that {said!r} is in force; it should be landlock {landlock}, "
                    f"{'a' if filtered else 'no'} system-call filter"
                )

    def last_words(self) -> str:
        """The reason that the worker has ended, as far as it can be known."""
        assert self.process.stderr is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)
        drain(self.process.stderr.fileno(), self.errors)
        said = self.errors.text.strip()[-600:]
        return f"the sandbox ended (exit code {self.process.returncode}): {said or 'it said nothing'}"

    def close(self) -> None:
        """End every process of the worker and remove what it left on the host."""
        self._undo.close()

    def _new_folder(self) -> str:
        folder = tempfile.mkdtemp(prefix="apigap-")
        self._undo.callback(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def _end_process(self) -> None:
        if self.profile.is_container:
            self._end_container()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()

    def _end_container(self) -> None:
        """The worker is the container's first process and ends when the host hangs up; otherwise it is removed."""
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(subprocess.TimeoutExpired):
                remove_container(self.profile, self._container)

    def _start_process(
        self, environment: Environment, role: str, arguments: Sequence[str], scripts: Sequence[Script]
    ) -> None:
        self.control, theirs = socket.socketpair()
        self._undo.callback(self.control.close)
        filter_fd = filter_to_read() if self.profile.seccomp else None
        try:
            command = self._worker_command(environment, role, str(theirs.fileno()), arguments)
            command = sandbox_command(environment, self.profile, command, scripts, filter_fd)
            inherited = [theirs.fileno(), *([] if filter_fd is None else [filter_fd])]
            self._spawn(self.group.enter(command) if self.group else command, inherited)
        finally:
            theirs.close()
            if filter_fd is not None:
                os.close(filter_fd)

    def _start_container(
        self, environment: Environment, role: str, arguments: Sequence[str], scripts: Sequence[Script]
    ) -> None:
        # The outer folder keeps other users of the host out, the inner one lets the container's user in.
        inner = Path(self._new_folder()) / "control"
        inner.mkdir()
        inner.chmod(0o755)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(inner / "socket"))
            (inner / "socket").chmod(0o666)
            listener.listen(1)
            command = self._worker_command(environment, role, CONTROL_SOCKET, arguments)
            command = container_command(
                environment, self.profile, self.limits, command, scripts, self._container, inner
            )
            self._spawn(command, [])
            self.control = self._accept(listener)
            self._undo.callback(self.control.close)
        (inner / "socket").unlink()

    def _accept(self, listener: socket.socket) -> socket.socket:
        listener.settimeout(_CONNECT_TICK)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            try:
                control, _ = listener.accept()
            except TimeoutError:
                if self.process.poll() is not None:
                    raise SandboxLost(self.last_words()) from None
            else:
                control.setblocking(True)
                return control
        raise SandboxLost(f"the container did not start within {START_SECONDS:.0f} s")

    def _worker_command(self, environment: Environment, role: str, control: str, arguments: Sequence[str]) -> list[str]:
        if self.profile.contained:
            python, boot = f"{ENVIRONMENT_PATH}/bin/python", f"{WORKER_PATH}/boot.py"
        else:
            python, boot = str(environment.python), str(WORKER_FOLDER / "boot.py")
        interpreter = [os.path.realpath(environment.python), "-I", "-S"] if self._bare else [python, "-s"]
        return [*interpreter, boot, role, control, *arguments]

    def _spawn(self, command: list[str], inherited: list[int]) -> None:
        variables = {**VARIABLES, "HOME": self.folder, "TMPDIR": self.folder} if self.folder else VARIABLES
        if self.profile.is_container:
            variables = dict(os.environ)  # the engine's command finds its daemon by them; none reaches the container

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                pass_fds=inherited, env=variables, start_new_session=True, cwd=self.folder or "/",
            )  # fmt: skip

        try:
            self.process = _starter().submit(start).result()
        except OSError as error:
            raise SandboxLost(f"cannot start {command[0]}: {error}") from error
        self._undo.callback(self._end_process)


@functools.cache
def _starter() -> ThreadPoolExecutor:
    """The one thread that starts sandboxes: they die with the thread that started them, not with the process."""
    return ThreadPoolExecutor(1, thread_name_prefix="apigap-starter")


def _control_group(profile: Profile, limits: Limits) -> Cgroup | None:
    """A new control group for one sandbox; None where none can be made, or a container engine makes its own."""
    if profile.cgroup not in ("v1", "v2"):
        return None
    group = Cgroup(profile.cgroup, whole_memory(limits), whole_processes(limits))
    try:
        group.create()
    except OSError as error:
        group.remove()
        raise SandboxLost(f"cannot make a control group: {error}") from error
    return group
