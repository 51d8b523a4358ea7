"""Isolation as this machine offers it, and the refusal to run anything without one."""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from apigap.records.configuration import Backend
from apigap.records.errors import IsolationMissing
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.bubblewrap import REPAIR, bubblewrap_command
from apigap.sandbox.isolation.containers import container_command
from apigap.sandbox.isolation.layout import WORKER_PATH, Script
from apigap.sandbox.isolation.profile import Profile, local_profile, sandbox_profile
from apigap.sandbox.isolation.seccomp import filter_here
from apigap.sandbox.limits import Limits

_PROBE_SECONDS = 60


def make_profile(
    limits: Limits, cgroup: Literal["v1", "v2"] | None, unsafe_local: bool, backend: Backend = "bubblewrap"
) -> Profile:
    """The profile for this machine and these limits."""
    if unsafe_local:
        return local_profile(limits)
    return sandbox_profile(limits, backend, cgroup, _probe(backend).landlock)


def sandbox_command(
    environment: Environment,
    profile: Profile,
    command: Sequence[str],
    scripts: Sequence[Script] = (),
    filter_fd: int | None = None,
) -> list[str]:
    """The full command line that runs `command` inside a sandbox that inherits descriptors.

    `scripts` are further files to bind read-only; `filter_fd` is described at `filter_to_read`. With the backend
    `none` the command is returned as it is.
    """
    if not profile.contained:
        return list(command)
    return bubblewrap_command(environment, profile, command, scripts, filter_fd)


def filter_to_read() -> int | None:
    """A descriptor from which the system-call filter can be read once, to its end; the caller closes it.

    None where there is no filter for this architecture.
    """
    program = filter_here()
    if program is None:
        return None
    read, write = os.pipe()
    os.write(write, program)  # far less than a pipe holds
    os.close(write)
    return read


def require_isolation(backend: Backend = "bubblewrap") -> None:
    """Check once that a sandbox can be made here.

    Raises:
        IsolationMissing: when the backend is missing or the kernel refuses it; says which command repairs it.
    """
    problem = _probe(backend).problem
    if problem is not None:
        raise IsolationMissing(problem)


@dataclass(frozen=True)
class _Found:
    """Findings of a first sandbox: the reason that there can be none, or the version of landlock in it."""

    problem: str | None = None
    landlock: int | None = None


@functools.cache
def _probe(backend: Backend) -> _Found:
    """Make a real sandbox that asks for landlock's version, under the filter if there is one."""
    filter_fd = filter_to_read()
    try:
        with tempfile.TemporaryDirectory(prefix="apigap-") as folder:
            command = _probe_command(backend, Path(folder), filter_fd)
            inherited = () if filter_fd is None else (filter_fd,)
            done = subprocess.run(
                command, capture_output=True, text=True, pass_fds=inherited, timeout=_PROBE_SECONDS, check=False
            )
    except IsolationMissing as error:
        return _Found(str(error))
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Found(f"{backend} cannot be started ({error}); check its --version, or give --unsafe-local")
    finally:
        if filter_fd is not None:
            os.close(filter_fd)
    if done.returncode == 0 and done.stdout.strip().isdigit():
        return _Found(landlock=int(done.stdout) or None)
    said = done.stderr.strip()[-300:] or f"exit code {done.returncode}"
    repair = REPAIR if backend == "bubblewrap" else f"try `{backend} run`, or use the bubblewrap backend"
    return _Found(f"{backend} cannot make a sandbox here ({said}); {repair}")


def _probe_command(backend: Backend, folder: Path, filter_fd: int | None) -> list[str]:
    """A sandbox around the interpreter that runs apigap, which only says which landlock it finds."""
    prefix, python = Path(sys.base_prefix), Path(sys.executable)
    itself = Environment(
        library="", version="", root=Path(sys.prefix), python=python, base_prefix=prefix,
        site_packages=prefix, packages=(), lock="",
    )  # fmt: skip
    command = [os.path.realpath(python), "-I", "-S", f"{WORKER_PATH}/landlock.py"]
    profile = sandbox_profile(Limits(), backend)
    if backend == "bubblewrap":
        return sandbox_command(itself, profile, command, (), filter_fd)
    return container_command(itself, profile, Limits(), command, (), f"apigap-probe-{os.getpid()}", folder)
