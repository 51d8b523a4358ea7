"""The few kernel calls that the standard library does not offer, and what /proc says of other processes."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from typing import Any

_SET_DUMPABLE, _SET_SECCOMP, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 4, 22, 36, 38
_FILTER_MODE = 2
_FILTER_STEP = 8
_libc = ctypes.CDLL(None, use_errno=True)
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def set_dumpable(yes: bool) -> None:
    """Allow processes of the same user to trace this one and open its memory and descriptors, or forbid it."""
    _libc.prctl(_SET_DUMPABLE, int(yes), 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent has ended."""
    _libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


def filter_calls(program: bytes) -> None:
    """Put a system-call filter in force for this process and all that it starts, for ever.

    Raises:
        OSError: when the kernel does not take it.
    """
    filtering = _FilterProgram(len(program) // _FILTER_STEP, program)
    if _libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or _libc.prctl(
        _SET_SECCOMP, _FILTER_MODE, ctypes.byref(filtering), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the kernel does not take the system-call filter")


def is_filtered() -> bool:
    """Tell whether a system-call filter is in force for this process."""
    with open("/proc/self/status", "rb") as file:
        return any(line.split() == [b"Seccomp:", b"2"] for line in file)


def write_file(path: str, data: bytes, create: bool = True) -> None:
    """Write a file in one call; an opened text file costs a forked child twenty times that in pages of its own.

    Raises:
        OSError: when it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CLOEXEC | (os.O_CREAT | os.O_TRUNC if create else 0)
    descriptor = os.open(path, flags, 0o644)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def address_space() -> int:
    """Bytes of address space in use."""
    descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(os.read(descriptor, 200).split()[0]) * _PAGE
    finally:
        os.close(descriptor)


def holdings() -> tuple[int, int]:
    """The number of open descriptors of this process, and the bytes of memory that are its own."""
    with open("/proc/self/statm", "rb") as file:
        fields = file.read().split()
    return len(os.listdir("/proc/self/fd")), (int(fields[1]) - int(fields[2])) * _PAGE


_IOPRIO_GET = {"x86_64": 252, "aarch64": 31}.get(os.uname().machine)
_SYSCTLS = (
    "kernel/msgmax", "kernel/msgmnb", "kernel/msgmni", "kernel/sem", "kernel/shmall", "kernel/shmmax", "kernel/shmmni",
    "kernel/shm_rmid_forced", "fs/mqueue/msg_max", "fs/mqueue/msgsize_max", "fs/mqueue/queues_max",
    "net/ipv4/ip_local_port_range", "net/ipv4/ping_group_range", "net/ipv4/ip_unprivileged_port_start",
)  # fmt: skip
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
_LIMITS = sorted(value for name, value in vars(resource).items() if name.startswith("RLIMIT_"))


def standing(folders: tuple[str, ...] = ()) -> dict[str, Any]:
    """State of this process, and of shared `folders`, that others of the same user or namespace could change, to be
    felt by later programs."""
    found: dict[str, Any] = {f"limit {kind}": resource.getrlimit(kind) for kind in _LIMITS}
    found["priority"] = os.getpriority(os.PRIO_PROCESS, 0)
    found["scheduler"] = (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)
    found["affinity"] = sorted(os.sched_getaffinity(0))
    if _IOPRIO_GET is not None:
        found["i/o class"] = _libc.syscall(ctypes.c_long(_IOPRIO_GET), ctypes.c_int(1), ctypes.c_int(0))
    found |= {f"sysctl {name}": _content(f"/proc/sys/{name}") for name in _SYSCTLS}
    for name in _NAMESPACES:
        with contextlib.suppress(OSError):
            found[f"namespace {name}"] = os.readlink(f"/proc/self/ns/{name}")
    return found | {f"folder {path}": _rights(path) for path in folders}


def _rights(path: str) -> Any:
    """Who may do what in a folder, with what its attributes say of files to come (a default list of rights)."""
    try:
        stat = os.stat(path)
        rights: list[Any] = [stat.st_mode, stat.st_uid, stat.st_gid]
        with contextlib.suppress(OSError):  # not every file system has attributes
            rights += [(name, os.getxattr(path, name)) for name in sorted(os.listxattr(path))]
    except OSError as error:
        return error.errno
    return rights


def _content(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(descriptor, 200)
    finally:
        os.close(descriptor)


def shares_memory() -> bool:
    """Tell whether this process has memory that its children could write to and it would see."""
    with open("/proc/self/maps", "rb") as file:
        return any(line.split()[1][1:4:2] == b"ws" for line in file)


def connections_left() -> bool:
    """Tell whether the network namespace still knows a connection, which can keep its port from the next program.

    The counters are asked first: the kernel walks all of its hash table to write the list, which takes milliseconds.
    """
    counters = _counters("sockstat", b"TCP:") | _counters("sockstat6", b"TCP6:")
    if {b"inuse", b"tw"} <= set(counters) and not (counters[b"inuse"] or counters[b"tw"] or counters.get(b"inuse6")):
        return False
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), open(f"/proc/net/{table}", "rb") as file:
            if len(file.readlines()) > 1:
                return True
    return False


def _counters(table: str, row: bytes) -> dict[bytes, int]:
    """The numbers in a row of `/proc/net/sockstat`, by name; those of IPv6 end in 6."""
    lines = (_content(f"/proc/net/{table}") or b"").splitlines()
    words = b" ".join(line[len(row) :] for line in lines if line.startswith(row)).split()
    end = b"6" if table.endswith("6") else b""
    return {name + end: int(count) for name, count in zip(words[::2], words[1::2])}  # noqa: B905


def starved(pid: int) -> float:
    """Seconds that a process was ready to run and had to wait for a processor; 0.0 where the kernel does not say."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def others() -> list[int]:
    """Every other process in sight but the first."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]


def descendants() -> list[int]:
    """Every living process below this one."""
    parents: dict[int, list[int]] = {}
    for pid in others():
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(pid)
    found: list[int] = []
    left = [os.getpid()]
    while left:
        below = parents.get(left.pop(), [])
        found += below
        left += below
    return found


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process and its collected children have used; 0.0 when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / _TICKS_PER_SECOND


def resident(pid: int) -> int:
    """Bytes of real memory that are the process's share; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def reap(but: int = 0) -> None:
    """Collect every child that has ended, up to the one that is not to be collected."""
    try:
        while True:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None or ended.si_pid == but:
                return
            os.waitpid(ended.si_pid, 0)
    except ChildProcessError:
        pass


def collected_seconds() -> float:
    """Seconds of processor time of all children that have been collected, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def kill_all_others() -> None:
    """Kill every process of this namespace but the first and this one, in one step that no fork can outrun."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
