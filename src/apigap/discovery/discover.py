"""Stage 1: from two versions of a library to the candidates that the newer one brings."""

import warnings
from collections import Counter
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from apigap.discovery.diff import candidates_of, classify
from apigap.discovery.documents import read_documents, with_documents
from apigap.discovery.surface import Reading, Surface, read_surface
from apigap.execution.environments import EnvironmentStore
from apigap.execution.index import fetch_sdist
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.errors import ApigapWarning, UsageError

if TYPE_CHECKING:
    from apigap.execution.engine import Engine


class Discovery(Record):
    """The candidates, sorted by name; `counts` says what became of every entry of the new surface.

    `failures` names the modules of either version that could not be imported or read, with the reason. `reading`
    says how both versions were read. `objects_old` and `objects_new` count the public objects by kind, `changes`
    the candidates by change and kind. `seconds` is the wall time of this call, and `bytes_fetched` what it moved
    over the network: index pages, archives, parts of wheels, and for an environment made on the way the library's
    own wheels; their dependencies are not in it.
    """

    library: str
    old_version: str | None
    new_version: str
    candidates: tuple[Candidate, ...]
    counts: dict[str, int]
    failures: tuple[str, ...]
    reading: Reading = "runtime"
    objects_old: dict[str, int] = {}
    objects_new: dict[str, int] = {}
    changes: dict[str, dict[str, int]] = {}
    seconds: float = 0.0
    bytes_fetched: int = 0


def discover(library: str, old: str | None, new: str, *, engine: "Engine", store: EnvironmentStore) -> Discovery:
    """What `library` gained, changed or moved from version `old` to `new`; all of `new` where `old` is None.

    Raises:
        UsageError: when a version does not exist, or `old` is not older than `new`.
        EnvironmentFailure: when a version cannot be installed.
        InfrastructureError: when the index cannot be reached or the surface cannot be read.
    """
    check_order(library, old, new)
    before = Surface(library=library, version=None)
    if old is not None:
        before = read_surface(store.get(library, old), engine)
    after = _with_sdist(read_surface(store.get(library, new), engine))
    findings = classify(before, after)
    counts = Counter[str](finding.verdict for finding in findings)
    return Discovery(
        library=library,
        old_version=before.version,
        new_version=after.version or new,
        candidates=tuple(candidates_of(findings, library, before.version, after.version or new)),
        counts={"old": len(before.entries), "new": len(after.entries), **dict(sorted(counts.items()))},
        failures=tuple(_failures(before)) + tuple(_failures(after)),
    )


def check_order(library: str, old: str | None, new: str) -> None:
    """Refuse a pair of versions that cannot be compared.

    Raises:
        UsageError: naming both versions and what to give instead.
    """
    if old is None:
        return
    try:
        first, second = Version(old), Version(new)
    except InvalidVersion as error:
        raise UsageError(f"{library}: {error}; versions look like 2.13.3") from None
    if first == second:
        raise UsageError(f"{library}: old and new version are the same ({new}); give an older one as --old")
    if first > second:
        raise UsageError(f"{library}: {old} is newer than {new}; exchange --old and --new")


def _with_sdist(surface: Surface) -> Surface:
    tree = fetch_sdist(surface.library, surface.version) if surface.version else None
    if tree is None:
        warnings.warn(
            f"{surface.library} {surface.version} has no source distribution: only `__all__` and re-exports tell "
            "which of its APIs are public",
            ApigapWarning,
            stacklevel=3,
        )
        return surface
    return with_documents(surface, read_documents(tree, surface.tops))


def _failures(surface: Surface) -> list[str]:
    return [f"{surface.version}: {module}: {reason}" for module, reason in sorted(surface.failures.items())]
