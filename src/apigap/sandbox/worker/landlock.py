"""Landlock: a process gives up file access that its mounts would allow, for itself and all that it starts.

The mounts of the sandbox say the same. This is a second wall, kept by another part of the kernel, so that a hole in
one is not a hole in both. It also keeps a process from tracing or signalling whatever was not started by the one
that restricted itself.

Run as a program it prints the version that can be had, as a number.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

OLDEST, NEWEST = 2, 6
SIGNALS_SINCE = 6
"""Version 1 (Linux 5.13 to 5.18) forbids every move between folders, which honest programs need: it is not used."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_NO_NEW_PRIVILEGES = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE = 0b11 << 4
_MAKE = 0b101111 << 7  # folders, files, sockets, pipes and links: no devices
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1
_FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

READ = READ_FILE | READ_DIR | EXECUTE
WRITE = READ | WRITE_FILE | _REMOVE | _MAKE | REFER | TRUNCATE
DEVICES = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV
PROCESSES = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE
"""Rights on /proc, which decides file by file; writing (which opens with truncation) is needed for a process's own
settings, such as who is ended first when memory runs out."""

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """The version whose rights can be put in force here; 0 where the kernel has none that is of use."""
    found = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return min(found, NEWEST) if found >= OLDEST else 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Allow this process only to read and run what lies beneath `readable`, and to change `writable`; for ever.

    Returns the version in force; 0, with nothing restricted, where the kernel has none.

    Raises:
        OSError: when the kernel has it and refuses nevertheless.
    """
    found = version()
    if not found:
        return 0
    handled = _handled(found)
    scoped = _ABSTRACT_SOCKETS | _SIGNALS if found >= SIGNALS_SINCE else 0
    attributes = struct.pack("=QQQ", handled, 0, scoped)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    rules = [("/", READ_DIR), ("/proc", PROCESSES), ("/dev", DEVICES)]
    rules += [(path, READ) for path in readable] + [(path, WRITE) for path in writable]
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights & handled)
        if _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_NO_NEW_PRIVS)")
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)
    return found


def keep_signals_inside() -> None:
    """Allow this process and what it starts to signal only each other; it takes version 6.

    Raises:
        OSError: when the kernel refuses.
    """
    attributes = struct.pack("=QQQ", REFER, 0, _SIGNALS)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    try:
        _allow(ruleset, "/", REFER)  # moves between folders: every layer refuses them that does not name them
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _handled(found: int) -> int:
    """Every right over files that this version knows: what no rule allows is refused."""
    last = 16 if found >= 5 else 15 if found >= 3 else 14
    return (1 << last) - 1


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _FILE_ONLY
        rule = struct.pack("=Qi", rights, handle)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(handle)


def _call(number: int, *arguments: object) -> int:
    result = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"landlock (system call {number}): {os.strerror(code)}")
    return result


if __name__ == "__main__":
    print(version())
