"""Small libraries with two releases each, on an index of this machine, for the tests of stages on nodes."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.packages.index_server import IndexServer
from tests.packages.wheels import sdist, whole_wheel

MODEL = "gguf/qwen2.5-coder-0.5b"  # its cutoff is between the two releases
DATES = {"1.0": "2024-01-01T00:00:00Z", "2.0": "2025-01-01T00:00:00Z"}
_OLD = '''"""Words and numbers."""


def plain(text, times=1):
    """Give a text as it is.

    >>> plain("rain", times=2)
    'rainrain'
    """
    return text * times
'''
_NEW = '''

def shout(text, times=1, mark="!"):
    """Write a text loudly.

    Args:
        text: What is written.
        times: How often it is written.
        mark: What stands at its end.

    Returns:
        The text in capitals.

    >>> from {name} import shout
    >>> shout("good day", times=2, mark="?")
    'GOOD DAY?GOOD DAY?'
    >>> shout("rain in the north", mark=".")
    'RAIN IN THE NORTH.'
    """
    return (text.upper() + mark) * times


def middle(numbers, low=0):
    """Give the middle one of sorted numbers.

    >>> from {name} import middle
    >>> values = [9, 3, 5, 12, 7]
    >>> middle(values, low=4)
    9
    >>> middle([2, 8, 4])
    4
    """
    kept = sorted(number for number in numbers if number >= low)
    return kept[len(kept) // 2]
'''


def publish(index: IndexServer, name: str) -> None:
    """Put both releases of a library on the index, as wheels and as sources."""
    files: list[dict[str, object]] = []
    for version, text in {"1.0": _OLD, "2.0": _OLD + _NEW.replace("{name}", name)}.items():
        more = {"upload-time": DATES[version], "requires-python": ">=3.8"}
        content = {f"{name}/__init__.py": text}
        made = whole_wheel(name, version, {**content})
        files += [
            index.add_file(f"{name}-{version}-py3-none-any.whl", made, **more),
            index.add_file(f"{name}-{version}.tar.gz", sdist(name, version, content), **more),
        ]
    index.add_project(name, files)


def apigap(folder: Path, words: Sequence[str], **variables: str) -> "subprocess.CompletedProcess[str]":
    """A command of apigap in a folder, to its end."""
    command = [sys.executable, "-m", "apigap.cli.main", *words]
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def files(folder: Path) -> dict[str, bytes]:
    """The files below a folder by name; those that tell how long something took are left out."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    timed = {name for name, path in found.items() if name.endswith(".summary.json") or path.name.startswith("seconds.")}
    return {name: path.read_bytes() for name, path in found.items() if name not in timed}
