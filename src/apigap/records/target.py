"""A pair of releases: what an audit, and every stage of it, is about."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A library and the two releases to compare; without an old one everything in the new one is new."""

    library: str
    old: str | None
    new: str
    domain: str = "user"
