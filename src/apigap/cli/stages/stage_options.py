"""The options of a single stage, listed once: `apigap extract` and `apigap generate` take the same ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from apigap.cli import options as opt
from apigap.cli.console import Console, next_command, print_result
from apigap.cli.option_groups import ReleaseOptions
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.records.configuration import Settings
    from apigap.stages.on_nodes import Errand
    from apigap.stages.single import StageRun


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
    libraries: opt.LibrariesOption = None
    old: opt.OldOption = None
    new: opt.NewOption = None
    model: opt.ModelOption = opt.DEFAULT_MODEL
    cutoff: opt.CutoffOption = None
    rewrite: opt.RewriteOption = None
    replay: opt.ReplayOption = None
    data: opt.DataOption = opt.DATA


@dataclass(frozen=True, kw_only=True)
class StageOptions(ReleaseOptions, _ReleaseOptions):
    """The release that a stage works on, where its files are, and how it runs."""

    json_: opt.JsonOption = False

    @property
    def named(self) -> list[str]:
        """The libraries that were named, in whichever way."""
        return [*([self.library] if self.library else []), *(self.libraries or ())]


Run = Callable[..., "StageRun"]
"""A stage as `apigap.generate` takes it: a library, or the path of its candidates, and options by name."""


def run_stage(run: Run, options: StageOptions, **own: Any) -> None:
    """Run a stage of what the options name; print its counts. `own` are options that only this stage has.

    Raises:
        UsageError: when it cannot be told what to work on, or where to write.
    """
    from apigap.stages.on_nodes import sent

    _check(options)
    settings = options.settings(cutoff=options.cutoff)
    asks_models = bool(options.rewrite or own.get("author"))
    if sent(settings.execution, options.named) and not asks_models:
        counts, more = _on_nodes(run.__name__, options, settings), []
    else:
        done = _here(run, options, settings, **own)
        counts = [_counts(each) for each in done]
        more = [line for each in done for line in _file_lines(run.__name__, each)]
    lines = [f"{name.replace('_', ' ')}: {shown(value)}" for row in counts for name, value in row.items()]
    print_result(options.json_, counts, *lines, *more)


def shown(value: Any) -> str:
    """A count, or several by name without those that are 0."""
    if not isinstance(value, dict):
        return str(value)
    several = cast("dict[str, Any]", value)
    return "; ".join(f"{name} ({count})" for name, count in several.items() if count) or "none"


def _counts(done: "StageRun") -> dict[str, Any]:
    target = done.target
    return {"library": target.library, "old_version": target.old, "new_version": target.new, **done.counts}


def _file_lines(verb: str, done: "StageRun") -> Iterator[str]:
    """Lines that name the file of the stage's records and the next command."""
    yield f"file: {done.file}"
    if verb == "extract" and done.bundles:
        yield next_command("export", "llms-txt", "--knowledge", done.file, "--out", "DIR")
    if verb == "generate" and done.tasks:
        yield next_command("filter", "--tasks", done.file, "-m", "MODEL", "--out", "F")
        yield "with --reader MODEL it keeps what is fit to publish alone: a strong model reads each task"


def _here(run: Run, options: StageOptions, settings: "Settings", **own: Any) -> list["StageRun"]:
    """The stage of each library, run one after the other."""
    subjects: list[str | Path] = [options.candidates] if options.candidates else [*options.named]
    return [
        run(
            subject,
            old=options.old,
            new=options.new,
            model=options.model,
            rewrite=options.rewrite,
            recorded=options.replay,
            data=options.data,
            out=options.out,
            settings=settings,
            unsafe_local=options.unsafe_local,
            **own,
        )
        for subject in subjects
    ]


def _on_nodes(verb: str, options: StageOptions, settings: "Settings") -> list[dict[str, Any]]:
    """The counts of each library, made by the nodes of the cluster, one of them each."""
    from apigap.stages.on_nodes import on_nodes, raise_failed, stage_errand
    from apigap.stages.versions import resolve_versions

    errands: list[Errand] = []
    for name in options.named:
        target = resolve_versions(name, None, None, options.model, cutoff=settings.gates.cutoff)
        errands.append(stage_errand(target.library, [verb, name, "--model", options.model], options.model, target))
    with Console() as console, options.engine(settings) as engine:
        brought = on_nodes(engine, settings, errands, options.data, console)
    raise_failed({one.library: one.error for one in brought if one.error}, len(brought))
    return [row for one in brought for row in one.printed]


def _check(options: StageOptions) -> None:
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
