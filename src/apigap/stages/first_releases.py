"""Since when the candidates of a discovery are there, and those of them that are younger than a day or a release."""

import re
import time
from collections.abc import Sequence
from datetime import date

from packaging.version import InvalidVersion, Version

from apigap.discovery.discover import Discovery, count_changes
from apigap.discovery.library import find_library
from apigap.discovery.since.dating import with_first_releases
from apigap.packages.transfer import metered
from apigap.records.candidate import Candidate
from apigap.records.errors import UsageError
from apigap.records.progress import Progress

OLDER = "older than asked for"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def parse_since(text: str) -> date | Version:
    """A day (`2025-10-07`) or a release (`2.12.0`).

    Raises:
        UsageError: when it is neither.
    """
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else Version(text)
    except (InvalidVersion, ValueError):
        raise UsageError(f"{text!r} is no day and no release; give one as 2025-10-07 or 2.12.0") from None


def dated(found: Discovery, progress: Progress) -> Discovery:
    """The discovery with the first release of each candidate; its seconds and bytes are those of both.

    Raises:
        InfrastructureError: when the index cannot be reached, or a release cannot be read.
    """
    started = time.time()
    with metered() as meter:
        candidates = with_dates(found.library, found.candidates, found.old_version, found.new_version, progress)
    return found.model_copy(
        update={
            "candidates": tuple(candidates),
            "seconds": round(found.seconds + time.time() - started, 2),
            "bytes_fetched": found.bytes_fetched + meter.bytes,
        }
    )


def with_dates(
    library: str, candidates: Sequence[Candidate], old: str | None, new: str, progress: Progress
) -> list[Candidate]:
    """The candidates, each with the release that first has it.

    Raises:
        InfrastructureError: when the index cannot be reached, or a release cannot be read.
    """
    step = progress.step(f"{library}: first releases")
    return list(with_first_releases(find_library(library), candidates, old, new, step))


def selected(found: Discovery, since: date | Version) -> Discovery:
    """A dated discovery without what is known to be older than `since`; `counts` has how many those are.

    What cannot be told to be older stays.
    """
    kept = [candidate for candidate in found.candidates if not _is_older(candidate, since)]
    return found.model_copy(
        update={
            "candidates": tuple(kept),
            "counts": {**found.counts, OLDER: len(found.candidates) - len(kept)},
            "changes": count_changes(kept),
        }
    )


def _is_older(candidate: Candidate, since: date | Version) -> bool:
    first = candidate.since
    if first is None or not first.exact:
        return False
    if isinstance(since, Version):
        return Version(first.version) < since
    return first.released is not None and first.released < since
