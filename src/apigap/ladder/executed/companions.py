"""What is installed beside a release so that what shows its APIs runs: of its extras those that its own files import.

The release's requirements do not name these, so that much of its tests and documents ends in an import that fails.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import Distribution
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from apigap.discovery.library import find_library
from apigap.packages.index import Release, ReleaseFile, release
from apigap.packages.installer import Unsolvable, resolved
from apigap.packages.interpreter_choice import resolution_day
from apigap.packages.interpreters import interpreter_of
from apigap.sandbox.environment import Environment

_MOST = 4
_MEGABYTES = 150
"""All wheels that are installed for companions together."""
_UNKNOWN = 10**12
"""The bytes of a wheel that the index tells no size of."""
_TOOLS = frozenset({"pytest", "sphinx", "mypy", "black", "ruff", "setuptools", "pip", "wheel", "tox", "nox"})
"""What runs tests and builds documents shows no API of a library."""
_SHOWING = (".py", ".rst", ".md", ".txt")
_LARGEST_FILE = 2_000_000
_IMPORT = re.compile(r"^[ \t]*(?:>>> ?)?(?:import|from)[ \t]+(\w+)|importorskip\(\s*['\"](\w+)", re.MULTILINE)


def companions_for(environment: Environment, own: Release, sdist: Path | None, leaves: Collection[str]) -> list[str]:
    """At most four distributions, first those that most files import that name one of `leaves`, last names of APIs.

    They bring wheels alone, none of a library that is large, and all together no more than 150 megabytes; what
    the index tells no size of is not among them.

    Raises:
        InfrastructureError: when it cannot be found out what they bring.
    """
    if own.uploaded is None or sdist is None:
        return []
    counts = imported(sdist, leaves)
    names = [name for name in extras_of(environment) if counts[_module_of(name)]]
    interpreter = interpreter_of(environment)
    until = resolution_day(own.uploaded, interpreter.version) if environment.resolved != "today" else None
    chosen: list[str] = []
    for name in sorted(names, key=lambda name: (-counts[_module_of(name)], name)):
        if len(chosen) == _MOST:
            break
        wanted = [f"{own.library}=={own.version}", *chosen, name]
        try:
            brought = set(resolved(own, wanted, until, interpreter)) - set(environment.packages)
        except Unsolvable:
            continue
        if not any(_is_large(one) for one in brought) and _fits(brought, interpreter.version):
            chosen.append(name)
    return sorted(chosen)


def extras_of(environment: Environment) -> list[str]:
    """The distributions that the library's extras name and the environment has not, tools apart.

    What an extra wants from an address is not among them: on the index another distribution may have its name.
    """
    (place, *_) = Distribution.discover(name=environment.library, path=[str(environment.site_packages)])
    present = {line.partition("==")[0] for line in environment.packages}
    extras = place.metadata.get_all("Provides-Extra") or []
    wanted = [one for one in _requirements(place) if _is_of_extra(one, extras, environment)]
    elsewhere = {canonicalize_name(one.name) for one in wanted if one.url}
    found = {canonicalize_name(one.name) for one in wanted} - elsewhere - present
    return sorted(name for name in found if name.partition("-")[0] not in _TOOLS)


def imported(sdist: Path, leaves: Collection[str]) -> Counter[str]:
    """The number of files that import a top-level module, in small letters, of those that have one of `leaves`."""
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(leaves)))})\b")
    counts: Counter[str] = Counter()
    for path in sorted(sdist.rglob("*")):
        if path.suffix in _SHOWING and path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGEST_FILE:
            text = path.read_text("utf-8", "replace")
            if words.search(text):
                counts.update({(a or b).lower() for a, b in _IMPORT.findall(text)})
    return counts


def _requirements(place: Distribution) -> Iterator[Requirement]:
    for line in place.requires or []:
        try:
            yield Requirement(line)
        except InvalidRequirement:  # pip and uv pass over what they cannot read as well
            continue


def _is_of_extra(one: Requirement, extras: Sequence[str], environment: Environment) -> bool:
    python = {"python_version": environment.minor, "python_full_version": environment.python_version}
    marker = one.marker
    return bool(marker and any(marker.evaluate({**python, "extra": extra}) for extra in extras))


def _module_of(name: str) -> str:
    return name.replace("-", "_")


def _is_large(package: str) -> bool:
    return find_library(package.partition("==")[0]).large


def _fits(brought: Collection[str], python: str) -> bool:
    sizes = [
        min(
            (file.size or _UNKNOWN for file in release(name, version).files if _is_wheel(file, python)),
            default=_UNKNOWN,
        )
        for name, _, version in (package.partition("==") for package in sorted(brought))
    ]
    return sum(sizes) <= _MEGABYTES * 1_000_000


def _is_wheel(file: ReleaseFile, python: str) -> bool:
    return not file.is_sdist and file.fits(python)
