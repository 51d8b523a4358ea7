"""`apigap discover` of several libraries: each into the data folder, on after a failure, here or on the nodes."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apigap.cli.console import Console, print_json
from apigap.records.errors import InfrastructureError

if TYPE_CHECKING:
    from apigap.discovery.library import LibraryConfig
    from apigap.records.configuration import Settings
    from apigap.stages.discovery_runs import DiscoveryRuns, LibraryOutcome


def discover_many(
    names: Sequence[str],
    model: str,
    root: Path,
    settings: "Settings",
    static: bool,
    unsafe_local: bool,
    as_json: bool,
) -> None:
    """Run stage 1 of these libraries, or of all that are known where none is named.

    Raises:
        InfrastructureError: when libraries failed; the others are done.
    """
    from apigap.cluster.engines import engine_of
    from apigap.discovery.library import find_library, known_libraries
    from apigap.packages.workshop import environment_store
    from apigap.stages.discovery_runs import DiscoveryRuns
    from apigap.stages.on_nodes import sent

    configs = [find_library(name) for name in names] or known_libraries()
    outcomes: list[LibraryOutcome] = []
    with Console() as console, engine_of(settings.execution, unsafe_local, packages=settings.packages) as engine:
        store = environment_store(engine, settings.packages)
        runs = DiscoveryRuns(model, root, engine, store, static, settings.gates.cutoff)
        step = console.step(f"stage 1 for {model}")
        step(0, len(configs))
        there = sent(settings.execution, configs)
        for outcome in _from_nodes(runs, configs, settings, console) if there else runs.run(configs):
            outcomes.append(outcome)
            if not there:  # nodes have told theirs
                console.note(str(outcome))
            step(len(outcomes), len(configs))
    if as_json:
        print_json([outcome.model_dump(mode="json") for outcome in outcomes])
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    if failed:
        those = ", ".join(outcome.library for outcome in failed)
        raise InfrastructureError(
            f"{len(failed)} of {len(configs)} libraries failed: {those}; the same command tries them again, "
            f"first: {failed[0].error}"
        )


def _from_nodes(
    runs: "DiscoveryRuns", configs: "Sequence[LibraryConfig]", settings: "Settings", console: Console
) -> "Iterator[LibraryOutcome]":
    """The outcomes of libraries that the nodes of a cluster read, one of them each."""
    from apigap.cluster.commands import DATA
    from apigap.models.model_facts import cutoff_of
    from apigap.stages.discovery_runs import LibraryOutcome
    from apigap.stages.on_nodes import on_nodes, stage_errand

    cutoff = cutoff_of(runs.model, runs.cutoff)
    words = ["--model", runs.model, "--cutoff", f"{cutoff:%Y-%m-%d}", *(["--static"] if runs.static else [])]
    errands = [stage_errand(one.name, ["discover", "--library", one.name, *words], runs.model) for one in configs]
    for brought in on_nodes(runs.engine, settings, errands, runs.root, console):
        if not brought.printed:
            yield LibraryOutcome(library=brought.library, status="failed", error=str(brought.error))
            continue
        outcome = LibraryOutcome.model_validate(brought.printed[0])
        here = outcome.path and str(runs.root / Path(outcome.path).relative_to(DATA))
        yield outcome.model_copy(update={"path": here})
