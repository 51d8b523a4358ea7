"""The options of a single stage, listed once: `apigap extract` and `apigap generate` take the same ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.option_groups import EngineOptions
from apigap.cli.options import (
    DATA,
    DEFAULT_MODEL,
    CutoffOption,
    DataOption,
    JsonOption,
    LibrariesOption,
    ModelOption,
    NewOption,
    OldOption,
    ReplayOption,
    RewriteOption,
)

if TYPE_CHECKING:
    from apigap.records.configuration import Settings
    from apigap.records.layout import Layout
    from apigap.records.target import Target
    from apigap.stages.authorship import Authors


@dataclass(frozen=True, kw_only=True)
class _ReleaseOptions:
    """The release that a stage works on, and where its files are."""

    library: Annotated[str | None, typer.Argument(help="A library, from stage 1 on, into --out or --data.")] = None
    candidates: Annotated[
        Path | None, typer.Option("--candidates", help="A file of stage 1, in the place of LIBRARY, with --out.")
    ] = None
    out: Annotated[
        Path | None, typer.Option("--out", help="JSONL file to write; what it is made of is put beside it.")
    ] = None
    libraries: LibrariesOption = None
    old: OldOption = None
    new: NewOption = None
    model: ModelOption = DEFAULT_MODEL
    cutoff: CutoffOption = None
    rewrite: RewriteOption = None
    replay: ReplayOption = None
    data: DataOption = DATA


@dataclass(frozen=True, kw_only=True)
class StageOptions(EngineOptions, _ReleaseOptions):
    """The release that a stage works on, where its files are, and how it runs."""

    json_: JsonOption = False

    @property
    def named(self) -> list[str]:
        """The libraries that were named, in whichever way."""
        return [*([self.library] if self.library else []), *(self.libraries or ())]


def run_stage(stage: int, options: StageOptions, authors: "Authors", knowledge: Path | None = None) -> None:
    """Run stage 2 or 3 of what the options name, with those before it unless files of them are given; print its counts.

    Raises:
        UsageError: when it cannot be told what to work on, or where to write.
    """
    from apigap.cli.console import Console, print_result
    from apigap.stages.driver import Stages
    from apigap.stages.files import stage_manifest

    _check(options)
    settings = options.settings(cutoff=options.cutoff)
    targets = _targets(options, settings)
    layout = _layout(stage, options, knowledge)
    with Console() as console, options.engine(settings) as engine:
        stages = Stages(layout, settings, engine, console, authors)
        for target in targets:
            stages.run(target, last=stage, first=stage if options.candidates else 1)
    manifests = [stage_manifest(layout, target.library, stage) for target in targets]
    releases = ("library", "old_version", "new_version")
    counts = [{**{key: m.made_from[key] for key in releases}, **m.counts} for m in manifests]
    lines = [f"{name.replace('_', ' ')}: {value}" for row in counts for name, value in row.items()]
    print_result(options.json_, counts, *lines)


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


def _layout(stage: int, options: StageOptions, knowledge: Path | None) -> "Layout":
    """The files of the stages: those that were named, else those of the data folder."""
    from apigap.records.layout import Layout
    from apigap.stages.files import files_beside, named_files

    if options.out is None:
        return Layout(options.data, options.model)
    if options.candidates is None:
        return files_beside(options.out, stage)
    if stage == 2:
        return named_files(options.candidates, options.out, options.out)
    return named_files(options.candidates, _bundles_of(options.candidates, knowledge), options.out)


def _bundles_of(candidates: Path, knowledge: Path | None) -> Path:
    """The file of bundles that stage 3 goes on from, which must have its usages beside it."""
    from apigap.records.errors import UsageError

    if knowledge is None:
        raise UsageError(f"name the bundles of {candidates} with --knowledge: the file that `apigap extract` wrote")
    usages = knowledge.with_name(f"{knowledge.stem}.usages.jsonl")
    if not usages.exists():
        raise UsageError(
            f"there is no {usages}; make it with: apigap extract --candidates {candidates} --out {knowledge}"
        )
    return knowledge


def _targets(options: StageOptions, settings: "Settings") -> "list[Target]":
    from apigap.stages.files import target_of
    from apigap.stages.versions import resolve_versions

    if options.candidates is not None:
        return [target_of(options.candidates)]
    cutoff = settings.gates.cutoff
    return [resolve_versions(name, options.old, options.new, options.model, cutoff=cutoff) for name in options.named]
