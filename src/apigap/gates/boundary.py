"""The boundary of novelty: the dates of two releases against a model's cutoff, which tell what can be new to it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time

from packaging.version import Version

from apigap.discovery.library import find_library
from apigap.discovery.versions import newest_before
from apigap.gates.novelty import Boundary
from apigap.models.model_facts import cutoff_of
from apigap.packages.index import Release, releases
from apigap.records.errors import InfrastructureError, UsageError


def boundary_of(
    library: str,
    old: str | None,
    new: str,
    model: str,
    cutoff: date | None = None,
    known_releases: Callable[[str], list[Release]] = releases,
) -> Boundary:
    """The place of the pair; `unknown` where the releases' dates or the model's `cutoff`, if None, are not known."""
    try:
        cutoff = cutoff_of(model, cutoff)
        found = known_releases(find_library(library).distribution)
        before = newest_before(found, cutoff, to_run=False)
    except UsageError as error:
        return Boundary(status="unknown", reason=str(error))
    except InfrastructureError as error:
        return Boundary(status="untold", reason=str(error))
    released = next((release.uploaded for release in found if Version(release.version) == Version(new)), None)
    if released is None:
        return Boundary(status="unknown", reason=f"the index does not say when {library} {new} appeared")
    if released < _beginning(cutoff):
        return Boundary(status="open", reason=f"{library} {new} is from {released.date()}, before {cutoff}")
    if before is not None and (old is None or Version(old) < Version(before)):
        reason = f"{library} {before} came before {cutoff}, after {old or 'nothing'}"
        return Boundary(status="open", reason=reason, before=before)
    return Boundary(status="member", reason=f"the newest release before {cutoff} is {before or 'none'}")


def _beginning(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
