"""A control group around one sandbox, where the machine lets us make one (v1 or v2)."""

import contextlib
import functools
import os
import secrets
import time
from pathlib import Path
from typing import Literal

from apigap.sandbox.limits import MIB, Limits

ROOT = Path("/sys/fs/cgroup")
Version = Literal["v1", "v2"]
_OPTIONAL = ("memory.swap.max",)
_BASELINE = 1024 * MIB  # what the preloaded library may hold before a program starts
_OWN_PROCESSES = 12


def whole_memory(limits: Limits) -> int:
    """Bytes that one sandbox may hold in all: the library, one program and its files."""
    return limits.memory + limits.temporary + _BASELINE


def whole_processes(limits: Limits) -> int:
    """The number of processes and threads that one sandbox may have in all."""
    return limits.processes + _OWN_PROCESSES


@functools.cache
def writable_version() -> Version | None:
    """The kind of control group that can be made here, found by making one; removes what killed runs have left."""
    for stale in [*ROOT.glob("apigap-*"), *ROOT.glob("*/apigap-*")]:
        owner = stale.name.split("-")[1]
        if not Path(f"/proc/{owner}").exists():
            with contextlib.suppress(OSError):
                stale.rmdir()
    for version in ("v2", "v1"):
        group = Cgroup(version, memory=1 << 30, processes=64)
        try:
            group.create()
        except OSError:
            continue
        else:
            return version
        finally:
            group.remove()
    return None


class Cgroup:
    """Bounds on real memory (bytes) and on the number of processes of everything that is started inside."""

    def __init__(self, version: Version, memory: int, processes: int) -> None:
        name = f"apigap-{os.getpid()}-{secrets.token_hex(4)}"
        self.version = version
        self._settings: dict[Path, dict[str, int]]
        if version == "v2":
            folder = ROOT / name
            settings = {"memory.max": memory, "memory.swap.max": 0, "pids.max": processes}
            self._settings = {folder: settings}
            self._events = folder / "memory.events"
        else:
            folder = ROOT / "memory" / name
            self._settings = {folder: {"memory.limit_in_bytes": memory}, ROOT / "pids" / name: {"pids.max": processes}}
            self._events = folder / "memory.oom_control"

    def create(self) -> None:
        """Make the groups and set the bounds.

        Raises:
            OSError: when this machine does not let us.
        """
        for folder, settings in self._settings.items():
            folder.mkdir()
            for name, value in settings.items():
                # "r+": in a folder that is no control group the files are not there, and must not be made.
                if name not in _OPTIONAL or (folder / name).exists():
                    with (folder / name).open("r+") as file:
                        file.write(str(value))

    def enter(self, command: list[str]) -> list[str]:
        """A command that moves itself into the groups and then becomes `command`."""
        moves = "; ".join(f"echo $$ > {folder}/cgroup.procs || exit 125" for folder in self._settings)
        return ["/bin/sh", "-c", f'{moves}; exec "$@"', "sh", *command]

    def out_of_memory_kills(self) -> int:
        """The number of processes that the kernel has killed here for want of memory."""
        with contextlib.suppress(OSError, ValueError):
            for line in self._events.read_text().splitlines():
                name, _, count = line.partition(" ")
                if name == "oom_kill":
                    return int(count)
        return 0

    def remove(self) -> None:
        """Remove the groups; processes that are still dying get a second for it."""
        for folder in self._settings:
            for _ in range(50):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.02)
                else:
                    break
