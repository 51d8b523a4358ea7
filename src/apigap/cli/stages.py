"""Single stages: `apigap discover`, `apigap extract`, `apigap generate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import DEFAULT_MODEL, ConfigOption, DataOption, JsonOption, SetOption, UnsafeOption

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apigap.discovery.discover import Discovery
    from apigap.pipeline.authorship import Authors
    from apigap.pipeline.layout import Layout
    from apigap.pipeline.single_stages import SingleStages
    from apigap.pipeline.stages import Target
    from apigap.records.manifest import Manifest

_CandidatesOption = Annotated[
    Path | None, typer.Option("--candidates", help="A file of stage 1, with the candidates of one release.")
]
_LibraryOption = Annotated[
    list[str] | None, typer.Option("--library", help="A library, from stage 1 on, into --data; may be repeated.")
]
_OldOption = Annotated[str | None, typer.Option("--old", help="With --library: release to compare with.")]
_NewOption = Annotated[str | None, typer.Option("--new", help="With --library: release to read.")]
_StageModelOption = Annotated[
    str, typer.Option("--model", "-m", help="With --library: its cutoff picks the old release.")
]
_AuthorOption = Annotated[
    str | None, typer.Option("--author", help="A model that writes the tasks, in the place of the synthesiser.")
]
_RewriteOption = Annotated[
    str | None, typer.Option("--rewrite", help="A model that puts the prose of the bundles in its own words.")
]
_RecordedOption = Annotated[
    Path | None,
    typer.Option("--mock-llm", help="Transcripts of such a run: its calls are replayed, and no model is asked."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(discover)
    app.command()(extract)
    app.command()(generate)


def discover(
    library: Annotated[str | None, typer.Argument(help="A library by its name on the package index.")] = None,
    old: Annotated[str | None, typer.Option("--old", help="Release to compare with.")] = None,
    new: Annotated[
        str | None, typer.Option("--new", help="Release to read; default: the pinned or the newest stable one.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="JSONL file for the candidates.")] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Without --old: the newest release before its cutoff.")
    ] = None,
    all_libraries: Annotated[
        bool, typer.Option("--all-libraries", help="All of `apigap library list`, into --data.")
    ] = False,
    data: DataOption = None,
    static: Annotated[
        bool, typer.Option("--static", help="Read both versions as text; nothing is installed or run.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Stage 1: which public APIs of LIBRARY are new, changed or moved."""
    from apigap.records.errors import UsageError

    if all_libraries:
        if library or old or new or out:
            raise UsageError("--all-libraries takes neither LIBRARY nor --old, --new and --out; see --model and --data")
        _discover_all(model or DEFAULT_MODEL, data or Path("data") / "discovery", static, json_)
    elif library is None:
        raise UsageError("name a LIBRARY, or give --all-libraries")
    else:
        _discover_one(library, old, new, out, model, static, json_)


def _discover_one(
    library: str, old: str | None, new: str | None, out: Path | None, model: str | None, static: bool, as_json: bool
) -> None:
    from apigap.cli.console import Console, print_json
    from apigap.discovery.discover import discover as find
    from apigap.execution.engine import Engine
    from apigap.execution.environments import EnvironmentStore
    from apigap.pipeline.versions import resolve_versions
    from apigap.records.store import write_records

    target = resolve_versions(library, old, new, model, to_run=False)
    with Console() as console, Engine() as engine:
        step = console.step(f"{library} {target.old} -> {target.new}")
        step(0, 1)
        found = find(library, target.old, target.new, engine=engine, store=EnvironmentStore(), static=static)
        step(1, 1)
    if out is not None:
        write_records(out, found.candidates)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(found)


def _show(found: "Discovery") -> None:
    from apigap.cli.console import print_table

    rows = [
        [c.api_name, c.kind, c.change, ", ".join(f"{x.what}: {x.parameter}" for x in c.changes[:3])]
        for c in found.candidates
    ]
    title = f"{found.library} {found.old_version} -> {found.new_version}"
    print_table(title, ("API", "kind", "change", "what changed"), rows)
    for failure in found.failures:
        print(f"not read: {failure}")
    print(f"{len(rows)} APIs in {found.seconds:.1f} s, {found.bytes_fetched / 1e6:.1f} MB fetched, {found.reading}")


def _discover_all(model: str, root: Path, static: bool, as_json: bool) -> None:
    from apigap.cli.console import Console, print_json
    from apigap.discovery.library import known_libraries
    from apigap.execution.engine import Engine
    from apigap.execution.environments import EnvironmentStore
    from apigap.pipeline.discovery_runs import DiscoveryRuns, LibraryOutcome
    from apigap.records.errors import InfrastructureError

    configs = known_libraries()
    outcomes: list[LibraryOutcome] = []
    with Console() as console, Engine() as engine:
        step = console.step(f"stage 1 for {model}")
        step(0, len(configs))
        for outcome in DiscoveryRuns(model, root, engine, EnvironmentStore(), static).run(configs):
            outcomes.append(outcome)
            console.note(str(outcome))
            step(len(outcomes), len(configs))
    if as_json:
        print_json([outcome.model_dump(mode="json") for outcome in outcomes])
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    if failed:
        names = ", ".join(outcome.library for outcome in failed)
        raise InfrastructureError(
            f"{len(failed)} of {len(configs)} libraries failed: {names}; the same command tries them again, "
            f"first: {failed[0].error}"
        )


def extract(
    candidates: _CandidatesOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --candidates: JSONL file for the bundles.")] = None,
    library: _LibraryOption = None,
    old: _OldOption = None,
    new: _NewOption = None,
    model: _StageModelOption = DEFAULT_MODEL,
    rewrite: _RewriteOption = None,
    mock_llm: _RecordedOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Stage 2: what a release itself says of each candidate, as a bundle of surface, exemplars, prose and code."""
    from apigap.pipeline.authorship import Authors
    from apigap.records.errors import UsageError

    def of_files(stages: "SingleStages") -> "Manifest":
        if candidates is None or out is None:
            raise UsageError("give --candidates FILE with --out FILE, or --library NAME")
        return stages.extract_file(candidates, out)

    def of_library(stages: "SingleStages", target: "Target", layout: "Layout") -> "Manifest":
        return stages.extract_library(target, layout)

    authors = Authors(None, rewrite, mock_llm)
    versions = (old, new, model)
    _run_stage(of_files, of_library, library or (), versions, authors, data, config, set_, json_, unsafe_local)


def generate(
    candidates: _CandidatesOption = None,
    knowledge: Annotated[
        Path | None, typer.Option("--knowledge", help="With --candidates: the file that `apigap extract` wrote.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --candidates: JSONL file for the tasks.")] = None,
    library: _LibraryOption = None,
    old: _OldOption = None,
    new: _NewOption = None,
    model: _StageModelOption = DEFAULT_MODEL,
    author: _AuthorOption = None,
    rewrite: _RewriteOption = None,
    mock_llm: _RecordedOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Stage 3: tasks from the usages that no bundle shows, written without a model, or by the one that you name."""
    from apigap.pipeline.authorship import Authors
    from apigap.records.errors import UsageError

    def of_files(stages: "SingleStages") -> "Manifest":
        if candidates is None or knowledge is None or out is None:
            raise UsageError("give --candidates FILE and --knowledge FILE with --out FILE, or --library NAME")
        return stages.generate_file(candidates, knowledge, out)

    def of_library(stages: "SingleStages", target: "Target", layout: "Layout") -> "Manifest":
        return stages.generate_library(target, layout)

    authors = Authors(author, rewrite, mock_llm)
    versions = (old, new, model)
    _run_stage(of_files, of_library, library or (), versions, authors, data, config, set_, json_, unsafe_local)


def _run_stage(
    of_files: "Callable[[SingleStages], Manifest]",
    of_library: "Callable[[SingleStages, Target, Layout], Manifest]",
    libraries: "Sequence[str]",
    versions: tuple[str | None, str | None, str],
    authors: "Authors",
    data: Path | None,
    config: list[Path] | None,
    set_: list[str] | None,
    as_json: bool,
    unsafe_local: bool,
) -> None:
    from apigap.cli.console import Console, print_json
    from apigap.execution.engine import Engine
    from apigap.execution.limits import MIB, Limits
    from apigap.pipeline.layout import Layout
    from apigap.pipeline.single_stages import SingleStages, counts_of
    from apigap.pipeline.versions import resolve_versions
    from apigap.records.configuration import load_settings

    settings = load_settings(config or (), set_ or [])
    execution = settings.execution
    limits = Limits(
        cpu_seconds=execution.cpu_seconds, wall_seconds=execution.wall_seconds, memory=execution.memory_mib * MIB
    )
    old, new, model = versions
    with Console() as console, Engine(execution.workers, limits, unsafe_local, execution.backend) as engine:
        stages = SingleStages(settings, engine, console, authors)
        layout = Layout(data or Path("data"), model)
        targets = [resolve_versions(name, old, new, model) for name in libraries]
        manifests = [of_library(stages, target, layout) for target in targets] or [of_files(stages)]
    counts = counts_of(manifests)
    if as_json:
        print_json(counts)
    else:
        for row in counts:
            print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in row.items()))
