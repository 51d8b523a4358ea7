"""Installing wheels with uv: they are unpacked, nothing of them is run, and uv sees only the variables it needs."""

import contextlib
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from apigap.packages.index import Release, index_url
from apigap.records.errors import EnvironmentFailure

INSTALL_SECONDS = 1800
BUILD_OPTION = "--set execution.build_sdists=true"
_PASSED = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP", "NETRC",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSL_CLIENT_CERT",
    "UV_CACHE_DIR", "UV_NO_CACHE", "UV_LINK_MODE", "UV_OFFLINE", "UV_FIND_LINKS", "UV_EXTRA_INDEX_URL", "UV_INDEX",
    "UV_DEFAULT_INDEX", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST", "UV_KEYRING_PROVIDER",
    "UV_CREDENTIALS_DIR", "UV_HTTP_TIMEOUT", "UV_HTTP_CONNECT_TIMEOUT", "UV_HTTP_RETRIES", "UV_REQUEST_TIMEOUT",
    "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS", "UV_LOCK_TIMEOUT",
})  # fmt: skip
_PASSED_BEGINNINGS = ("LC_", "XDG_", "UV_INDEX_")
_UNSOLVABLE = "No solution found"
_WITHOUT_WHEELS = re.compile(r"Wheels are required for `([^`]+)`")


class Unsolvable(EnvironmentFailure):
    """Nothing on the index, as of the day that counts, satisfies all requirements."""


class WithoutWheels(Unsolvable):
    """Packages that are needed have no wheels; `asked` maps their names to what uv says of the versions wanted."""

    def __init__(self, message: str, asked: Mapping[str, str]) -> None:
        super().__init__(message)
        self.asked = dict(asked)


def variables_for_uv() -> dict[str, str]:
    """Variables of this process that uv sees: where things are and how to reach the index, no key of any service."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED or name.upper().startswith(_PASSED_BEGINNINGS)
    }
    return {**passed, "UV_PYTHON_DOWNLOADS": "never", "UV_DEFAULT_INDEX": index_url(), "NO_COLOR": "1"}


def make_venv(home: Path, what: str) -> None:
    """Make an empty virtual environment of the interpreter that runs apigap.

    Raises:
        EnvironmentFailure: when uv cannot; `what` is being installed.
    """
    base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    done = _uv(what, "venv", "--quiet", "--no-project", "--python", str(base), str(home))
    if done.returncode != 0:
        raise EnvironmentFailure(f"{what}: no virtual environment can be made at {home}: {_end(done.stderr)}")


def install_wheels(
    home: Path, found: Release, wanted: Sequence[str], until: datetime | None, links: Path | None = None
) -> None:
    """Install `wanted` into the empty virtual environment `home`, for the sake of the release `found`.

    Only what was on the index at `until` counts, but for the release's own files; in `links` are further wheels.
    uv asks the environment's interpreter about itself before it installs. It must not be called on an environment that
    holds packages already: their `.pth` files would run.

    Raises:
        WithoutWheels: when a package would have to be built.
        Unsolvable: when nothing satisfies the requirements, with uv's own reason.
        EnvironmentFailure: when it cannot be installed for another reason.
    """
    options = ["--quiet", "--no-build", "--no-sources", "--python", str(home / "bin" / "python")]
    options += ["--find-links", str(links)] if links else []
    what = f"{found.library} {found.version}"
    done = _uv(what, "pip", "install", *options, *_as_of(found, until), "--", *wanted, cwd=home)
    if done.returncode != 0:
        raise _failure(found, done.stderr)


def installed_packages(site_packages: Path) -> tuple[str, ...]:
    """`name==version` of every distribution in a folder, sorted and normalised; read from the names of its metadata."""
    return tuple(sorted(package_of(info) for info in site_packages.glob("*.dist-info")))


def package_of(info: Path) -> str:
    """`name==version` of a `.dist-info` folder."""
    name, _, version = info.name.removesuffix(".dist-info").rpartition("-")
    with contextlib.suppress(InvalidVersion):  # it is shown as it stands
        version = str(Version(version))
    return f"{canonicalize_name(name)}=={version}"


def _as_of(found: Release, until: datetime | None) -> tuple[str, ...]:
    if until is None:
        return ()
    last = max((file.uploaded for file in found.files if file.uploaded), default=until) + timedelta(seconds=1)
    own = f"{canonicalize_name(found.library)}={last.isoformat()}"
    return ("--exclude-newer", until.isoformat(), "--exclude-newer-package", own)


def _uv(what: str, command: str, *arguments: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run uv; no configuration of a project or of the user has a say."""
    import uv

    try:
        return subprocess.run(
            [uv.find_uv_bin(), command, *arguments[:1], "--no-config", *arguments[1:]],
            cwd=cwd,
            env=variables_for_uv(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(
            f"{what}: the installation took more than {INSTALL_SECONDS} s and was ended; check the network, then run "
            "the same command again"
        ) from None


def _failure(found: Release, stderr: str) -> EnvironmentFailure:
    day = f" as of its release on {found.uploaded:%Y-%m-%d}" if found.uploaded else ""
    python = platform.python_version()
    told = f"{found.library} {found.version} cannot be installed{day} for Python {python}: {_end(stderr)}; "
    names = list(dict.fromkeys(canonicalize_name(name) for name in _WITHOUT_WHEELS.findall(stderr)))
    if not names:
        kind = Unsolvable if _UNSOLVABLE in stderr else EnvironmentFailure
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
