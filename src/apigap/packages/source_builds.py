"""Wheels built from source distributions: the code of the build runs inside a sandbox, and nowhere else."""

import base64
import binascii
import tempfile
import tomllib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from apigap.packages.archives import check_wheel
from apigap.packages.environments import environment_in
from apigap.packages.index import Release, fetch_sdist, releases
from apigap.packages.inside import build_wheel
from apigap.packages.installer import WithoutWheels, install_wheels, make_venv
from apigap.packages.interpreter_choice import resolution_day
from apigap.packages.interpreters import Interpreter
from apigap.records.base import Json
from apigap.records.errors import EnvironmentFailure, InfrastructureError
from apigap.records.paths import cache_home
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.scripts import run_script

BUILD_SECONDS = 900
BUILD_LIMITS = Limits(memory=4096 * MIB, temporary=2048 * MIB, processes=256, open_files=1024)
_LARGEST_WHEEL = 128 * MIB
_LARGEST_PROJECT = MIB
_INSIDE = "/harness/source"
_SCRIPT = Path(build_wheel.__file__)


class BuildSystem(NamedTuple):
    """The builder of a project: the table `build-system` of its pyproject.toml (PEP 518), or the default (PEP 517)."""

    requires: tuple[str, ...] = ("setuptools>=40.8.0", "wheel")
    backend: str = "setuptools.build_meta:__legacy__"
    backend_path: tuple[str, ...] = ()


def release_to_build(
    needed_by: Release, name: str, asked: str, until: datetime | None, python: str, tried: Sequence[str] = ()
) -> Release:
    """The newest release of a package with a source distribution for this Python, at `until`, that is `asked` for.

    `asked` is read from a message, so releases that it leaves out follow, newest first, when the others were `tried`.

    Raises:
        EnvironmentFailure: when none is left.
    """
    if name == canonicalize_name(needed_by.library) and not tried:
        return needed_by
    try:
        wanted = SpecifierSet(asked)
    except InvalidSpecifier:
        wanted = SpecifierSet()
    fitting = [found for found in releases(name) if found.version not in tried and _can_be_built(found, until, python)]
    if fitting:
        return max(fitting, key=lambda found: (found.version in wanted, found.is_stable, Version(found.version)))
    raise EnvironmentFailure(
        f"{needed_by.library} {needed_by.version} needs {name}, which has no wheels for this Python and no (further) "
        "source distribution that could be built; choose another version"
    )


def _can_be_built(found: Release, until: datetime | None, python: str) -> bool:
    in_time = until is None or found.uploaded is None or found.uploaded <= until
    return in_time and any(
        file.is_sdist and file.sha256 and file.fits(python) and not file.yanked for file in found.files
    )


def build(found: Release, profile: Profile, into: Path, interpreter: Interpreter) -> Path:
    """The wheel of a release in the folder `into`, built for an interpreter inside a sandbox from its source.

    What the build needs is installed as wheels into an environment that is thrown away afterwards. There is no network
    and no variable of this process; processor time, memory, processes and disk are bounded.

    Raises:
        EnvironmentFailure: when it cannot be built; carries the end of what the build said.
        InfrastructureError: when the source distribution cannot be fetched.
    """
    source = fetch_sdist(found.library, found.version)
    if source is None:
        raise EnvironmentFailure(f"{found.library} {found.version} has no source distribution that could be built")
    system = build_system(source)
    with tempfile.TemporaryDirectory(prefix="apigap-build-", dir=_builds()) as folder:
        try:
            environment = _environment(Path(folder) / "first", found, system.requires, interpreter)
            more = _requirements(_hook(environment, profile, source, system, "requires"))
            if more:
                environment = _environment(Path(folder) / "second", found, (*system.requires, *more), interpreter)
            return _written(_hook(environment, profile, source, system, "wheel"), found, into)
        except WithoutWheels as error:
            raise EnvironmentFailure(
                f"{found.library} {found.version} cannot be built from source: {' and '.join(error.asked)}, which its "
                "build needs, would have to be built first; choose a version with wheels"
            ) from error
        except InfrastructureError as error:
            raise EnvironmentFailure(
                f"{found.library} {found.version} cannot be built from source: {error}; choose a version with wheels"
            ) from error


def build_system(source: Path) -> BuildSystem:
    """The build system of the project in a folder.

    Raises:
        EnvironmentFailure: when its pyproject.toml cannot be understood.
    """
    path = source / "pyproject.toml"
    if path.is_symlink() or not path.is_file():
        return BuildSystem()
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST_PROJECT).decode()
        table: dict[str, Any] = tomllib.loads(text).get("build-system") or {}
        requires = _requirements(table.get("requires", [*BuildSystem().requires]))
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise EnvironmentFailure(f"{source.name} cannot be built: its pyproject.toml cannot be read: {error}") from None
    backend = table.get("build-backend", BuildSystem().backend)
    folders = table.get("backend-path", [])
    if not isinstance(backend, str) or not isinstance(folders, list):
        raise EnvironmentFailure(f"{source.name} cannot be built: its build-system is {str(table)[:300]}")
    return BuildSystem(requires, backend, tuple(str(part) for part in cast(list[object], folders)))


def _requirements(told: object) -> tuple[str, ...]:
    """Requirements by name alone, as the installer may be given them.

    Raises:
        EnvironmentFailure: for anything else; the list may be of a stranger's code.
    """
    if not isinstance(told, list):
        raise EnvironmentFailure(f"the requirements of its build are no list: {str(told)[:300]}")
    try:
        found = [Requirement(str(one)) for one in cast(list[object], told)]
    except InvalidRequirement as error:
        raise EnvironmentFailure(f"its build needs something that cannot be understood: {error}") from None
    if any(one.url for one in found):
        raise EnvironmentFailure("its build needs something that is not on the index")
    return tuple(map(str, found))


def _builds() -> Path:
    folder = cache_home() / "builds"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _environment(home: Path, found: Release, requires: Sequence[str], interpreter: Interpreter) -> Environment:
    make_venv(home, f"the build of {found.library} {found.version}", interpreter)
    until = resolution_day(found.uploaded, interpreter.version) if found.uploaded else None
    if requires:
        install_wheels(home, found, requires, until, interpreter.version)
    return environment_in(home, found.library, found.version, interpreter)


def _hook(environment: Environment, profile: Profile, source: Path, system: BuildSystem, hook: str) -> Json:
    roomy = profile.model_copy(update={"tmpfs_bytes": BUILD_LIMITS.temporary})
    argument: Json = {
        "hook": hook,
        "source": _INSIDE,
        "backend": system.backend,
        "backend_path": [*system.backend_path],
        "largest": _LARGEST_WHEEL,
        "rlimits": {
            "AS": BUILD_LIMITS.memory,
            "CPU": BUILD_SECONDS,
            "FSIZE": BUILD_LIMITS.temporary,
            "NPROC": BUILD_LIMITS.processes,
            "NOFILE": BUILD_LIMITS.open_files,
            "CORE": 0,
        },
    }
    shown = [(source, _INSIDE)]
    return run_script(environment, roomy, BUILD_LIMITS, _SCRIPT, argument, BUILD_SECONDS, shown=shown)


def _written(told: object, found: Release, into: Path) -> Path:
    """Put the wheel that a sandbox gave into a folder, if it is one of this release.

    Raises:
        EnvironmentFailure: when it is not.
    """
    answer = cast(dict[str, object], told) if isinstance(told, dict) else {}
    name, content = answer.get("name"), answer.get("content")
    if not isinstance(name, str) or not isinstance(content, str):
        raise EnvironmentFailure("the build gave no wheel")
    try:
        data = base64.b64decode(content, validate=True)
    except binascii.Error:
        raise EnvironmentFailure("the build gave no wheel") from None
    check_wheel(name, data, canonicalize_name(found.library), Version(found.version))
    path = into / name
    path.write_bytes(data)
    return path
