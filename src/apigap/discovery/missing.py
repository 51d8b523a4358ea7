"""Modules of a library that cannot be imported for want of other packages, and how these come beside it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

from apigap.discovery.distribution import metadata_folders, packages_of_extras
from apigap.discovery.library import OWN_FOLDER, library_file
from apigap.records.names import first_of

_MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_IN_FRONT = ("py", "python-", "python3-")


def missing_packages(failures: Iterable[str], distribution: str, site_packages: Path) -> dict[str, str]:
    """The modules that are not installed, by the reasons of failed imports, sorted.

    With each is the package that brings it, by the library's own extras; nothing where no extra names one like it.
    """
    wanted = sorted({found[1] for reason in failures if (found := _MISSING.match(reason))})
    infos = metadata_folders(distribution, site_packages) if wanted else []
    extras = packages_of_extras(infos[0]) if infos else {}
    return {module: _package_of(module, extras) for module in wanted}


def how_to_read(library: str, version: str, missing: Mapping[str, str]) -> str | None:
    """The sentence on what to write where, so that modules are read that could not be imported; None without any."""
    if not missing:
        return None
    beside = sorted({package for package in missing.values() if package})
    without = [module for module, package in missing.items() if not package]
    line = f"beside: [{', '.join(beside or ['PACKAGE'])}]"
    unknown = f"; no extra of {library} names the package of {first_of(without)}" if without else ""
    return (
        f"modules of {library} are not read for want of {first_of(list(missing))}: {_where(library, version)} "
        f"the line `{line}`{unknown}"
    )


def _where(library: str, version: str) -> str:
    own, known = OWN_FOLDER / f"{library}.yaml", library_file(library)
    if own.exists():
        return f"add to {own}"
    if known is None:
        return f"`apigap library add {library} --new {version}` makes {own}; add to it"
    return f"copy {known} to {own}; add to it"


def _package_of(module: str, extras: Mapping[str, Sequence[str]]) -> str:
    """The package among those of `extras` that is called like a module, else the only one of an extra that is."""
    name = canonicalize_name(module)
    named: dict[str, str] = {
        canonicalize_name(package): package for packages in extras.values() for package in packages
    }
    alike = [named[f"{front}{name}"] for front in ("", *_IN_FRONT) if f"{front}{name}" in named]
    of_extra = [packages[0] for extra, packages in extras.items() if extra == name and len(packages) == 1]
    return next(iter([*alike, *of_extra]), "")
