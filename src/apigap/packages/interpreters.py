"""Interpreters of this machine: those on PATH, pyenv's, uv's own, and the one that runs apigap.

Nothing is run but the interpreters themselves, with `-I -S -c`: no site package, no start-up file, and no launcher
(pyenv's shims are scripts, and are passed over).
"""

import functools
import importlib.util
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from apigap.records.base import Record
from apigap.records.errors import EnvironmentFailure, UsageError
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.layout import is_replaced

MINORS = range(10, 15)
"""Of Python 3, those that the worker runs on."""
_SECONDS = 20
_EXECUTABLES = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_QUESTION = """
import sys, json, importlib.util as u
free = "t" in getattr(sys, "abiflags", "")
told = [sys.implementation.name, list(sys.version_info), free, sys.maxsize > 1 << 32, sys.base_prefix,
        getattr(sys, "_base_executable", None) or sys.executable, u.MAGIC_NUMBER.hex()]
print(json.dumps(told))
"""


class Interpreter(Record):
    """An installed CPython: its version (`3.12.1`), its installation, and the mark of its compiled files in hex."""

    version: str
    executable: Path
    prefix: str
    magic: str

    @property
    def minor(self) -> str:
        """The version without its patch, `3.12`."""
        return minor_of(self.version)

    @property
    def number(self) -> int:
        """The second number of its version, 12 of 3.12.1."""
        return int(self.version.split(".")[1])

    def __str__(self) -> str:
        """Version and place, for people."""
        return f"{self.version} ({self.executable})"


def minor_of(version: str) -> str:
    """The first two numbers of a version of Python."""
    return ".".join(version.split(".")[:2])


def running() -> Interpreter:
    """The interpreter that runs apigap, under an environment's or its own name."""
    return Interpreter(
        version=platform.python_version(),
        executable=Path(getattr(sys, "_base_executable", sys.executable)).resolve(),
        prefix=sys.base_prefix,
        magic=importlib.util.MAGIC_NUMBER.hex(),
    )


@functools.cache
def at_hand() -> tuple[Interpreter, ...]:
    """CPython 3.10 to 3.14 of this machine, newest first, each minor once.

    Of one minor it is the newest patch, but for that of the interpreter that runs apigap: there it is this one.
    """
    own = running()
    found: dict[str, Interpreter] = {}
    for path in dict.fromkeys(_places()):
        one = _examined(path)
        if one is not None and (one.minor not in found or _patch(one) > _patch(found[one.minor])):
            found[one.minor] = one
    found[own.minor] = own
    return tuple(sorted(found.values(), key=lambda one: one.number, reverse=True))


def named(minor: str) -> Interpreter:
    """The interpreter of a minor version, `3.12`.

    Raises:
        UsageError: when that is no version, or none that the worker runs on.
        EnvironmentFailure: when it is not at hand, with the commands that install it.
    """
    found = next((one for one in at_hand() if one.minor == minor), None)
    if found is not None:
        return found
    if minor not in (f"3.{number}" for number in MINORS):
        raise UsageError(
            f"Python {minor!r} is none of newest, running, {', '.join(f'3.{number}' for number in MINORS)}"
        )
    raise EnvironmentFailure(f"Python {minor} is not at hand ({told_at_hand()}); {how_to_install(minor)}")


def interpreter_of(environment: Environment) -> Interpreter:
    """The interpreter that an environment was made with.

    Raises:
        EnvironmentFailure: when it has gone.
    """
    for one in (running(), *at_hand()):
        if one.version == environment.python_version and Path(one.prefix).resolve() == environment.base_prefix:
            return one
    raise EnvironmentFailure(
        f"the Python {environment.python_version} at {environment.base_prefix}, with which {environment.root} was "
        "made, is not there any more; remove that folder, and it is made anew with what is at hand"
    )


def told_at_hand() -> str:
    """The versions at hand, for a message."""
    return "at hand: " + ", ".join(one.version for one in at_hand())


def how_to_install(minor: str) -> str:
    """The commands that bring a minor version to this machine."""
    return f"install it with `uv python install {minor}` or `pyenv install {minor}`, then run the same command again"


def _places() -> Iterator[Path]:
    """Every file that may be an interpreter, links resolved."""
    names = [f"python3.{number}" for number in MINORS]
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if Path(entry).is_absolute():
            for name in ("python3", *names):
                yield from _resolved(Path(entry, name))
    for versions in (_pyenv(), _uv_folder()):
        for name in names:
            for path in sorted(versions.glob(f"*/bin/{name}")):
                yield from _resolved(path)


def _pyenv() -> Path:
    root = os.environ.get("PYENV_ROOT")
    return (Path(root) if root else Path.home() / ".pyenv") / "versions"


def _uv_folder() -> Path:
    """The place of interpreters that uv has installed, as its documentation has it."""
    own, data = os.environ.get("UV_PYTHON_INSTALL_DIR"), os.environ.get("XDG_DATA_HOME")
    if own:
        return Path(own)
    return (Path(data) if data else Path.home() / ".local" / "share") / "uv" / "python"


def _resolved(path: Path) -> Iterator[Path]:
    """The path as it was given: an interpreter in an environment finds its base by the file beside it."""
    try:
        with path.open("rb") as file:
            if file.read(4) in _EXECUTABLES and os.access(path, os.X_OK):
                yield path
    except OSError:
        return


def _examined(path: Path) -> Interpreter | None:
    """The interpreter behind a path, that of its base where it is an environment's; None where it is none of ours."""
    try:
        done = subprocess.run(
            [path, "-I", "-S", "-c", _QUESTION],
            cwd="/",
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        name, version, free_threads, wide, prefix, executable, magic = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    major, number, patch, level, _ = version
    fits = (name, major, level, free_threads, wide) == ("cpython", 3, "final", False, True) and number in MINORS
    base = Path(executable).resolve()
    if not fits or not base.is_file() or is_replaced(str(base)) or is_replaced(os.path.realpath(prefix)):
        return None
    return Interpreter(version=f"3.{number}.{patch}", executable=base, prefix=prefix, magic=magic)


def _patch(one: Interpreter) -> int:
    return int(one.version.split(".")[2])
