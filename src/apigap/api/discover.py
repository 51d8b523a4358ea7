"""`apigap.discover`: the public APIs that a release brought, changed or moved."""

from apigap.api.session import Display, in_force, shown
from apigap.cluster.engines import engine_of
from apigap.discovery.discover import Discovery
from apigap.packages.workshop import environment_store
from apigap.records.configuration import Settings
from apigap.stages.discovery_runs import discover_target
from apigap.stages.first_releases import dated, parse_since, selected
from apigap.stages.retired_runs import with_usages
from apigap.stages.versions import resolve_versions


def discover(
    library: str,
    *,
    old: str | None = None,
    new: str | None = None,
    model: str | None = None,
    static: bool = False,
    since: str | None = None,
    stale: bool = False,
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> Discovery:
    """Find which public APIs of a library are new, changed or moved between two releases.

    Args:
        library: Its name on the package index.
        old: The release to compare with; by default the newest one before the training cutoff of `model`.
        new: The release to read; by default the one that the library's configuration pins, or the newest stable one.
        model: A model whose cutoff picks `old`.
        static: Read both versions as text; nothing is installed or run.
        since: A day (`2025-10-07`) or a release: only the APIs that are not known to be older.
        stale: Run usages of the old release for what was taken away, and look for calls that answer otherwise.
        settings: See `load_settings`; `gates.cutoff`, `packages` and `execution` matter here.
        unsafe_local: Import the library WITHOUT isolation.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The candidates by name with the evidence that they are public and the release that first has each, what was
        taken away (`retired`), what could
        not be read and why, the seconds that it took and the bytes that were fetched.

    Raises:
        UsageError: For an unknown library, equal releases, or a model without a known cutoff where `old` is left open;
            for a `since` that is neither a day nor a release.
        InfrastructureError: When the index cannot be reached, a version cannot be installed, or isolation is missing.
    """
    bound = parse_since(since) if since is not None else None
    terms = in_force(settings)
    with shown(progress) as display, engine_of(terms.execution, unsafe_local, packages=terms.packages) as engine:
        target = resolve_versions(library, old, new, model, cutoff=terms.gates.cutoff, to_run=False)
        store = environment_store(engine, terms.packages)
        found = dated(discover_target(target, engine, display, store, static=static), display)
        found = with_usages(found, engine, display, store) if stale else found
    return found if bound is None else selected(found, bound)
