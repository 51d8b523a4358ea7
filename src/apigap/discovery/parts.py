"""The releases on the index that hold the modules of one that has none of its own: see `distribution`."""

from collections.abc import Iterator
from pathlib import Path

from apigap.discovery.distribution import required, stands_for
from apigap.packages.index import Release, fetch_sdist, release
from apigap.packages.remote_wheel import fetch_wheel_text, wheel_to_read

EMPTY_WHEEL = 1 << 16
"""Wheels of up to that many bytes are looked into: a larger one holds more than metadata."""
_FAR = 4


def parts_of(main: Release) -> list[Release]:
    """The releases that `main` stands for, which has no modules; none where it has some, or names none exactly.

    Raises:
        UsageError: when the index has no such release.
        InfrastructureError: when the index cannot be reached.
    """
    found = {part.library: part for part in _followed(main, _FAR)}
    return list(found.values())


def source_tree_of(main: Release) -> Path | None:
    """The unpacked source distribution of a release, or the first one of its parts; None where none has any.

    Raises:
        UsageError: when the index has no such release.
        InfrastructureError: when the index cannot be reached.
    """
    trees = (fetch_sdist(found.library, found.version) for found in (main, *parts_of(main)))
    return next((tree for tree in trees if tree is not None), None)


def required_by(main: Release) -> list[str]:
    """The names of what a release without modules requires in any case.

    Raises:
        InfrastructureError: when the index cannot be reached.
    """
    info = _metadata_of(main)
    return [wanted.name for wanted in required(info)] if info else []


def _followed(main: Release, far: int) -> Iterator[Release]:
    info = _metadata_of(main)
    for part in stands_for(info) if info and far else ():
        found = release(part.name, part.version)
        yield found
        yield from _followed(found, far - 1)


def _metadata_of(main: Release) -> Path | None:
    """The `.dist-info` folder of a wheel that is small enough to hold nothing else; None of others."""
    wheel = wheel_to_read(main)
    if wheel is None or (wheel.size or 0) > EMPTY_WHEEL:
        return None
    text = fetch_wheel_text(main.library, main.version, wheel)
    return next((info for info in sorted(text.glob("*.dist-info")) if (info / "RECORD").exists()), None)
