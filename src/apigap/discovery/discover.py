"""Stage 1: from two versions of a library to the candidates that the newer one brings."""

import functools
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from apigap.discovery.completeness import check_not_empty, note_on_resolution, notes_on_reading
from apigap.discovery.diff import candidates_of, classify, second_names
from apigap.discovery.evidence.announced import with_announced
from apigap.discovery.evidence.docstrings import are_missing, with_docstrings
from apigap.discovery.evidence.documents import Documents, read_documents, with_documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.evidence.written_names import with_written_names
from apigap.discovery.importance.rank import with_importance
from apigap.discovery.library import LibraryConfig, find_library
from apigap.discovery.missing import missing_packages
from apigap.discovery.neighbours import check_size, requirements_beside, tell_without
from apigap.discovery.pythons import python_of_pair, tell_of_two_pythons
from apigap.discovery.retired.find import Place, find_retired
from apigap.discovery.run_time import read_surface
from apigap.discovery.static.listed import is_listed
from apigap.discovery.surface import Entry, Reading, Surface
from apigap.discovery.versions import check_order, companions_of
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import Release, fetch_sdist, release
from apigap.packages.installer import BUILD_OPTION, Unsolvable
from apigap.packages.interpreters import minor_of
from apigap.packages.remote_wheel import wheel_to_read
from apigap.packages.transfer import metered
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.errors import ApigapWarning, EnvironmentFailure
from apigap.records.retired import Retirement
from apigap.sandbox.environment import Environment

if TYPE_CHECKING:
    from apigap.sandbox.engine import Engine


class Discovery(Record):
    """The candidates, sorted by name; `counts` says what became of every entry of the new surface.

    `failures` names the modules of either version that could not be imported or read, with the reason. `reading`
    says how both versions were read. `objects_old` and `objects_new` count the public objects by kind, `changes`
    the candidates by change and kind. `seconds` is the wall time of this call, and `bytes_fetched` what it moved
    over the network: index pages, archives, parts of wheels, and for an environment made on the way the library's
    own wheels; their dependencies are not in it. `documents` counts the files of the source distribution that
    speak of APIs, by part (documentation, history, examples, tests, inventory); without `documentation` only the
    library's own marks and its tests tell what is public. `retired` are the habits that the release made stale, by
    name. `pythons` is the version of Python that ran each release. `notes` are sentences that whoever uses the result
    must know: releases that stand for others, a surface that has shrunk, dependencies of another time, weaker evidence.
    `missing` are the modules of other packages without which modules of the library could not be imported, each with
    the package that has it where an extra of the newer release names one.
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
    documents: dict[str, int] = {}
    retired: tuple[Retirement, ...] = ()
    pythons: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    missing: dict[str, str] = {}


def discover(
    library: str, old: str | None, new: str, *, engine: "Engine", store: EnvironmentStore, static: bool = False
) -> Discovery:
    """Find what `library` gained, changed or moved from version `old` to `new`; all of `new` where `old` is None.

    Both versions are read the same way: in sandboxes, or as text alone with `static`, where the library's
    configuration says so, or where one of them cannot be installed here (with a warning).

    Raises:
        UsageError: when a version does not exist, or `old` is not older than `new`.
        InfrastructureError: when the index cannot be reached, or the surface cannot be read or has nothing on it.
    """
    check_order(library, old, new)
    started = time.time()
    config = find_library(library)
    with metered() as meter:
        before, after = read_pair(config, old, new, engine=engine, store=store, static=static)
        notes = _notes_on_reading(config, before, after, store)
        documents = documents_of(after, config)
        of_old = documents_of(before, config) if before.version is not None else Documents()
        before, after, on_evidence = with_evidence(config, before, after, (of_old, documents))
        installed = _installed_bytes(config, (before, after), store, started)
    findings = classify(before, after)
    home = _place(config, after, store)
    if before.version is not None:
        findings = [*findings, *second_names(before, after, functools.partial(is_listed, home.root))]
    found = candidates_of(findings, config.name, before.version, after.version or new)
    mentions = Mentions(after.entries, documents, before.version, after.version or new)
    candidates = tuple(with_importance(list(mentions.add_to(found)), after.entries, documents))
    retired: tuple[Retirement, ...] = ()
    if before.version is not None:
        places = (_place(config, before, store), home)
        retired = find_retired(config, (before, after), places, findings, (of_old, documents), engine)
    counts = Counter[str](finding.verdict for finding in findings)
    return Discovery(
        library=config.name,
        old_version=before.version,
        new_version=after.version or new,
        candidates=candidates,
        counts={"old": len(before.entries), "new": len(after.entries), **dict(sorted(counts.items()))},
        failures=tuple(_failures(before)) + tuple(_failures(after)),
        reading=after.reading,
        objects_old=_by_kind(before.entries),
        objects_new=_by_kind(after.entries),
        changes=count_changes(candidates),
        seconds=round(time.time() - started, 2),
        bytes_fetched=meter.bytes + installed,
        documents=dict(sorted(documents.files.items())),
        retired=retired,
        pythons=_pythons(before, after),
        notes=(*notes, *on_evidence),
        missing=missing_packages((*before.failures.values(), *after.failures.values()), config.distribution, home.root),
    )


def _notes_on_reading(config: LibraryConfig, before: Surface, after: Surface, store: EnvironmentStore) -> list[str]:
    pair = [release(config.distribution, found.version) for found in (before, after) if found.version is not None]
    check_not_empty(after, config, pair[-1])
    homes = [] if after.reading == "static" else [environment_of(config, found, store) for found in pair]
    of_today = [note for home in homes if (note := note_on_resolution(home))]
    return [*notes_on_reading(before, after, pair), *of_today]


def with_evidence(
    config: LibraryConfig, before: Surface, after: Surface, pages: tuple[Documents, Documents]
) -> tuple[Surface, Surface, list[str]]:
    """Both surfaces under the names that users write, each with all evidence of its own release; and what to know of
    that. `pages` are the documents of both.
    """
    of_old, documents = pages
    before, after = (with_written_names(one, documents.described, config.distribution) for one in (before, after))
    before, after = with_documents(before, of_old), with_documents(after, documents)
    if before.version is not None:
        before, after = with_announced(before, after, documents)
    if not are_missing(after, documents):
        return before, after, []
    note = (
        f"the source distribution of {config.name} {after.version} has next to no documentation: what has a docstring "
        "of its own in a module that is not private counts as public, marked `docstring`"
    )
    return with_docstrings(before), with_docstrings(after), [note]


def read_pair(
    config: LibraryConfig,
    old: str | None,
    new: str,
    *,
    engine: "Engine",
    store: EnvironmentStore,
    static: bool = False,
) -> tuple[Surface, Surface]:
    """The surfaces of both versions, read the same way; an empty one where `old` is None.

    Raises:
        UsageError, InfrastructureError: see `discover`.
    """
    pair = [release(config.distribution, version) for version in (old, new) if version is not None]
    unfit = [found.version for found in pair if not (store.builds or found.has_wheel_here)]
    if unfit and not static and config.read == "runtime":
        _warn(
            f"{config.name} {' and '.join(unfit)} has no wheel for a Python of this machine: both versions are "
            f"read as text (with {BUILD_OPTION} such are built inside the sandbox)"
        )
    surfaces: list[Surface] = []
    if not (static or unfit or config.read == "static"):
        try:
            python = python_of_pair(config, pair, store) if old is not None else None
            surfaces = [_run(config, found, engine, store, python) for found in pair]
            tell_of_two_pythons(config.name, _pythons(*surfaces))
        except EnvironmentFailure as error:
            _warn(f"{error}; both versions are read as text")
    if not surfaces:
        from apigap.discovery.static.surface import read_static

        surfaces = [read_static([found, *companions_of(config, found)]) for found in pair]
    if old is None:
        surfaces.insert(0, Surface(library=config.distribution, version=None, reading=surfaces[0].reading))
    return surfaces[0], surfaces[1]


def _run(
    config: LibraryConfig, index_release: Release, engine: "Engine", store: EnvironmentStore, python: str | None
) -> Surface:
    companions = [other.library for other in companions_of(config, index_release)]
    environment = environment_of(config, index_release, store, python)
    surface = read_surface(environment, engine, companions, config.prepare)
    return surface.model_copy(update={"python": environment.python_version})


def _pythons(*surfaces: Surface) -> dict[str, str]:
    return {surface.version: surface.python for surface in surfaces if surface.version and surface.python}


def environment_of(
    config: LibraryConfig, index_release: Release, store: EnvironmentStore, python: str | None = None
) -> Environment:
    """The environment of a release; companions that the library does not bring itself are installed beside it.

    Pinned ones are installed together with it: without them it may not be installable at all; so is what the
    configuration wants beside it, unless nothing satisfies both (with a warning). The interpreter is the minor version
    `python`, else the store's choice.

    Raises:
        EnvironmentFailure: for a large library, unless it is a wheel of this machine.
        EnvironmentFailure, InfrastructureError: see `EnvironmentStore.get`.
    """
    check_size(config, index_release.version)
    companions = [f"{other.library}=={other.version}" for other in companions_of(config, index_release)]
    pinned = [companion for companion in companions if companion in config.companions]
    beside = requirements_beside(config)
    try:
        environment = store.get(config.distribution, index_release.version, [*pinned, *beside], python)
        pinned += beside
    except Unsolvable:
        if not beside:
            raise
        tell_without(config, index_release.version, beside)
        environment = store.get(config.distribution, index_release.version, pinned, python)
    present = {canonicalize_name(line.partition("==")[0]) for line in environment.packages}
    missing = [name for name in companions if canonicalize_name(name.partition("==")[0]) not in present]
    if not missing:
        return environment
    return store.get(config.distribution, index_release.version, [*pinned, *missing], environment.minor)


def environment_at(
    library: str, version: str, store: EnvironmentStore, python: str | None = None, beside: Sequence[str] = ()
) -> Environment:
    """The environment of a library's release with the companions that its configuration names; see `environment_of`.

    What is named `beside` it is installed as well, names in their normal form: what wants them must not be judged
    without them.

    Raises:
        EnvironmentFailure: when what is named `beside` it cannot be installed with it.
        UsageError, EnvironmentFailure, InfrastructureError: see `environment_of` and `release`.
    """
    config = find_library(library)
    config = config.model_copy(update={"beside": tuple(dict.fromkeys((*config.beside, *beside)))})
    if not (config.companions or config.beside or config.large):
        return store.get(config.distribution, version, python=python)
    environment = environment_of(config, release(config.distribution, version), store, python)
    missing = [name for name in beside if all(line.partition("==")[0] != name for line in environment.packages)]
    if missing:
        raise EnvironmentFailure(
            f"{config.name} {version} cannot be installed beside {' and '.join(missing)} on Python "
            f"{environment.python_version}, and tasks that were made beside it cannot do without: make them anew"
        )
    return environment


def _place(config: LibraryConfig, surface: Surface, store: EnvironmentStore) -> Place:
    found = release(config.distribution, surface.version or "")
    if surface.reading == "static":
        from apigap.discovery.static.tree import fetch_tree

        return Place(fetch_tree([found, *companions_of(config, found)]).root, None)
    environment = environment_of(config, found, store, _minor(surface))
    return Place(environment.site_packages, environment)


def _minor(surface: Surface) -> str | None:
    return minor_of(surface.python) if surface.python else None


def _installed_bytes(
    config: LibraryConfig, surfaces: tuple[Surface, Surface], store: EnvironmentStore, since: float
) -> int:
    """The size of the library's own wheels in environments that were made after `since`; the index tells it."""
    total = 0
    for surface in surfaces:
        if surface.version is None or surface.reading == "static":
            continue
        found = release(config.distribution, surface.version)
        environment, wheel = environment_of(config, found, store, _minor(surface)), wheel_to_read(found)
        if wheel is not None and environment.python.lstat().st_mtime >= since:
            total += wheel.size or 0
    return total


def _by_kind(apis: Sequence[Entry | Candidate]) -> dict[str, int]:
    return dict(sorted(Counter[str](api.kind for api in apis).items()))


def count_changes(candidates: Sequence[Candidate]) -> dict[str, dict[str, int]]:
    """The number of candidates by change and kind."""
    changes = sorted({candidate.change for candidate in candidates})
    return {change: _by_kind([one for one in candidates if one.change == change]) for change in changes}


def documents_of(surface: Surface, config: LibraryConfig) -> Documents:
    """Read the source distributions of `surface` and its companions for evidence on its APIs.

    Nothing, with a warning, where there is none.

    Raises:
        InfrastructureError: when one cannot be fetched or unpacked.
    """
    main = release(config.distribution, surface.version) if surface.version else None
    found = [main, *companions_of(config, main)] if main else []
    trees = [tree for part in found if (tree := fetch_sdist(part.library, part.version)) is not None]
    if not trees:
        _warn(
            f"{config.distribution} {surface.version} has no source distribution: only `__all__` and re-exports tell "
            "which of its APIs are public"
        )
    return read_documents(trees, surface.tops)


def _warn(message: str) -> None:
    warnings.warn(message, ApigapWarning, stacklevel=3)


def _failures(surface: Surface) -> list[str]:
    return [f"{surface.version}: {module}: {reason}" for module, reason in sorted(surface.failures.items())]
