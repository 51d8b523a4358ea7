"""Distributions beside a library, and those of gigabytes that nothing installs unasked.

A wheel of this machine (`packages.wheelhouse`) is asked for by being there, such as a CPU build of torch.
"""

import warnings
from collections.abc import Sequence

from packaging.version import Version

from apigap.discovery.library import LibraryConfig, find_library
from apigap.packages.wheelhouse import HOW_TO, local_wheels
from apigap.records.errors import ApigapWarning, EnvironmentFailure


def is_too_large(config: LibraryConfig, version: str) -> bool:
    """Tell whether a version would bring gigabytes from the index."""
    return config.large and all(wheel.version != Version(version) for wheel in local_wheels(config.distribution))


def check_size(config: LibraryConfig, version: str) -> None:
    """Refuse to install what would bring gigabytes.

    Raises:
        EnvironmentFailure: with what to do.
    """
    if is_too_large(config, version):
        raise EnvironmentFailure(why_too_large(config, version))


def why_too_large(config: LibraryConfig, version: str) -> str:
    """The sentence on a release that is not installed, with the versions of this machine that would be."""
    here = list(dict.fromkeys(str(wheel.version) for wheel in reversed(local_wheels(config.distribution))))
    instead = f"name the one that is here with --new {here[0]}" if here else f"for a smaller build, {HOW_TO}"
    return (
        f"installing {config.name} {version} takes gigabytes, so nothing does it unasked: `apigap discover` reads it "
        f"as text; {instead}; to install it all the same, say `large: false` in configs/libraries/{config.name}.yaml"
    )


def requirements_beside(config: LibraryConfig) -> list[str]:
    """The requirements that are installed beside a library; of a large distribution the newest wheel of this machine.

    Without one a warning says so.
    """
    found: list[str] = []
    for name in config.beside:
        wheels = local_wheels(name) if find_library(name).large else None
        if wheels is None:
            found.append(name)
        elif wheels:
            found.append(f"{name}=={wheels[-1].version}")
        else:
            warnings.warn(
                f"{config.name} is run without {name}, which much of it needs and which takes gigabytes: {HOW_TO}",
                ApigapWarning,
                stacklevel=3,
            )
    return found


def tell_without(config: LibraryConfig, version: str, beside: Sequence[str]) -> None:
    """Warn that a release is run without what its library is otherwise run with."""
    warnings.warn(
        f"{config.name} {version} is run without {' and '.join(beside)}: nothing satisfies the requirements of all; "
        "what needs that cannot be imported there",
        ApigapWarning,
        stacklevel=3,
    )
