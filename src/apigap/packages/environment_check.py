"""A check that an environment still holds what was installed, by the hashes in each wheel's RECORD."""

import base64
import csv
import hashlib
import os.path
from collections.abc import Iterator
from pathlib import Path

from apigap.packages.installer import installed_packages
from apigap.sandbox.environment import Environment

_OWN = ("_virtualenv.py", "_virtualenv.pth")
"""Files that uv puts into an environment beside the packages."""


def damage(environment: Environment) -> Iterator[str]:
    """Every package and file that is gone, changed, or was added, in words; nothing where all is as it was installed.

    Compiled files (`__pycache__`) have no hash and are left out.
    """
    site = environment.site_packages
    if not site.is_dir():
        yield f"{site} is gone"
        return
    wanted, there = set(environment.packages), set(installed_packages(site))
    yield from (f"{package} is gone" for package in sorted(wanted - there))
    yield from (f"{package} was added" for package in sorted(there - wanted))
    known: set[Path] = set()
    for record in sorted(site.glob("*.dist-info/RECORD")):
        for path, digest in _listed(record):
            known.add(path)
            if not path.is_file():
                yield f"{_name(path, environment)} is gone"
            elif digest and _sha256(path) != digest:
                yield f"{_name(path, environment)} is not what was installed"
    for path in sorted(site.rglob("*")):
        if path.is_file() and path not in known and "__pycache__" not in path.parts and path.name not in _OWN:
            yield f"{_name(path, environment)} is of no package"


def _listed(record: Path) -> Iterator[tuple[Path, str | None]]:
    """The files of a distribution, each with its sha256 in base64, None where RECORD has none."""
    with record.open(encoding="utf-8", newline="") as lines:
        for name, told, *_ in csv.reader(lines):
            path = Path(os.path.normpath(record.parent.parent / name))  # it names scripts by way of `..`
            if "__pycache__" not in path.parts:
                yield path, told.removeprefix("sha256=") if told.startswith("sha256=") else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _name(path: Path, environment: Environment) -> str:
    return str(path.relative_to(environment.root)) if path.is_relative_to(environment.root) else str(path)
