"""The hardened bubblewrap sandbox, and the refusal to run anything without one.

Inside: namespaces of its own for users, processes, network, mounts, IPC and host name; no capability; no further
user namespace; an unprivileged user; an empty environment but for an allow-list; `/usr`, the loader's cache, the
interpreter, the library's environment and the worker bound read-only; a private `/tmp` of bounded size.

A root user gets a second layer: the file system is laid out first, then the user id is given up for an unused one,
then the sandbox is made as by a normal user. Otherwise the kernel would not count processes (it exempts user 0 from
RLIMIT_NPROC, through user namespaces too), and files owned by root would be owned by the program.
"""

import functools
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from apigap.execution.environments import Environment
from apigap.execution.limits import Limits
from apigap.records.base import Record
from apigap.records.errors import IsolationMissing

ENVIRONMENT_PATH = "/environment"
WORKER_PATH = "/harness/_apigap_worker"
SANDBOX_USER = 65534
WORKER_FOLDER = Path(__file__).parent / "worker"

VARIABLES = {
    "PATH": f"{ENVIRONMENT_PATH}/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108
    "TMPDIR": "/tmp",  # noqa: S108
    "USER": "nobody",
    "LOGNAME": "nobody",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "HF_HUB_OFFLINE": "1",
    "NO_COLOR": "1",
}
"""The whole environment of a program. Threads are few and the hash seed is fixed, so that a run can be repeated."""

_DROP_ROOT = (
    "import os,sys;u=int(sys.argv[1]);os.setgroups([]);os.setresgid(u,u,u);os.setresuid(u,u,u);"
    "os.execv(sys.argv[2],sys.argv[2:])"
)


class Profile(Record):
    """What isolation is in force; it is part of every verdict's detail.

    `binds` are the paths inside the sandbox that can be read, `cgroup` the version that bounds memory and
    processes, or null where none is writable (then rlimits and the zygote's own watch do it).
    """

    backend: Literal["bubblewrap", "none"]
    namespaces: tuple[str, ...] = ()
    layers: int = 1
    uid: int
    binds: tuple[str, ...] = ()
    tmpfs_bytes: int = 0
    rlimits: dict[str, int] = {}
    cgroup: Literal["v1", "v2"] | None = None

    @property
    def name(self) -> str:
        """A short name for reports: `bubblewrap`, `bubblewrap+cgroup-v1`, `none (unsafe-local)`."""
        if self.backend == "none":
            return "none (unsafe-local)"
        return f"bubblewrap+cgroup-{self.cgroup}" if self.cgroup else "bubblewrap"


def make_profile(limits: Limits, cgroup: Literal["v1", "v2"] | None, unsafe_local: bool) -> Profile:
    """The profile for this machine and these limits."""
    rlimits = {
        "AS": limits.memory,
        "CPU": limits.cpu_seconds,
        "FSIZE": limits.temporary,
        "NOFILE": limits.open_files,
        "NPROC": limits.processes,
        "CORE": 0,
    }
    if unsafe_local:
        return Profile(backend="none", uid=os.getuid(), rlimits=rlimits)
    return Profile(
        backend="bubblewrap",
        namespaces=("user", "pid", "net", "mount", "ipc", "uts", "cgroup"),
        layers=2 if os.getuid() == 0 else 1,
        uid=SANDBOX_USER,
        binds=("/usr", "/etc/ld.so.cache", "<base_prefix>", ENVIRONMENT_PATH, WORKER_PATH),
        tmpfs_bytes=limits.temporary,
        rlimits=rlimits,
        cgroup=cgroup,
    )


def sandbox_command(
    environment: Environment, profile: Profile, command: Sequence[str], scripts: Sequence[tuple[Path, str]] = ()
) -> list[str]:
    """The full command line that runs `command` inside the sandbox.

    `scripts` are further files to bind read-only, as (path on the host, path inside). With the backend `none`
    the command is returned as it is.
    """
    if profile.backend == "none":
        return list(command)
    binds = _binds(environment, scripts)
    inner = [_bwrap(), *_INNER, *_mounts(binds), *_private(profile), *_variables(), "--", *command]
    if profile.layers == 1:
        return inner
    inside = [(target, target) for _, target in binds]
    inner = ["/usr/bin/env", "-i", _bwrap_inside(), *_INNER, *_mounts(inside), *_private(profile), *_variables(), "--"]
    unused = str(900_000_000 + secrets.randbelow(99_000_000))
    python = os.path.realpath(environment.python)
    drop = [python, "-I", "-S", "-c", _DROP_ROOT, unused]
    return [_bwrap(), *_OUTER, *_mounts(binds), "--remount-ro", "/", "--", *drop, *inner, *command]


_INNER = [
    "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session",
    "--cap-drop", "ALL", "--clearenv", "--uid", str(SANDBOX_USER), "--gid", str(SANDBOX_USER), "--hostname", "sandbox",
]  # fmt: skip
_OUTER = [
    # The process namespace of the outer layer makes everything inside die with it, whichever user it runs as.
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent",
    "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID",
    "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--perms", "0755", "--dir", "/tmp",  # noqa: S108
]  # fmt: skip


def _binds(environment: Environment, scripts: Sequence[tuple[Path, str]]) -> list[tuple[str, str]]:
    """(source, target) of all that is readable inside; the interpreter keeps its path, for its symlinks point there."""
    binds = [("/usr", "/usr")]
    base = os.path.realpath(environment.base_prefix)
    real = os.path.dirname(os.path.dirname(os.path.realpath(environment.python)))  # noqa: PTH120
    for path in dict.fromkeys((str(environment.base_prefix), base, real)):
        if not _within(path, [target for _, target in binds]):
            binds.append((path, path))
    if os.path.exists("/etc/ld.so.cache"):  # noqa: PTH110
        binds.append(("/etc/ld.so.cache", "/etc/ld.so.cache"))
    binds.append((str(environment.root), ENVIRONMENT_PATH))
    binds.append((str(WORKER_FOLDER), WORKER_PATH))
    binds.extend((str(path), inside) for path, inside in scripts)
    return binds


def _within(path: str, parents: list[str]) -> bool:
    return any(path == parent or path.startswith(parent + "/") for parent in parents)


def _mounts(binds: Sequence[tuple[str, str]]) -> list[str]:
    """Bind options. Parent folders are made readable first: bubblewrap would make them 0700 for another user."""
    options: list[str] = []
    for link in ("bin", "sbin", "lib", "lib64", "lib32"):
        source = Path("/") / link
        if source.is_symlink():
            options += ["--symlink", os.readlink(source), str(source)]  # noqa: PTH115
        elif source.is_dir():
            options += ["--ro-bind", str(source), str(source)]
    made: set[str] = set()
    for source, target in binds:
        for parent in reversed(Path(target).parents[:-1]):
            if str(parent) not in made and not _within(str(parent), ["/usr"]):
                options += ["--perms", "0755", "--dir", str(parent)]
                made.add(str(parent))
        options += ["--ro-bind", source, target]
    return options


def _private(profile: Profile) -> list[str]:
    size = str(profile.tmpfs_bytes)
    return [
        "--proc", "/proc", "--dev", "/dev", "--size", size, "--perms", "1777", "--tmpfs", "/dev/shm",  # noqa: S108
        "--size", size, "--perms", "1777", "--tmpfs", "/tmp",  # noqa: S108
        "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp",  # noqa: S108
    ]  # fmt: skip


def _variables() -> list[str]:
    return [part for name, value in VARIABLES.items() for part in ("--setenv", name, value)]


def _bwrap() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise IsolationMissing(
            "bubblewrap (bwrap) is not installed, so generated code cannot be isolated; install it with "
            "`apt-get install bubblewrap` (or `dnf install bubblewrap`), or give --unsafe-local to do without isolation"
        )
    return found


def _bwrap_inside() -> str:
    found = os.path.realpath(_bwrap())
    if not _within(found, ["/usr"]):
        raise IsolationMissing(
            f"bwrap is at {found}, outside /usr, where the sandbox of a root user cannot find it; install the "
            "distribution's package (`apt-get install bubblewrap`) or run apigap as a normal user"
        )
    return found


def require_isolation() -> None:
    """Check once that a sandbox can be made here.

    Raises:
        IsolationMissing: when bubblewrap is missing or the kernel refuses it; says which command repairs it.
    """
    problem = _probe()
    if problem is not None:
        raise IsolationMissing(problem)


@functools.cache
def _probe() -> str | None:
    try:
        command = _probe_command()
    except IsolationMissing as error:
        return str(error)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be started ({error}); check `bwrap --version`, or give --unsafe-local"
    if done.returncode == 0:
        return None
    return (
        f"bubblewrap cannot make a sandbox here ({done.stderr.strip()[-300:] or f'exit code {done.returncode}'}); "
        "allow unprivileged user namespaces with `sysctl -w user.max_user_namespaces=15000` "
        "(Ubuntu 24.04 and newer also: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`; in a container: "
        "start it with --security-opt seccomp=unconfined), or give --unsafe-local to run without isolation"
    )


def _probe_command() -> list[str]:
    """A real sandbox around the interpreter that runs apigap, which only exits."""
    prefix, python = Path(sys.base_prefix), Path(sys.executable)
    itself = Environment(
        library="", version="", root=Path(sys.prefix), python=python, base_prefix=prefix,
        site_packages=prefix, packages=(), lock="",
    )  # fmt: skip
    return sandbox_command(itself, make_profile(Limits(), None, False), ["/usr/bin/env", "true"])
