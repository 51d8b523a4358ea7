"""The modules that an installed distribution brings, by its list of files: a name on the index is no import name."""

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from apigap.records.errors import InfrastructureError

_NEVER_PUBLIC = {"tests", "conftest", "setup"}
_COMPILED = (".so", ".pyd")


class Modules(NamedTuple):
    """The top-level import names of a distribution, and its public modules as dotted names, both sorted."""

    tops: tuple[str, ...]
    public: tuple[str, ...]


def modules_of(distribution: str, site_packages: Path, companions: Sequence[str] = ()) -> Modules:
    """The modules that `distribution` and `companions` put into `site_packages`; also of namespaces without `__init__`.

    Raises:
        InfrastructureError: when it is not installed there, or its list of files is missing.
    """
    return modules_in([path for name in (distribution, *companions) for path in _files(name, site_packages)])


def modules_in(files: list[str]) -> Modules:
    """The modules among the paths of a wheel's RECORD. Private modules and tests are not public."""
    names = {name for path in files if (name := _module_name(path))}
    test_folders = _test_folders(names)
    public = sorted(name for name in names if _is_public(name, test_folders))
    return Modules(tuple(sorted({name.partition(".")[0] for name in names})), tuple(public))


def metadata_folders(distribution: str, site_packages: Path) -> list[Path]:
    """The `.dist-info` folders of a distribution, by its name in any spelling."""
    wanted = canonicalize_name(distribution)
    folders = sorted(site_packages.glob("*.dist-info"))
    return [f for f in folders if canonicalize_name(f.name.removesuffix(".dist-info").rpartition("-")[0]) == wanted]


def _files(distribution: str, site_packages: Path) -> list[str]:
    for info in metadata_folders(distribution, site_packages):
        record = info / "RECORD"
        if record.exists():
            with record.open(newline="", encoding="utf-8") as rows:
                return [row[0] for row in csv.reader(rows) if row]
    raise InfrastructureError(
        f"{distribution} is not installed in {site_packages}, or without its RECORD; "
        "remove that environment and run again to make it anew"
    )


def _module_name(path: str) -> str | None:
    """The dotted name of a module's file; None for data, scripts and metadata."""
    *folders, file = path.split("/")
    stem, _, suffix = file.partition(".")
    if suffix != "py" and (not f".{suffix}".endswith(_COMPILED) or _is_shared_library(stem, suffix)):
        return None
    segments = folders if stem == "__init__" else [*folders, stem]
    return ".".join(segments) if segments and all(segment.isidentifier() for segment in segments) else None


def _is_shared_library(stem: str, suffix: str) -> bool:
    """`libtorch.so` is for the linker; a module would be called `torch.cpython-311-x86_64-linux-gnu.so`."""
    return stem.startswith("lib") and suffix in ("so", "pyd")


def _test_folders(names: set[str]) -> set[str]:
    """Packages below the top that hold more test modules than others (a `test` package may also be an API)."""
    surplus: Counter[str] = Counter()
    for name in names:
        folder, _, leaf = name.rpartition(".")
        surplus[folder] += 1 if leaf.startswith("test_") else -1
    return {folder for folder, count in surplus.items() if count > 0 and "." in folder}


def _is_public(name: str, test_folders: set[str]) -> bool:
    segments = name.split(".")
    if any(segment.startswith(("_", "test_")) or segment in _NEVER_PUBLIC for segment in segments):
        return False
    return not any(".".join(segments[: index + 1]) in test_folders for index in range(len(segments)))
