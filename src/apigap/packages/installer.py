"""Installing wheels with uv: they are unpacked, and nothing of them is run."""

import contextlib
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from apigap.packages.index import Release, release
from apigap.packages.interpreters import Interpreter
from apigap.packages.uv_command import run_uv
from apigap.packages.wheelhouse import as_files, needs_of, taken
from apigap.records.errors import EnvironmentFailure, InfrastructureError

BUILD_OPTION = "--set execution.build_sdists=true"
_UNSOLVABLE = re.compile("no solution found|wheels are required|unsatisfiable", re.I)
_WITHOUT_WHEELS = re.compile(r"Wheels are required for `([^`]+)`")


class Unsolvable(EnvironmentFailure):
    """Nothing on the index, as of the day that counts, satisfies all requirements."""


class WithoutWheels(Unsolvable):
    """Packages that are needed have no wheels; `asked` maps their names to what uv says of the versions wanted."""

    def __init__(self, message: str, asked: Mapping[str, str]) -> None:
        super().__init__(message)
        self.asked = dict(asked)


def make_venv(home: Path, what: str, interpreter: Interpreter) -> None:
    """Make an empty virtual environment of an interpreter.

    Raises:
        EnvironmentFailure: when uv cannot; `what` is being installed.
    """
    done = run_uv(what, "venv", "--quiet", "--no-project", "--python", str(interpreter.executable), str(home))
    if done.returncode != 0:
        raise EnvironmentFailure(f"{what}: no virtual environment can be made at {home}: {_end(done.stderr)}")


def why_not(found: Release, wanted: Sequence[str], until: datetime | None, interpreter: Interpreter) -> str | None:
    """The reason that an interpreter cannot have `wanted` by wheels alone, in uv's words; None where it can.

    Raises:
        InfrastructureError: when uv could not find out.
    """
    try:
        resolved(found, wanted, until, interpreter)
    except Unsolvable as error:
        return str(error)
    return None


def resolved(
    found: Release, wanted: Sequence[str], until: datetime | None, interpreter: Interpreter
) -> tuple[str, ...]:
    """`name==version` of all that `wanted` brings on an interpreter, by wheels alone; nothing is installed.

    Raises:
        Unsolvable: when it cannot have them, with uv's words.
        InfrastructureError: when uv could not find out.
    """
    options = ["--quiet", "--no-build", "--no-sources", "--no-header", "--no-annotate"]
    options += ["--python", str(interpreter.executable), *_as_of(found, until, wanted, interpreter.version)]
    what = f"{found.library} {found.version} for Python {interpreter.version}"
    done = run_uv(what, "pip", "compile", *options, "-", told="\n".join(as_files(wanted, interpreter.version)))
    if done.returncode == 0:
        return tuple(line for line in done.stdout.split() if "==" in line)
    if not _UNSOLVABLE.search(done.stderr):
        raise InfrastructureError(
            f"{what}: uv could not tell what it needs: {_end(done.stderr)}; check the network, then run the same "
            "command again"
        )
    raise Unsolvable(_end(done.stderr))


def install_wheels(
    home: Path,
    found: Release,
    wanted: Sequence[str],
    until: datetime | None,
    python: str,
    links: Path | None = None,
) -> None:
    """Install `wanted` into the empty virtual environment `home` of a version of Python, for the release `found`.

    Only what was on the index at `until` counts, but for the release's own files; in `links` are further wheels, and
    those of this machine are taken that `wanted` names exactly; what these need may be as young as they are.
    uv asks the environment's interpreter about itself before it installs. It must not be called on an environment that
    holds packages already: their `.pth` files would run.

    Raises:
        WithoutWheels: when a package would have to be built.
        Unsolvable: when nothing satisfies the requirements, with uv's own reason.
        EnvironmentFailure: when it cannot be installed for another reason.
    """
    options = ["--quiet", "--no-build", "--no-sources", "--python", str(home / "bin" / "python")]
    options += [*(["--find-links", str(links)] if links else []), *_as_of(found, until, wanted, python)]
    what = f"{found.library} {found.version}"
    done = run_uv(what, "pip", "install", *options, "--", *as_files(wanted, python), cwd=home)
    if done.returncode != 0:
        raise _failure(found, done.stderr, python)


def installed_packages(site_packages: Path) -> tuple[str, ...]:
    """`name==version` of every distribution in a folder, sorted and normalised; read from the names of its metadata."""
    return tuple(sorted(package_of(info) for info in site_packages.glob("*.dist-info")))


def package_of(info: Path) -> str:
    """`name==version` of a `.dist-info` folder."""
    name, _, version = info.name.removesuffix(".dist-info").rpartition("-")
    with contextlib.suppress(InvalidVersion):  # it is shown as it stands
        version = str(Version(version))
    return f"{canonicalize_name(name)}=={version}"


def _as_of(found: Release, until: datetime | None, wanted: Sequence[str], python: str) -> list[str]:
    if until is None:
        return []
    last = max((file.uploaded for file in found.files if file.uploaded), default=until) + timedelta(seconds=1)
    days = {**_days_of_needs(wanted, until, python), canonicalize_name(found.library): last}
    named = (f"{name}={day.isoformat()}" for name, day in sorted(days.items()))
    return ["--exclude-newer", until.isoformat(), *(part for one in named for part in ("--exclude-newer-package", one))]


def _days_of_needs(wanted: Sequence[str], until: datetime, python: str) -> dict[str, datetime]:
    """The moment for each distribution that a local wheel of `wanted` needs: the day after the wheel's, if later."""
    days: dict[str, datetime] = {}
    for wheel in taken(wanted, python).values():
        uploaded = release(wheel.name, str(wheel.version)).uploaded
        day = uploaded + timedelta(days=1) if uploaded else until
        days |= {name: max(day, until, days.get(name, until)) for name in needs_of(wheel)}
    return days


def _failure(found: Release, stderr: str, python: str) -> EnvironmentFailure:
    day = f" as of its release on {found.uploaded:%Y-%m-%d}" if found.uploaded else ""
    told = f"{found.library} {found.version} cannot be installed{day} for Python {python}: {_end(stderr)}; "
    names = list(dict.fromkeys(canonicalize_name(name) for name in _WITHOUT_WHEELS.findall(stderr)))
    if not names:
        kind = Unsolvable if _UNSOLVABLE.search(stderr) else EnvironmentFailure
        return kind(told + "choose another version, or run with a Python that this version has wheels for")
    one = len(names) == 1
    advice = (
        f"{' and '.join(names)} {'has' if one else 'have'} no wheels for this Python, and building "
        f"{'it' if one else 'them'} runs code of {'its' if one else 'their'} authors: choose another version, run with "
        f"a Python that it has wheels for, or let it be built inside the sandbox with {BUILD_OPTION}"
    )
    return WithoutWheels(told + advice, {name: _asked(name, stderr) for name in names})


def _asked(name: str, stderr: str) -> str:
    """The specifiers of a name that somebody depends on, as far as uv's message has them, joined."""
    found = re.findall(rf"(?:depends? on|require) {re.escape(name)}((?:[<>=!~]=?=?[\w.*+]+,?)+)", stderr)
    return ",".join(dict.fromkeys(part.strip(",") for part in found))


def _end(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return " ".join(lines[-8:])
