"""One uv environment per (library, version), resolved as of the release's date, locked, cached, hard-linked."""

import hashlib
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import ValidationError

from apigap.packages.index import Release, release
from apigap.packages.installer import Unsolvable, WithoutWheels, install_wheels, installed_packages, make_venv
from apigap.packages.interpreter_choice import RUNNING, InterpreterChoice, Wanted, resolution_day
from apigap.packages.interpreters import Interpreter, named
from apigap.packages.wheelhouse import HOW_TO, LocalWheel, named_exactly, taken
from apigap.records.base import content_hash
from apigap.records.configuration import PackageSettings
from apigap.records.errors import ApigapWarning, EnvironmentFailure
from apigap.records.paths import cache_home, exclusive
from apigap.records.store import write_text
from apigap.sandbox.environment import Environment

UNCOMPILED = ".apigap-uncompiled"
"""Marks an environment whose sources have not been compiled yet."""
_READY = ".apigap-ready"
_MAX_BUILDS = 10


class Workshop(Protocol):
    """A sandbox in which the code of packages is compiled and, where `builds` says so, built."""

    @property
    def builds(self) -> bool:
        """True where source distributions may be built."""
        ...

    def compile(self, environment: Environment) -> None:
        """Put compiled files beside the environment's sources, where that can be done in isolation."""

    def build(
        self, needed_by: Release, name: str, asked: str, until: datetime | None, into: Path, interpreter: Interpreter
    ) -> None:
        """Put a wheel of the package `name` into a folder, for an interpreter; `asked` are specifiers of its version.

        Raises:
            EnvironmentFailure: when there is nothing to build or the build fails.
        """


class EnvironmentStore:
    """The environments of this machine, each made once; safe for several processes at a time.

    Installing runs no code of any package: see docs/isolation.md. Without a workshop nothing is compiled or built;
    what was made without one is compiled when a store with one (`environment_store`) is asked for it.
    """

    def __init__(
        self, root: Path | None = None, workshop: Workshop | None = None, packages: PackageSettings | None = None
    ) -> None:
        """Open the store at `root`, the cache's by default.

        `packages` says how interpreters are chosen: by default all is of the one that runs apigap.
        """
        self.root = root or cache_home() / "environments"
        self._workshop = workshop
        self._choice = InterpreterChoice(
            self.root.with_name(f"{self.root.name}-pythons"),
            packages.python if packages else RUNNING,
            packages is not None and packages.python_downloads,
            self.builds,
        )

    @property
    def builds(self) -> bool:
        """True where packages without wheels are built, inside a sandbox."""
        return self._workshop is not None and self._workshop.builds

    def get(self, library: str, version: str, extras: Sequence[str] = (), python: str | None = None) -> Environment:
        """The environment with `library` at `version` and the requirements `extras`, made when it is not there yet.

        Its interpreter is that of `python`, a minor version (`3.12`) or a way to choose, else as the settings say.

        Dependencies are those of the day after the release, so that an old version meets the world it was
        written for; of a release older than this Python, those of the first days with wheels for this Python. The
        library's own files count whenever they were uploaded, and so do wheels of this machine that are named exactly.
        Where that has no solution, today's are taken, with a warning and a mark in the environment and its lock.

        Raises:
            UsageError: when the library or version does not exist, or the version of Python.
            WithoutWheels: when it, or what it needs, has no wheels for this Python, and nothing may be built.
            EnvironmentFailure: when it cannot be resolved or installed for this Python, with uv's own reason.
            InfrastructureError: when the index cannot be reached or the disk cannot be written.
        """
        interpreter = self._choice_of(python).one_for(wanted(library, version, extras))
        local = named_exactly([f"{library}=={version}", *extras])
        home = self.root / _folder_name(library, version, extras, interpreter, local)
        with exclusive(home.with_name(home.name + ".lock")):
            found = _ready(home) or _make(home, release(library, version), extras, self._workshop, interpreter)
            if self._workshop is not None and (home / UNCOMPILED).exists():
                self._workshop.compile(found)
            return found

    def _choice_of(self, python: str | None) -> InterpreterChoice:
        return replace(self._choice, policy=python) if python else self._choice

    def python_of(self, *releases: Wanted) -> str | None:
        """The minor version of Python on which all of these can be installed; None where there is none.

        Raises:
            UsageError, InfrastructureError: see `get`.
        """
        found = self._choice.shared_by(releases)
        return found.minor if found else None

    def suits(self, release: Wanted, python: str) -> bool:
        """Tell whether a release can be installed on that minor version of Python, as wheels.

        Raises:
            UsageError, InfrastructureError: see `get`.
        """
        return self._choice.suits(release, named(python))

    def like(self, wanted: Environment) -> Environment:
        """The environment with exactly the packages and the interpreter of one of another machine, by its lock.

        One that is here is taken, whatever it was made for; else it is made, from the index and the wheels at hand.

        Raises:
            EnvironmentFailure: when this machine cannot have the same one, with the reason.
            UsageError, InfrastructureError: see `get`.
        """
        home = self.root / f"{canonicalize_name(wanted.library)}-{_normal(wanted.version)}-{wanted.lock}"
        with exclusive(home.with_name(home.name + ".lock")):
            here = _ready(home) or next((one for one in self.made() if one.lock == wanted.lock), None)
            found = here or _copy(home, wanted, self._workshop, self._choice_of(wanted.minor))
            if self._workshop is not None and (found.root / UNCOMPILED).exists():
                self._workshop.compile(found)
            return found

    def made(self) -> list[Environment]:
        """Every environment that has been made and can be used, by the name of its folder."""
        return [found for ready in sorted(self.root.glob(f"*/{_READY}")) if (found := _ready(ready.parent))]


def wanted(library: str, version: str, extras: Sequence[str] = ()) -> Wanted:
    """The release as a choice of interpreters takes it."""
    return Wanted(canonicalize_name(library), _normal(version), tuple(extras))


def files_hash(root: Path) -> str:
    """The sha256 over names, modes and contents of all that lies below `root`; links count by where they point."""
    digest = hashlib.sha256()
    for folder, below, names in os.walk(root):
        below.sort()
        for name in sorted([*names, *below]):
            path = Path(folder) / name
            status = path.lstat()
            digest.update(f"{path.relative_to(root)}\0{status.st_mode}\0".encode("utf-8", "surrogateescape"))
            if stat.S_ISLNK(status.st_mode):
                digest.update(os.fsencode(path.readlink()))
            elif stat.S_ISREG(status.st_mode):
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _folder_name(
    library: str, version: str, extras: Sequence[str], interpreter: Interpreter, local: Sequence[LocalWheel]
) -> str:
    hashes = sorted(wheel.sha256 for wheel in local)
    parts = [sorted(extras), interpreter.version, interpreter.prefix, *([{"wheels": hashes}] if hashes else [])]
    key = content_hash(parts, length=8)
    return f"{canonicalize_name(library)}-{_normal(version)}-{key}"


def _normal(version: str) -> str:
    try:
        return str(Version(version))
    except InvalidVersion:
        return content_hash(version)  # the index will say that there is none


def _ready(home: Path) -> Environment | None:
    """The environment of an earlier run; None where that was killed half-way or the interpreter has gone since."""
    try:
        found = Environment.model_validate_json((home / _READY).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return found if found.root == home and found.python.exists() else None


def _make(
    home: Path, found: Release, extras: Sequence[str], workshop: Workshop | None, interpreter: Interpreter
) -> Environment:
    shutil.rmtree(home, ignore_errors=True)
    home.parent.mkdir(parents=True, exist_ok=True)
    of_today = _install_as_of(home, found, extras, workshop, interpreter)
    environment = environment_in(home, found.library, found.version, interpreter)
    environment = marked_as_of_today(environment) if of_today else environment
    local = taken([f"{found.library}=={found.version}", *extras], interpreter.version)
    return _kept(_marked_with(environment, {wheel.path.name: wheel.sha256 for wheel in local.values()}))


def _kept(environment: Environment) -> Environment:
    """The environment, noted as ready in its folder."""
    # There before anybody looks at the folder's time stamp: files that are compiled later do not change that of others.
    (environment.site_packages / "__pycache__").mkdir(exist_ok=True)
    write_text(environment.root / UNCOMPILED, "")
    write_text(environment.root / _READY, environment.to_line())
    return environment


def _copy(home: Path, wanted: Environment, workshop: Workshop | None, choice: InterpreterChoice) -> Environment:
    """An environment at `home` with the packages of `wanted`, each by its exact version."""
    found = release(wanted.library, wanted.version)
    what = f"{wanted.library} {wanted.version} with lock {wanted.lock}"
    interpreter = choice.one_for(Wanted(canonicalize_name(wanted.library), _normal(wanted.version), ()))
    if interpreter.version != wanted.python_version:
        raise EnvironmentFailure(
            f"{what} is of Python {wanted.python_version}, and Python {wanted.minor} here is {interpreter.version}: "
            "install the same one on every machine"
        )
    home.parent.mkdir(parents=True, exist_ok=True)
    own = canonicalize_name(wanted.library)
    others = [package for package in wanted.packages if package.partition("==")[0] != own]
    local = taken([f"{found.library}=={found.version}", *others], interpreter.version)
    hashes = {wheel.path.name: wheel.sha256 for wheel in local.values()}
    lacking = sorted(name for name, sha256 in wanted.wheels.items() if hashes.get(name) != sha256)
    if lacking:
        raise EnvironmentFailure(f"{what} needs {lacking[0]} with the sha256 {wanted.wheels[lacking[0]]}: {HOW_TO}")
    _install(home, found, others, None, workshop, interpreter)
    environment = environment_in(home, wanted.library, wanted.version, interpreter)
    environment = marked_as_of_today(environment) if wanted.resolved == "today" else environment
    environment = _marked_with(environment, wanted.wheels)
    if environment.lock != wanted.lock:
        shutil.rmtree(home, ignore_errors=True)
        differing = sorted({*wanted.packages} ^ {*environment.packages}) or ["none of them"]
        raise EnvironmentFailure(f"{what} cannot be made here; packages that differ: {', '.join(differing[:5])}")
    return _kept(environment)


def _install_as_of(
    home: Path, found: Release, extras: Sequence[str], workshop: Workshop | None, interpreter: Interpreter
) -> bool:
    """Install what there was at the release's time; where that cannot be solved, what there is today: then True."""
    if found.uploaded is None:
        _tell_of_today(found, "the index does not say when it was released")
        _install(home, found, extras, None, workshop, interpreter)
        return True
    try:
        _install(home, found, extras, resolution_day(found.uploaded, interpreter.version), workshop, interpreter)
    except Unsolvable as error:
        try:
            _install(home, found, extras, None, workshop, interpreter)
        except EnvironmentFailure:
            raise error from None
        _tell_of_today(found, f"nothing of {found.uploaded:%Y-%m-%d} satisfies its requirements")
        return True
    return False


def marked_as_of_today(environment: Environment) -> Environment:
    """`environment` with the mark that its packages are today's, which its lock tells as well."""
    return environment.model_copy(update={"resolved": "today", "lock": content_hash([environment.lock, "today"])})


def _marked_with(environment: Environment, wheels: Mapping[str, str]) -> Environment:
    """`environment` with the wheels of this machine that are installed there, which its lock tells as well."""
    if not wheels:
        return environment
    lock = content_hash([environment.lock, dict(wheels)])
    return environment.model_copy(update={"wheels": dict(wheels), "lock": lock})


def _install(
    home: Path,
    found: Release,
    extras: Sequence[str],
    until: datetime | None,
    workshop: Workshop | None,
    interpreter: Interpreter,
) -> None:
    """Wheels alone; with a workshop that builds, what has none is built there, and then it is tried again."""
    requirements = [f"{found.library}=={found.version}", *extras]
    with tempfile.TemporaryDirectory(prefix=f".{home.name}-", dir=home.parent) as folder:
        links = Path(folder)
        for left in reversed(range(_MAX_BUILDS + 1)):
            shutil.rmtree(home, ignore_errors=True)
            make_venv(home, f"{found.library} {found.version}", interpreter)
            try:
                install_wheels(home, found, requirements, until, interpreter.version, links)
                return
            except WithoutWheels as error:
                if workshop is None or not workshop.builds or not left:
                    raise
                for name, asked in error.asked.items():
                    workshop.build(found, name, asked, until, links, interpreter)


def environment_in(home: Path, library: str, version: str, interpreter: Interpreter) -> Environment:
    """The virtual environment at `home` of an interpreter, with what is installed there."""
    site = home / "lib" / f"python{interpreter.minor}" / "site-packages"
    packages = installed_packages(site)
    return Environment(
        library=library,
        version=version,
        root=home,
        python=home / "bin" / "python",
        base_prefix=Path(interpreter.prefix).resolve(),
        site_packages=site,
        packages=packages,
        lock=content_hash([interpreter.version, packages]),
        python_version=interpreter.version,
    )


def _tell_of_today(found: Release, why: str) -> None:
    warnings.warn(
        f"{found.library} {found.version}: {why}, so its dependencies are today's, not those of its time",
        ApigapWarning,
        stacklevel=5,
    )
