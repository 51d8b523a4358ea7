"""The options of a single stage, listed once: `apigap extract` and `apigap generate` take the same ones."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli import options as opt
from apigap.cli.console import print_result
from apigap.cli.option_groups import ReleaseOptions
from apigap.records.errors import UsageError

if TYPE_CHECKING:
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
    _check(options)
    settings = options.settings(cutoff=options.cutoff)
    subjects: list[str | Path] = [options.candidates] if options.candidates else [*options.named]
    done = [
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
    counts = [
        {"library": each.target.library, "old_version": each.target.old, "new_version": each.target.new, **each.counts}
        for each in done
    ]
    lines = [f"{name.replace('_', ' ')}: {value}" for row in counts for name, value in row.items()]
    print_result(options.json_, counts, *lines)


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
