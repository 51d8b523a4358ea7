"""Signs that a reading has missed something: they are refused, or told in words that a report repeats."""

from collections.abc import Sequence

from apigap.discovery.diff import entries_gone
from apigap.discovery.library import LibraryConfig
from apigap.discovery.parts import parts_of, required_by
from apigap.discovery.surface import Surface
from apigap.packages.index import Release
from apigap.records.errors import InfrastructureError
from apigap.sandbox.environment import Environment


def check_not_empty(surface: Surface, config: LibraryConfig, read: Release) -> None:
    """Refuse the surface of a release on which nothing public was found.

    Raises:
        InfrastructureError: with the reason and what to do.
    """
    if not surface.entries:
        raise InfrastructureError(f"{config.name} {read.version} has no public objects: {_why_empty(surface, read)}")


def notes_on_reading(before: Surface, after: Surface, pair: Sequence[Release]) -> list[str]:
    """Sentences on what stands in for the releases `pair`, and on a surface that has shrunk."""
    notes = [note for read in pair if (note := _on_parts(read))]
    if before.version is not None and not before.entries:
        reason = _why_empty(before, pair[0])
        notes.append(f"{before.library} {before.version} has no public objects, so that all is new: {reason}")
    gone = len(entries_gone(before, after)) if before.entries else 0
    if 2 * gone > len(before.entries):
        notes.append(
            f"{after.library} {after.version} lacks {gone} of the {len(before.entries)} public objects of "
            f"{before.version}, more than half: look whether a distribution holds them that `companions` in "
            f"configs/libraries/{after.library}.yaml could name"
        )
    return notes


def note_on_resolution(environment: Environment) -> str | None:
    """The sentence on an environment whose packages are not those of the release's time; None of others."""
    if environment.resolved == "release":
        return None
    return f"{environment.library} {environment.version} is read with today's dependencies, not those of its time"


def _on_parts(read: Release) -> str | None:
    parts = [f"{part.library} {part.version}" for part in parts_of(read)]
    if not parts:
        return None
    return (
        f"{read.library} {read.version} holds no modules itself: they are those of {_listed(parts)}, which it requires"
    )


def _why_empty(surface: Surface, read: Release) -> str:
    failures = sorted(surface.failures.items())
    if failures:
        module, reason = failures[0]
        return f"none of its modules can be read, as {module}: {reason}; choose another version"
    if surface.modules:
        return f"its {len(surface.modules)} modules hold no class or function of its own; check the name"
    required = required_by(read)
    if required:
        return f"it holds no modules and requires {_listed(required)}; give the name of the one that is meant"
    return "it holds no modules; check the name"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
