"""One uv environment per (library, version), resolved as of the release's date, locked, cached, hard-linked."""

import hashlib
import os
import platform
import shutil
import stat
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import ValidationError

from apigap.execution.index import Release, index_url, release
from apigap.records.base import Record, content_hash
from apigap.records.errors import ApigapWarning, EnvironmentFailure
from apigap.records.paths import cache_home, exclusive
from apigap.records.store import write_text

INSTALL_SECONDS = 1800
PYTHON_RELEASED = {
    9: "2020-10-05",
    10: "2021-10-04",
    11: "2022-10-24",
    12: "2023-10-02",
    13: "2024-10-07",
    14: "2025-10-07",
}
"""When each Python 3.x appeared (PEPs 596, 619, 664, 693, 719, 745)."""
WHEELS_AFTER = timedelta(days=180)
"""By then the packages that others build on had wheels for a new Python."""
_READY = ".apigap-ready"


class Environment(Record):
    """An installed library version. Paths are absolute; `packages` are `name==version` lines, sorted.

    `root` is the virtual environment, `python` its interpreter, `base_prefix` the installation that the
    interpreter belongs to. `lock` is the hash of `packages` and the interpreter's version: it names the
    environment in manifests and caches, so no path enters a result.
    """

    library: str
    version: str
    root: Path
    python: Path
    base_prefix: Path
    site_packages: Path
    packages: tuple[str, ...]
    lock: str


Stamp = tuple[int, ...] | None


def stamp(environment: Environment) -> Stamp:
    """What changes when a distribution is put into the environment or taken out of it; None when it is gone."""
    try:
        site, python = environment.site_packages.stat(), environment.python.stat()
    except OSError:
        return None
    return (site.st_dev, site.st_ino, site.st_mtime_ns, python.st_ino)


class EnvironmentStore:
    """The environments of this machine, each made once; safe for several processes at a time."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or cache_home() / "environments"

    def get(self, library: str, version: str, extras: Sequence[str] = ()) -> Environment:
        """The environment with `library` at `version` and the requirements `extras`, made when it is not there yet.

        Dependencies are those of the day after the release, so that an old version meets the world it was
        written for; of a release older than this Python, those of the first days with wheels for this Python. The
        library's own files count whenever they were uploaded.

        Raises:
            UsageError: when the library or version does not exist.
            EnvironmentFailure: when it cannot be resolved or installed for this Python, with uv's own reason.
            InfrastructureError: when the index cannot be reached or the disk cannot be written.
        """
        home = self.root / _folder_name(library, version, extras)
        with exclusive(home.with_name(home.name + ".lock")):
            return _ready(home) or _make(home, release(library, version), extras)

    def made(self) -> list[Environment]:
        """Every environment that has been made and can be used, by the name of its folder."""
        return [found for ready in sorted(self.root.glob(f"*/{_READY}")) if (found := _ready(ready.parent))]


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


def _folder_name(library: str, version: str, extras: Sequence[str]) -> str:
    try:
        version = str(Version(version))
    except InvalidVersion:
        version = content_hash(version)  # the index will say that there is none
    key = content_hash([sorted(extras), platform.python_version(), sys.base_prefix], length=8)
    return f"{canonicalize_name(library)}-{version}-{key}"


def _ready(home: Path) -> Environment | None:
    """What an earlier run finished; None where it was killed half-way or the interpreter has gone since."""
    try:
        found = Environment.model_validate_json((home / _READY).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return found if found.root == home and found.python.exists() else None


def _make(home: Path, found: Release, extras: Sequence[str]) -> Environment:
    shutil.rmtree(home, ignore_errors=True)
    home.parent.mkdir(parents=True, exist_ok=True)
    base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    _uv(found, "venv", "--quiet", "--no-project", "--python", str(base), str(home))
    python = home / "bin" / "python"
    wanted = [f"{found.library}=={found.version}", *extras]
    # The folder is the working directory, so that no project of the user's own configures the installer.
    install = ("pip", "install", "--quiet", "--compile-bytecode", "--python", str(python))
    _uv(found, *install, *_as_of_release(found), *wanted, cwd=home)
    frozen = _uv(found, "pip", "freeze", "--python", str(python), cwd=home)
    packages = tuple(sorted(line for line in frozen.splitlines() if "==" in line))
    environment = Environment(
        library=found.library,
        version=found.version,
        root=home,
        python=python,
        base_prefix=Path(sys.base_prefix).resolve(),
        site_packages=home / "lib" / Path(sysconfig.get_path("purelib")).parent.name / "site-packages",
        packages=packages,
        lock=content_hash([platform.python_version(), packages]),
    )
    write_text(home / _READY, environment.to_line())
    return environment


def _as_of_release(found: Release) -> tuple[str, ...]:
    if found.uploaded is None:
        warnings.warn(
            f"the index does not say when {found.library} {found.version} was released: its dependencies are "
            "today's, not those of its time",
            ApigapWarning,
            stacklevel=4,
        )
        return ()
    day_after = resolution_day(found.uploaded).isoformat()
    last = max(file.uploaded for file in found.files if file.uploaded) + timedelta(seconds=1)
    own = f"{canonicalize_name(found.library)}={last.isoformat()}"
    return ("--exclude-newer", day_after, "--exclude-newer-package", own)


def resolution_day(uploaded: datetime) -> datetime:
    """The moment whose packages an environment holds; see `EnvironmentStore.get`."""
    released = PYTHON_RELEASED.get(sys.version_info.minor)
    wheels = datetime.fromisoformat(released).replace(tzinfo=UTC) + WHEELS_AFTER if released else uploaded
    return max(uploaded + timedelta(days=1), wheels)


def _uv(found: Release, *arguments: str, cwd: Path | None = None) -> str:
    """Run uv and give its standard output."""
    import uv

    variables = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    variables.update(UV_PYTHON_DOWNLOADS="never", UV_DEFAULT_INDEX=index_url(), NO_COLOR="1")
    try:
        done = subprocess.run(
            [uv.find_uv_bin(), *arguments],
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(
            f"{found.library} {found.version}: the installation took more than {INSTALL_SECONDS} s and was ended; "
            "it probably builds from source: choose a version with wheels for this Python"
        ) from None
    if done.returncode != 0:
        raise EnvironmentFailure(_reason(found, done.stderr))
    return done.stdout


def _reason(found: Release, stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    day = f" as of its release on {found.uploaded:%Y-%m-%d}" if found.uploaded else ""
    return (
        f"{found.library} {found.version} cannot be installed{day} for Python {platform.python_version()}: "
        + " ".join(lines[-8:])
        + "; choose another version, or run with a Python that this version has wheels for"
    )
