"""The text of a release as a folder to read: out of a wheel, or out of the source archive where there is no wheel."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from apigap.discovery.distribution import Modules, modules_in, recorded
from apigap.packages.index import Release, fetch_sdist
from apigap.packages.remote_wheel import fetch_wheel_text, wheel_to_read
from apigap.records.base import content_hash
from apigap.records.errors import InfrastructureError
from apigap.records.paths import cache_home, exclusive

_TEXT = (".py", ".pyi")
_NOT_PACKAGES = {"benchmarks", "build", "doc", "docs", "examples", "scripts", "setup", "test", "tests", "tools"}
_SOURCE_FOLDERS = ("src", "lib", "python", ".")


class StaticTree(NamedTuple):
    """A folder of Python files and stubs, the modules that the release lists, and the hash of what it came from.

    `compiled` are public modules that have no text at all.
    """

    root: Path
    modules: Modules
    key: str
    compiled: tuple[str, ...]


def fetch_tree(releases: Sequence[Release]) -> StaticTree:
    """The text of the first release together with that of its companions.

    A release without wheels is read from its source archive, which is never built: building runs its code.

    Raises:
        InfrastructureError: when a release has neither, or the index cannot be reached.
    """
    parts = [_of_release(found) for found in releases]
    if len(parts) == 1:
        return parts[0]
    key = content_hash([part.key for part in parts])
    home = cache_home() / "wheels" / f"{canonicalize_name(releases[0].library)}-{releases[0].version}-with-{key}"
    with exclusive(home.with_name(home.name + ".lock")):
        if not home.exists():
            temporary = home.with_name(home.name + ".tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            for part in reversed(parts):  # the library itself wins where both have a file
                shutil.copytree(part.root, temporary, dirs_exist_ok=True)
            temporary.rename(home)
    tops, public = ({name for part in parts for name in part.modules[index]} for index in (0, 1))
    compiled = tuple(sorted({name for part in parts for name in part.compiled}))
    return StaticTree(home, Modules(tuple(sorted(tops)), tuple(sorted(public))), key, compiled)


def _of_release(index_release: Release) -> StaticTree:
    wheel = wheel_to_read(index_release)
    if wheel is not None:
        root = fetch_wheel_text(index_release.library, index_release.version, wheel)
        return tree_of(
            root,
            [path for record in sorted(root.glob("*.dist-info/RECORD")) for path in recorded(record.parent)],
            wheel.sha256 or "",
        )
    sdist = fetch_sdist(index_release.library, index_release.version)
    if sdist is None:
        raise InfrastructureError(
            f"{index_release.library} {index_release.version} has neither a wheel nor a source archive on the index; "
            "choose another version"
        )
    source = _source_folder(sdist, index_release.library)
    root = cache_home() / "wheels" / f"{canonicalize_name(index_release.library)}-{index_release.version}-sdist"
    with exclusive(root.with_name(root.name + ".lock")):
        if not root.exists():
            temporary = root.with_name(root.name + ".tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            for path in _package_files(source):
                (temporary / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source / path, temporary / path)
            temporary.mkdir(parents=True, exist_ok=True)
            temporary.rename(root)
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return tree_of(root, files, content_hash([index_release.library, index_release.version, files]))


def tree_of(root: Path, files: list[str], key: str) -> StaticTree:
    """The tree below `root`, which lists `files`.

    Folders without `__init__` are packages to Python and none to griffe, so each gets an empty one.
    """
    modules = modules_in(files)
    for folder in {path.parent for path in root.rglob("*") if path.suffix in _TEXT}:
        for package in (folder, *folder.parents):
            if package == root:
                break
            if not any((package / f"__init__{suffix}").exists() for suffix in _TEXT):
                (package / "__init__.py").touch()
    compiled = tuple(name for name in modules.public if not _has_text(root, name))
    return StaticTree(root, modules, key, compiled)


def _has_text(root: Path, module: str) -> bool:
    path = root.joinpath(*module.split("."))
    return any(path.with_suffix(suffix).exists() or (path / f"__init__{suffix}").exists() for suffix in _TEXT)


def _source_folder(sdist: Path, library: str) -> Path:
    """The folder of a source archive that holds its packages: the one that has the library's name, if there is one."""
    name = canonicalize_name(library).replace("-", "_")
    folders = [sdist / folder for folder in _SOURCE_FOLDERS if (sdist / folder).is_dir()]
    for folder in folders:
        if any(entry.stem.lower() == name for entry in folder.iterdir() if entry.is_dir() or entry.suffix == ".py"):
            return folder
    return next((folder for folder in folders if _package_files(folder)), sdist)


def _package_files(source: Path) -> list[Path]:
    found: list[Path] = []
    for entry in sorted(source.iterdir()):
        if entry.stem in _NOT_PACKAGES or entry.is_symlink():
            continue
        if entry.is_dir() and any((entry / f"__init__{suffix}").exists() for suffix in _TEXT):
            found += [path.relative_to(source) for path in sorted(entry.rglob("*")) if path.suffix in _TEXT]
        elif entry.suffix == ".py" and entry.stem.isidentifier():
            found.append(entry.relative_to(source))
    return [path for path in found if "tests" not in path.parts and not (source / path).is_symlink()]
