"""Versions of the libraries that a release's tasks run with, which the tasks themselves do not say."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from packaging.requirements import InvalidRequirement, Requirement

from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.release import ReleaseTask


class Pin(NamedTuple):
    """A distribution on the index, and its version."""

    package: str
    version: str


def pins_for(tasks: Iterable[ReleaseTask], given: Sequence[str]) -> dict[str, Pin]:
    """The pin of each library of `tasks`: as `given`, else as the tasks' own `version` says.

    `given` are `library==version`, or paths: a library's YAML file of the release (`configs/libraries/LIBRARY.yaml`,
    of which `package` and `new_version` are read), or the folder of them.

    Raises:
        UsageError: for a library without a version, for two versions of one, and for what is no version.
        CorruptRecord: for a YAML file without them.
    """
    known: dict[str, Pin] = {}
    for text in _each(given):
        for library, pin in _read(text).items():
            if known.setdefault(library, pin) != pin:
                raise UsageError(f"--versions names {library} {known[library].version} and {pin.version}; give one")
    return {library: known.get(library) or _own(library, versions) for library, versions in _by_library(tasks).items()}


def _each(given: Sequence[str]) -> list[str]:
    """Every single one, also of several in one text with spaces or commas between them."""
    return [part for text in given for part in ([text] if Path(text).exists() else text.replace(",", " ").split())]


def _by_library(tasks: Iterable[ReleaseTask]) -> dict[str, list[str | None]]:
    found: dict[str, list[str | None]] = {}
    for task in tasks:
        found.setdefault(task.library, []).append(task.version)
    return found


def _own(library: str, versions: list[str | None]) -> Pin:
    named = sorted({version for version in versions if version})
    if len(named) == 1 and None not in versions:
        return Pin(library, named[0])
    if len(named) > 1:
        raise UsageError(f"the tasks name {len(named)} versions of {library} ({', '.join(named)}); score them apart")
    raise UsageError(
        f"no version of {library} is given, and {versions.count(None)} of its tasks do not name one; give it with "
        f"--versions {library}==VERSION, or --versions PATH with the release's configs/libraries folder"
    )


def _read(text: str) -> dict[str, Pin]:
    path = Path(text)
    if path.is_dir():
        return {library: pin for file in sorted(path.glob("*.yaml")) for library, pin in _read_yaml(file).items()}
    if path.is_file():
        return _read_yaml(path)
    try:
        wanted = Requirement(text)
    except InvalidRequirement:
        wanted = None
    exact = [part.version for part in wanted.specifier if part.operator == "=="] if wanted else []
    if wanted is None or len(exact) != 1 or len(wanted.specifier) != 1:
        raise UsageError(f"--versions {text} is neither library==version nor a file or folder of the release's pins")
    return {wanted.name: Pin(wanted.name, exact[0])}


def _read_yaml(path: Path) -> dict[str, Pin]:
    """The pin under the file's name and under the package's."""
    import yaml

    try:
        found: Any = yaml.safe_load(path.read_text("utf-8"))
        row = cast("dict[str, Any]", found)
        pin = Pin(str(row["package"]), str(row["new_version"]))
    except (OSError, yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{path} does not pin a library with `package` and `new_version`: {error}") from error
    return {path.stem: pin, pin.package: pin}
