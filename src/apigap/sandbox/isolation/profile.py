"""The isolation in force, as a record: it goes into every manifest, and its name into every verdict."""

import os
from typing import Literal

from apigap.records.base import Record
from apigap.records.configuration import Backend
from apigap.sandbox.isolation.layout import ENVIRONMENT_PATH, SANDBOX_USER, WORKER_PATH
from apigap.sandbox.isolation.seccomp import filter_hash, filter_here
from apigap.sandbox.limits import Limits


class Profile(Record):
    """The isolation in force; a sandbox that does not confirm it is not used.

    `binds` are the paths inside the sandbox that can be read. `seccomp` names the system-call filter by its hash
    (null where there is none for this architecture), `landlock` is the version in force (null where the kernel has
    none). `cgroup` is the kind that bounds memory and processes, or null where none is writable (then rlimits and
    the zygote's own watch do it).
    """

    backend: Backend | Literal["none"]
    namespaces: tuple[str, ...] = ()
    layers: int = 1
    uid: int
    binds: tuple[str, ...] = ()
    tmpfs_bytes: int = 0
    rlimits: dict[str, int] = {}
    cgroup: Literal["v1", "v2", "container"] | None = None
    seccomp: str | None = None
    landlock: int | None = None

    @property
    def name(self) -> str:
        """A short name for reports: `bubblewrap`, `bubblewrap+cgroup-v1`, `docker`, `none (unsafe-local)`."""
        if self.backend == "none":
            return "none (unsafe-local)"
        return f"{self.backend}+cgroup-{self.cgroup}" if self.cgroup in ("v1", "v2") else self.backend

    @property
    def contained(self) -> bool:
        """Tell whether there is any isolation at all."""
        return self.backend != "none"

    @property
    def is_container(self) -> bool:
        """Tell whether a container engine makes the sandbox."""
        return self.backend not in ("bubblewrap", "none")


def local_profile(limits: Limits) -> Profile:
    """The profile of a run without isolation: only limits per process."""
    return Profile(backend="none", uid=os.getuid(), rlimits=_rlimits(limits))


def sandbox_profile(
    limits: Limits, backend: Backend, cgroup: Literal["v1", "v2"] | None = None, landlock: int | None = None
) -> Profile:
    """The profile of a sandbox on this machine; `landlock` is the version that was found inside one."""
    container = backend != "bubblewrap"
    program = filter_here()
    return Profile(
        backend=backend,
        namespaces=("user", "pid", "net", "mount", "ipc", "uts", "cgroup")[1 if container else 0 :],
        layers=2 if os.getuid() == 0 and not container else 1,
        uid=SANDBOX_USER,
        binds=("/usr", "/etc/ld.so.cache", "<base_prefix>", ENVIRONMENT_PATH, WORKER_PATH),
        tmpfs_bytes=limits.temporary,
        rlimits=_rlimits(limits),
        cgroup="container" if container else cgroup,
        seccomp=filter_hash(program) if program else None,
        landlock=landlock,
    )


def _rlimits(limits: Limits) -> dict[str, int]:
    return {
        "AS": limits.memory,
        "CPU": limits.cpu_seconds,
        "FSIZE": limits.temporary,
        "NOFILE": limits.open_files,
        "NPROC": limits.processes,
        "CORE": 0,
    }
