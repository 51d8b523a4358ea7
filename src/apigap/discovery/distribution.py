"""The modules that an installed distribution brings, by its list of files: a name on the index is no import name.

A distribution without any may stand for others. It is followed where it says which releases hold its modules: it
requires them without a condition, each in one exact version, and that is its own, or the other name begins with its
own: `fastmcp` 4.1.6 requires `fastmcp-slim==4.1.6`.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from apigap.records.errors import InfrastructureError

_NEVER_PUBLIC = {"tests", "conftest", "setup"}
_COMPILED = (".so", ".pyd")


class Modules(NamedTuple):
    """The top-level import names of a distribution, and its public modules as dotted names, both sorted."""

    tops: tuple[str, ...]
    public: tuple[str, ...]


class Part(NamedTuple):
    """A release by its name and version."""

    name: str
    version: str


def modules_of(distribution: str, site_packages: Path, companions: Sequence[str] = ()) -> Modules:
    """The modules that `distribution` and `companions` put into `site_packages`; also of namespaces without `__init__`.

    Of a distribution that stands for others they are the modules of those.

    Raises:
        InfrastructureError: when it is not installed there, or its list of files is missing.
    """
    named = [part for name in (distribution, *companions) for part in _with_parts(name, site_packages)]
    return modules_in([path for name in dict.fromkeys(named) for path in recorded(_info(name, site_packages))])


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


def recorded(info: Path) -> list[str]:
    """The files of a distribution, by the RECORD in its `.dist-info` folder.

    Raises:
        OSError: when there is none.
    """
    with (info / "RECORD").open(newline="", encoding="utf-8", errors="replace") as rows:
        return [row[0] for row in csv.reader(rows) if row]


def required(info: Path) -> list[Requirement]:
    """The requirements that hold here without any extra, by the METADATA in a `.dist-info` folder."""
    return [wanted for wanted in _requirements(_metadata(info)) if wanted.marker is None or wanted.marker.evaluate()]


def packages_of_extras(info: Path) -> dict[str, list[str]]:
    """The packages that each extra brings here beside what is required anyway, by the METADATA in a `.dist-info`."""
    metadata = _metadata(info)
    optional = [w for w in _requirements(metadata) if w.marker is not None and not w.marker.evaluate({"extra": ""})]
    return {
        canonicalize_name(extra): [w.name for w in optional if w.marker and w.marker.evaluate({"extra": str(extra)})]
        for extra in metadata.get_all("Provides-Extra") or ()
    }


def stands_for(info: Path) -> list[Part]:
    """The releases that a distribution without modules stands for, by its `.dist-info` folder; see above."""
    if modules_in(recorded(info)).tops:
        return []
    own = info.name.removesuffix(".dist-info").rpartition("-")
    found = [Part(wanted.name, version) for wanted in required(info) if (version := _pinned(wanted))]
    return [part for part in found if _is_of_the_project(part, Part(own[0], own[2]))]


def _is_of_the_project(part: Part, own: Part) -> bool:
    begins_alike = canonicalize_name(part.name).startswith(f"{canonicalize_name(own.name)}-")
    try:
        return begins_alike or Version(part.version) == Version(own.version)
    except InvalidVersion:
        return begins_alike


def _pinned(wanted: Requirement) -> str | None:
    """The version of `name==version`; None where others would do as well."""
    pins = [one for one in wanted.specifier if one.operator == "==" and not one.version.endswith("*")]
    return pins[0].version if len(pins) == len(wanted.specifier) == 1 else None


def _metadata(info: Path) -> Message:
    try:
        text = (info / "METADATA").read_text("utf-8", "replace")
    except FileNotFoundError:
        return Message()
    return HeaderParser().parsestr(text)


def _requirements(metadata: Message) -> Iterator[Requirement]:
    for line in metadata.get_all("Requires-Dist") or ():
        try:
            yield Requirement(str(line))
        except (InvalidRequirement, RecursionError):  # installers leave out what they cannot read as well
            continue


def _with_parts(distribution: str, site_packages: Path) -> list[str]:
    """The distribution itself and, step by step, the installed ones that it stands for."""
    found = [distribution]
    for name in found:
        parts = stands_for(_info(name, site_packages))
        found += [p.name for p in parts if p.name not in found and metadata_folders(p.name, site_packages)]
    return found


def _info(distribution: str, site_packages: Path) -> Path:
    for info in metadata_folders(distribution, site_packages):
        if (info / "RECORD").exists():
            return info
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
