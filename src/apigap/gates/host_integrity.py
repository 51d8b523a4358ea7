"""Integrity of this machine: the libraries, folders and processes that hostile answers must not change."""

import os
import site
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.gates.battery.case import MARK
from apigap.packages.environments import files_hash
from apigap.records.base import content_hash
from apigap.sandbox.environment import Environment

_STARTUP = (".profile", ".bashrc", ".bash_profile", ".zshrc", "sitecustomize.py", "usercustomize.py")
_BELOW_HOME = ("", ".config", ".config/autostart", ".local/bin")
_SANDBOX_USERS = 900_000_000
_PATIENCE = 5.0


@dataclass(frozen=True)
class MachineState:
    """The state of the machine at one moment.

    `environments` maps the folder of each environment to the hash of all its files, `files` each start-up file and
    whatever carries the battery's mark to its hash, `processes` are all process numbers.
    """

    environments: dict[Path, str]
    files: dict[Path, str]
    processes: frozenset[int]


def machine_state(environments: Sequence[Environment]) -> MachineState:
    """The state now."""
    hashes = {environment.root: files_hash(environment.root) for environment in environments}
    files = {path: _hash(path) for folder in _folders() for path in _noted(folder)}
    return MachineState(hashes, files, frozenset(_processes()))


def changes_since(before: MachineState, environments: Sequence[Environment]) -> list[str]:
    """The differences from before, in words. Sandboxes that are about to end get a few seconds."""
    after = machine_state(environments)
    found = [
        f"files of {root} have changed"
        for root, known in after.environments.items()
        if before.environments.get(root) != known
    ]
    found += [f"{path} has been written" for path, known in after.files.items() if before.files.get(path) != known]
    found += [f"{path} has been removed" for path in before.files.keys() - after.files.keys()]
    until = time.monotonic() + _PATIENCE
    while (left := _left_over(before.processes, environments)) and time.monotonic() < until:
        time.sleep(0.1)
    return found + [f"process {pid} is still there: {_command(pid)[:120]}" for pid in left]


def _folders() -> list[Path]:
    home = Path.home()
    others = [Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/"), Path.cwd(), Path(site.getusersitepackages())]  # noqa: S108
    return [*(home / name for name in _BELOW_HOME), *others]


def _noted(folder: Path) -> Iterator[Path]:
    """Start-up files, and what has the battery's mark in its name."""
    try:
        names = os.listdir(folder)  # noqa: PTH208  (a name need not be text)
    except OSError:
        return
    yield from (folder / name for name in names if name in _STARTUP or MARK in name)


def _hash(path: Path) -> str:
    try:
        return content_hash(path.read_bytes().hex()) if path.is_file() else "folder"
    except OSError:
        return "unreadable"


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _left_over(before: frozenset[int], environments: Sequence[Environment]) -> list[int]:
    """Processes of sandboxes that began after `before`: below this process, or below none of ours any more."""
    roots = [str(environment.root) for environment in environments]
    found: list[int] = []
    for pid in set(_processes()) - before:
        text = _command(pid)
        ours = any(word in text for word in ("_apigap_worker", MARK, *roots)) or _user(pid) >= _SANDBOX_USERS
        if ours and _top(pid) in (os.getpid(), 1):
            found.append(pid)
    return sorted(found)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def _user(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}").stat().st_uid
    except OSError:
        return 0


def _top(pid: int) -> int:
    """This process where it is an ancestor of `pid`; else the parent of `pid`."""
    first = parent = _parent(pid)
    while parent > 1:
        if parent == os.getpid():
            return parent
        parent = _parent(parent)
    return first


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return 0
