"""The package index (PEP 691 and 700, JSON): which releases a library has, when they appeared, and their files."""

import difflib
import functools
import hashlib
import importlib.metadata
import json
import os
import shutil
import time
import warnings
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import (
    InvalidName,
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from apigap.packages.archives import SUFFIXES, unpack
from apigap.packages.interpreters import at_hand
from apigap.packages.transfer import Progress, download, get, without_password
from apigap.packages.wheel_tags import tags_of
from apigap.packages.wheelhouse import LocalWheel, local_wheels, requires_python_of
from apigap.records.base import Record
from apigap.records.errors import ApigapWarning, InfrastructureError, UsageError
from apigap.records.names import did_you_mean
from apigap.records.paths import cache_home, exclusive
from apigap.records.store import write_text

PUBLIC_INDEX = "https://pypi.org/simple/"
FRESH_SECONDS = 600.0
_MEDIA_TYPE = "application/vnd.pypi.simple.v1+json"


class ReleaseFile(Record):
    """One file of a release; `size` in bytes and `uploaded` where the index says so.

    `place` is that of a wheel of this machine's, which is not on the index or stands before what is there.
    """

    filename: str
    url: str
    sha256: str | None
    size: int | None
    uploaded: datetime | None
    yanked: bool
    requires_python: str | None = None
    place: Path | None = None

    @property
    def is_sdist(self) -> bool:
        """True for a source distribution."""
        return self.filename.endswith(SUFFIXES)

    def fits(self, python: str) -> bool:
        """Tell whether it says that it is for this version of Python (3.12.1), and a wheel for this kind of machine."""
        try:
            if self.requires_python and python not in SpecifierSet(self.requires_python):
                return False
        except InvalidSpecifier:  # pip and uv ignore what they cannot read as well
            pass
        return self.is_sdist or bool(parse_wheel_filename(self.filename)[3] & tags_of(int(python.split(".")[1])))

    @property
    def fits_here(self) -> bool:
        """True where it is for one of the interpreters at hand and this kind of machine."""
        return any(self.fits(one.version) for one in at_hand())


class Release(Record):
    """One version of a library; `uploaded` is when its first file appeared, `yanked` that all were withdrawn."""

    library: str
    version: str
    uploaded: datetime | None
    yanked: bool
    files: tuple[ReleaseFile, ...]

    @property
    def is_stable(self) -> bool:
        """Neither a pre-release nor a development or withdrawn one, nor a build of somebody's own (`2.13.0+cpu`)."""
        version = Version(self.version)
        return not (version.is_prerelease or version.local or self.yanked)

    @property
    def fits_here(self) -> bool:
        """True where one of its files is for one of the interpreters at hand and this kind of machine."""
        return any(self.fits(one.version) for one in at_hand())

    def fits(self, python: str) -> bool:
        """Tell whether one of its files is for a version of Python (3.12.1) and this kind of machine."""
        return any(file.fits(python) for file in self.files if not file.yanked)

    @property
    def has_wheel_here(self) -> bool:
        """True where an interpreter at hand can install it; otherwise it would have to be built."""
        return any(self.has_wheel(one.version) for one in at_hand())

    def has_wheel(self, python: str) -> bool:
        """Tell whether one of its files can be installed by that version of Python without being built."""
        return any(file.fits(python) for file in self.files if not file.is_sdist)


def index_url() -> str:
    """The index in force: UV_DEFAULT_INDEX, UV_INDEX_URL or PIP_INDEX_URL, else the public one; ends with `/`."""
    for variable in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        value = os.environ.get(variable, "").strip()
        if value:
            head, separator, rest = value.partition("=")
            named = bool(separator) and "/" not in head  # uv also takes NAME=URL
            return (rest if named else value).rstrip("/") + "/"
    return PUBLIC_INDEX


def releases(library: str) -> list[Release]:
    """All releases of `library`, oldest version first: those of the index, and the wheels of this machine.

    Raises:
        UsageError: when the index has no such library; the message has similar names that are known here.
        InfrastructureError: when the index cannot be reached and no earlier answer is kept.
    """
    local = local_wheels(library)
    try:
        page = _page(library)
    except UsageError:
        if not local:
            raise
        return _with_local(library, [], local)
    known = parse_page(library, page["document"], page["url"])
    return _with_local(library, known, local) if local else known


def release(library: str, version: str) -> Release:
    """The release `version` of `library` (`1.0` finds `1.0.0`).

    Raises:
        UsageError: when the library or the version does not exist; the message has those that do.
        InfrastructureError: see `releases`.
    """
    known = releases(library)
    try:
        wanted = Version(version)
    except InvalidVersion:
        raise UsageError(_unknown_version(library, version, known)) from None
    for candidate in known:
        if Version(candidate.version) == wanted:
            return candidate
    raise UsageError(_unknown_version(library, version, known))


def fetch_sdist(library: str, version: str, progress: Progress | None = None) -> Path | None:
    """The unpacked source distribution of a release as a folder in the cache; None where it has none.

    Raises:
        UsageError, InfrastructureError: see `release`; also for a file with another hash or a damaged archive.
    """
    found = release(library, version)
    file = next((file for file in found.files if file.is_sdist and file.sha256), None)
    if file is None or file.sha256 is None:
        return None
    home = cache_home() / "sdists" / f"{canonicalize_name(library)}-{found.version}-{file.sha256[:16]}"
    with exclusive(home.with_name(home.name + ".lock")):
        if not home.exists():
            archive = download(file.url, file.sha256, home.with_name(file.filename), progress)
            temporary = home.with_name(home.name + ".tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            unpack(archive, temporary)
            temporary.rename(home)
            archive.unlink()
    folders = [entry for entry in home.iterdir() if entry.is_dir()]
    return folders[0] if len(folders) == 1 else home


def parse_page(library: str, document: dict[str, Any], url: str) -> list[Release]:
    """The releases in a PEP 691 page that came from `url`; files of other kinds are left out."""
    files: defaultdict[str, list[ReleaseFile]] = defaultdict(list)
    for entry in document["files"]:
        version = _version_of(entry["filename"])
        if version is not None:
            files[str(version)].append(_file(entry, url))
    found = [_release(library, version, tuple(members)) for version, members in files.items()]
    return sorted(found, key=lambda release: Version(release.version))


def _with_local(library: str, known: list[Release], wheels: list[LocalWheel]) -> list[Release]:
    """Releases with the wheels of this machine; `2.13.0+cpu` is as old as the `2.13.0` of the index."""
    files = {release.version: list(release.files) for release in known}
    days = {release.version: release.uploaded for release in known}
    for wheel in wheels:
        version = str(wheel.version)
        alike = next((file for file in files.get(version, ()) if file.filename == wheel.path.name), None)
        own = ReleaseFile(
            filename=wheel.path.name,
            url=wheel.path.as_uri(),
            sha256=wheel.sha256,
            size=wheel.size,
            uploaded=days.get(version) or days.get(wheel.version.public),
            yanked=alike is not None and alike.yanked,
            requires_python=alike.requires_python if alike else requires_python_of(wheel),
            place=wheel.path,
        )
        files[version] = [own, *(file for file in files.get(version, ()) if file is not alike)]
    found = [_release(library, version, tuple(members)) for version, members in files.items()]
    return sorted(found, key=lambda release: Version(release.version))


def _file(entry: dict[str, Any], url: str) -> ReleaseFile:
    stamp = entry.get("upload-time")
    return ReleaseFile(
        filename=entry["filename"],
        url=urljoin(url, entry["url"]),
        sha256=entry["hashes"].get("sha256"),
        size=entry.get("size"),
        uploaded=datetime.fromisoformat(stamp) if stamp else None,
        yanked=bool(entry.get("yanked", False)),
        requires_python=entry.get("requires-python"),
    )


def _release(library: str, version: str, files: tuple[ReleaseFile, ...]) -> Release:
    return Release(
        library=library,
        version=version,
        uploaded=min((file.uploaded for file in files if file.uploaded), default=None),
        yanked=all(file.yanked for file in files),
        files=files,
    )


def _version_of(filename: str) -> Version | None:
    """The version of a wheel or source archive; None for eggs, installers and names from before the standard."""
    try:
        if filename.endswith(".whl"):
            return parse_wheel_filename(filename)[1]
        for suffix in SUFFIXES:
            if filename.endswith(suffix):
                return parse_sdist_filename(filename.removesuffix(suffix) + ".tar.gz")[1]
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion, InvalidName):
        return None
    return None


def _page(library: str) -> dict[str, Any]:
    base = index_url()
    name = canonicalize_name(library)
    kept = cache_home() / "index" / hashlib.sha256(base.encode()).hexdigest()[:12] / f"{name}.json"
    earlier = _kept(kept)
    if earlier is not None and time.time() - kept.stat().st_mtime < FRESH_SECONDS:
        return earlier
    try:
        page = get(f"{base}{name}/", _MEDIA_TYPE)
    except InfrastructureError as error:
        if earlier is None:
            raise
        warnings.warn(f"{error}; using what it said about {library} {_age(kept)} ago", ApigapWarning, stacklevel=2)
        return earlier
    if page is None:
        raise UsageError(_unknown_library(library, base, kept.parent))
    if not page.media_type.endswith("json"):
        raise InfrastructureError(
            f"the index {without_password(base)} answers {page.media_type}, not JSON (PEP 691); "
            "set UV_DEFAULT_INDEX to an index that does"
        )
    answer = {"url": page.url, "document": json.loads(page.body)}
    write_text(kept, json.dumps(answer))
    return answer


def _kept(path: Path) -> dict[str, Any] | None:
    """The page that an earlier run has kept; None where there is none, or only a part of one."""
    try:
        return _read_kept(str(path), path.stat().st_mtime_ns)
    except (OSError, ValueError, LookupError, TypeError):
        return None


@functools.lru_cache(maxsize=16)
def _read_kept(path: str, changed: int) -> dict[str, Any]:
    """A kept page; `changed` is its time stamp, so that a rewritten page is read again."""
    found = json.loads(Path(path).read_bytes())
    return {"url": str(found["url"]), "document": dict(found["document"])}


def _age(path: Path) -> str:
    hours = (time.time() - path.stat().st_mtime) / 3600
    return f"{hours:.0f} hours" if hours >= 1 else f"{hours * 60:.0f} minutes"


def _unknown_library(library: str, base: str, kept: Path) -> str:
    asked = (page.stem for page in kept.glob("*.json"))
    installed = (name for found in importlib.metadata.distributions() if (name := found.metadata["Name"]))
    hint = did_you_mean(library, (*COMMON_LIBRARIES, *installed, *asked), "check the spelling", cutoff=0.7)
    return f"the index {without_password(base)} has no library named {library!r}; {hint}"


def _unknown_version(library: str, version: str, known: list[Release]) -> str:
    if not known:
        return f"{library} has no releases on the index, so no {version} either; check the name"
    stable = [release.version for release in known if release.is_stable] or [known[-1].version]
    near = [stable[-1], *difflib.get_close_matches(version, stable[:-1], n=3, cutoff=0.5)]
    return f"{library} has no version {version!r}; the latest is {near[0]}" + (
        f", similar ones are {' or '.join(near[1:])}" if near[1:] else ""
    )


COMMON_LIBRARIES = (
    "MDAnalysis", "ase", "astropy", "beautifulsoup4", "deepchem", "diffusers", "django", "fastapi", "fastmcp",
    "flask", "httpx", "jax", "langchain", "langgraph", "matplotlib", "networkx", "numpy", "pandas", "pillow",
    "polars", "pydantic", "pymatgen", "pyyaml", "rdkit", "requests", "scanpy", "scikit-learn", "scipy",
    "sqlalchemy", "sympy", "torch", "transformers",
)  # fmt: skip
