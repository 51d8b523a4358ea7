"""What a run may not leave behind: processes and control groups; and how much memory this process holds."""

import os
import secrets
from pathlib import Path

from apigap.sandbox.isolation.cgroups import ROOT
from apigap.sandbox.limits import Limits


def marked(limits: Limits) -> Limits:
    """The same limits with a wall time that no other run on this machine has: it is on each sandbox's command line."""
    return limits.model_copy(update={"wall_seconds": limits.wall_seconds + secrets.randbelow(10**6) / 10**7})


def processes_left(limits: Limits) -> int:
    """Living processes of sandboxes that were started under these (marked) limits."""
    mark = f'"wall_seconds":{limits.wall_seconds}'.encode()
    return sum(mark in line for line in map(_command_line, Path("/proc").iterdir()))


def groups_left() -> int:
    """Control groups that this process made and that are still there."""
    pattern = f"apigap-{os.getpid()}-*"
    return len([*ROOT.glob(pattern), *ROOT.glob(f"*/{pattern}")])


def descriptors() -> int:
    """Open file descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def resident_mib() -> float:
    """Memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _command_line(folder: Path) -> bytes:
    if not folder.name.isdigit() or folder.name == str(os.getpid()):
        return b""
    try:
        return (folder / "cmdline").read_bytes()
    except OSError:
        return b""
