"""The command that makes a hardened bubblewrap sandbox.

Inside: namespaces of its own for users, processes, network, mounts, IPC and host name; no capability; no further
user namespace; a system-call filter; an unprivileged user; an empty environment but for an allow-list; `/usr`, the
loader's cache, the interpreter, the library's environment and the worker bound read-only; a private `/tmp` of
bounded size.

A root user gets a second layer: the file system is laid out first, then the user id is given up for an unused one,
then the sandbox is made as by a normal user. Otherwise the kernel would not count processes (it exempts user 0 from
RLIMIT_NPROC, through user namespaces too), and files owned by root would be owned by the program.
"""

import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import IsolationMissing
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.layout import (
    SANDBOX_USER,
    VARIABLES,
    Script,
    hidden_folders,
    is_within,
    readable_binds,
    root_links,
)
from apigap.sandbox.isolation.profile import Profile

REPAIR = (
    "allow unprivileged user namespaces with `sysctl -w user.max_user_namespaces=15000` "
    "(Ubuntu 24.04 and newer also: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`; in a container: "
    "start it with --security-opt seccomp=unconfined), or give --unsafe-local to run without isolation"
)

_DROP_ROOT = (
    "import os,sys;u=int(sys.argv[1]);os.setgroups([]);os.setresgid(u,u,u);os.setresuid(u,u,u);"
    "os.execv(sys.argv[2],sys.argv[2:])"
)
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


def bubblewrap_command(
    environment: Environment, profile: Profile, command: Sequence[str], scripts: Sequence[Script], filter_fd: int | None
) -> list[str]:
    """The full command line that runs `command` inside the sandbox.

    `filter_fd` is an inherited descriptor from which the system-call filter can be read to its end. Both layers
    pass it on; the inner one puts the filter in force as its last step, so that it does not hinder the set-up.

    Raises:
        IsolationMissing: when bubblewrap is not there.
    """
    binds = readable_binds(environment, scripts)
    hidden = _hide(hidden_folders(environment))
    options = [*_INNER, *([] if filter_fd is None else ["--seccomp", str(filter_fd)])]
    end = [*_private(profile), *_variables(), "--"]
    if profile.layers == 1:
        return [_bwrap(), *options, *_mounts(binds), *hidden, *end, *command]
    inside = [(target, target) for _, target in binds]
    inner = ["/usr/bin/env", "-i", _bwrap_inside(), *options, *_mounts(inside), *end, *command]
    unused = str(900_000_000 + secrets.randbelow(99_000_000))
    drop = [os.path.realpath(environment.python), "-I", "-S", "-c", _DROP_ROOT, unused]
    return [_bwrap(), *_OUTER, *_mounts(binds), *hidden, "--remount-ro", "/", "--", *drop, *inner]


def _mounts(binds: Sequence[tuple[str, str]]) -> list[str]:
    """Bind options. Parent folders are made readable first: bubblewrap would make them 0700 for another user."""
    options = [part for path, target in root_links().items() for part in ("--symlink", target, path)]
    made: set[str] = set()
    for source, target in binds:
        for parent in reversed(Path(target).parents[:-1]):
            if str(parent) not in made and not is_within(str(parent), ["/usr"]):
                options += ["--perms", "0755", "--dir", str(parent)]
                made.add(str(parent))
        options += ["--ro-bind", source, target]
    return options


def _hide(folders: Sequence[str]) -> list[str]:
    """Options that lay an empty, read-only folder over each of these."""
    return [part for path in folders for part in ("--size", "4096", "--tmpfs", path, "--remount-ro", path)]


def _private(profile: Profile) -> list[str]:
    size = str(profile.tmpfs_bytes)
    return [
        "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev",
        "--size", size, "--perms", "1777", "--tmpfs", "/dev/shm",  # noqa: S108
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
    if not is_within(found, ["/usr"]):
        raise IsolationMissing(
            f"bwrap is at {found}, outside /usr, where the sandbox of a root user cannot find it; install the "
            "distribution's package (`apt-get install bubblewrap`) or run apigap as a normal user"
        )
    return found
