"""The options of a single stage, listed once: `apigap extract` and `apigap generate` take the same ones."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import (
    DEFAULT_MODEL,
    BuildOption,
    ConfigOption,
    CutoffOption,
    DataOption,
    JsonOption,
    RewriteOption,
    SetOption,
    UnsafeOption,
    settings_of,
)

if TYPE_CHECKING:
    from datetime import date

    from apigap.records.layout import Layout
    from apigap.records.manifest import Manifest
    from apigap.stages.authorship import Authors
    from apigap.stages.chain import Target
    from apigap.stages.single import SingleStages


@dataclass(frozen=True)
class StageOptions:
    """What says on which release a stage works, where its files are, and how it runs."""

    library: Annotated[str | None, typer.Argument(help="A library, from stage 1 on, into --out or --data.")] = None
    candidates: Annotated[
        Path | None, typer.Option("--candidates", help="A file of stage 1, in the place of LIBRARY, with --out.")
    ] = None
    out: Annotated[
        Path | None, typer.Option("--out", help="JSONL file to write; what it is made of is put beside it.")
    ] = None
    libraries: Annotated[
        list[str] | None, typer.Option("--library", help="As LIBRARY, into --data; may be repeated.")
    ] = None
    old: Annotated[str | None, typer.Option("--old", help="With LIBRARY: release to compare with.")] = None
    new: Annotated[str | None, typer.Option("--new", help="With LIBRARY: release to read.")] = None
    model: Annotated[
        str, typer.Option("--model", "-m", help="With LIBRARY, without --old: its cutoff picks the old release.")
    ] = DEFAULT_MODEL
    cutoff: CutoffOption = None
    rewrite: RewriteOption = None
    mock_llm: Annotated[
        Path | None,
        typer.Option("--mock-llm", help="Transcripts of such a run: its calls are replayed, and no model is asked."),
    ] = None
    data: DataOption = None
    build_sdists: BuildOption = False
    config: ConfigOption = None
    set_: SetOption = None
    json_: JsonOption = False
    unsafe_local: UnsafeOption = False

    @property
    def named(self) -> list[str]:
        """The libraries that were named, in whichever way."""
        return [*([self.library] if self.library else []), *(self.libraries or ())]


@dataclass(frozen=True)
class StageForms:
    """The ways to run one stage: on files that were named, on a release into one file, on one in a data folder."""

    of_files: "Callable[[SingleStages, Path, Path], Manifest]"
    to_file: "Callable[[SingleStages, Target, Path], Manifest]"
    of_library: "Callable[[SingleStages, Target, Layout], Manifest]"


def run_stage(forms: StageForms, options: StageOptions, authors: "Authors") -> None:
    """Run one stage and print its counts.

    Raises:
        UsageError: when it cannot be told what to work on, or where to write.
    """
    from apigap.cli.console import Console, print_json
    from apigap.sandbox.engine import Engine
    from apigap.stages.single import SingleStages, counts_of

    _check(options)
    settings = settings_of(options.config, options.set_, cutoff=options.cutoff, build_sdists=options.build_sdists)
    with (
        Console() as console,
        Engine.of(settings.execution, options.unsafe_local) as engine,
    ):
        manifests = _run(forms, options, SingleStages(settings, engine, console, authors), settings.gates.cutoff)
    counts = counts_of(manifests)
    if options.json_:
        print_json(counts)
    else:
        for row in counts:
            print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in row.items()))


def _check(options: StageOptions) -> None:
    from apigap.records.errors import UsageError

    if options.candidates is None and not options.named:
        raise UsageError("name a LIBRARY, or give --candidates FILE with --out FILE")
    if options.candidates is not None and (options.named or options.old or options.new or options.cutoff):
        raise UsageError("--candidates says which release it is: leave out LIBRARY, --library, --old, --new, --cutoff")
    if options.candidates is not None and options.out is None:
        raise UsageError("say with --out where to write what is made of --candidates")
    if options.out is not None and len(options.named) > 1:
        raise UsageError("--out is one file for one library; several go into --data")
    if len(options.named) > 1 and (options.old or options.new):
        raise UsageError("--old and --new are releases of one library: name that alone")


def _run(forms: StageForms, options: StageOptions, stages: "SingleStages", cutoff: "date | None") -> "list[Manifest]":
    from apigap.records.layout import Layout
    from apigap.stages.versions import resolve_versions

    if options.candidates is not None and options.out is not None:
        return [forms.of_files(stages, options.candidates, options.out)]
    targets = [resolve_versions(name, options.old, options.new, options.model, cutoff=cutoff) for name in options.named]
    if options.out is not None:
        return [forms.to_file(stages, targets[0], options.out)]
    layout = Layout(options.data or Path("data"), options.model)
    return [forms.of_library(stages, target, layout) for target in targets]
