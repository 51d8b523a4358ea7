"""Single stages: `apigap discover`, `apigap extract`, `apigap generate`."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.console import next_command, print_json, print_result, print_table
from apigap.cli.option_groups import BudgetOptions, ReleaseOptions, commands, with_options
from apigap.cli.stages.discover_many import discover_many
from apigap.cli.stages.stage_options import StageOptions, run_stage
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.discovery.discover import Discovery
    from apigap.records.candidate import Candidate


@with_options
def discover(
    library: opt.MaybeLibraryArgument = None,
    libraries: opt.LibrariesOption = None,
    all_libraries: opt.AllLibrariesOption = False,
    old: opt.OldOption = None,
    new: opt.NewOption = None,
    model: opt.CutoffModelOption = None,
    cutoff: opt.CutoffOption = None,
    static: Annotated[
        bool, typer.Option("--static", help="Read both versions as text; nothing is installed or run.")
    ] = False,
    since: Annotated[
        str | None, typer.Option("--since", help="A day or a release: only APIs not known to be older.")
    ] = None,
    stale: Annotated[
        bool,
        typer.Option("--stale", help="List what was taken away, with usages that ran before and what they give now."),
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="JSONL file for the candidates.")] = None,
    data: opt.OwnDataOption = None,
    *,
    machine: ReleaseOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Find the public APIs of LIBRARY that are new, changed or moved (stage 1)."""
    from apigap.api.discover import discover

    several = all_libraries or bool(libraries)
    if several and (library or old or new or since or stale or out):
        raise UsageError(
            "--library and --all-libraries take no LIBRARY, --old, --new, --since, --stale and --out; see --model and "
            "--data"
        )
    if several == (library is not None) or (all_libraries and libraries):
        raise UsageError("name a LIBRARY, or give --library for each of several, or --all-libraries")
    settings = machine.settings(cutoff=cutoff)
    if library is None:
        root = data or opt.DATA / "discovery"
        asked = model or opt.DEFAULT_MODEL
        discover_many(libraries or (), asked, root, settings, static, machine.unsafe_local, json_)
        return
    found = discover(
        library, old=old, new=new, model=model, static=static, since=since, stale=stale, settings=settings,
        unsafe_local=machine.unsafe_local,
    )  # fmt: skip
    show(found, stale, out, json_)
    if stale and since and not json_:
        print(
            f"--since selects what is new; this is all that went since {found.old_version}: give a later --old for less"
        )


def show(found: "Discovery", stale: bool, out: Path | None, as_json: bool) -> None:
    """Print what was found, as a table by rank or all as JSON, and write the candidates to `out` if it is given.

    With `stale` the table is of what was taken away.
    """
    from apigap.cli.stages.retired import print_counts, print_retired
    from apigap.records.store import write_records
    from apigap.stages.first_releases import OLDER

    if out is not None:
        write_records(out, found.candidates)
        write_records(_beside(out, "retired"), found.retired)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    if stale:
        print_retired(found)
        return
    title = f"{found.library} {found.old_version} -> {found.new_version}"
    head = ("rank", "API", "kind", "change", "first release", "what changed", "family")
    if found.candidates:
        print_table(title, head, _ranked_rows(found.candidates))
    else:
        print(f"{title}: no public API is new, changed or moved")
    _print_minor(found.candidates)
    for failure in found.failures:
        print(f"not read: {failure}")
    older = found.counts.get(OLDER)
    if older is not None:
        print(f"left out as older: {older}")
    print_counts(found.retired)
    weak = sum(candidate.is_weak for candidate in found.candidates)
    if weak:
        print(f"{weak} of them are public by their own docstrings alone")
    cost = f"{found.seconds:.1f} s, {found.bytes_fetched / 1e6:.1f} MB fetched"
    print(f"{len(found.candidates)} APIs in {cost}; read: {found.reading}")
    _print_next(found, out)


def _print_next(found: "Discovery", out: Path | None) -> None:
    """Say how to read what was not read, where the candidates are, and what to do with them."""
    from apigap.discovery.missing import how_to_read

    advice = how_to_read(found.library, found.new_version, found.missing)
    if advice:
        print(advice)
    if out is None:
        print("nothing is kept of this: --out FILE writes all of them as JSONL")
        return
    if found.candidates:
        print(f"Candidates: {out}; {next_command('extract', '--candidates', out, '--out', _beside(out, 'bundles'))}")
    if found.retired:
        retired = _beside(out, "retired")
        print(
            f"Taken away: {retired}; {next_command('generate', '--retired', retired, '--out', _beside(out, 'tasks'))}"
        )


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.stem}.{kind}.jsonl")


def _ranked_rows(candidates: "Sequence[Candidate]") -> list[list[str]]:
    """A row for each candidate that stands for its family, those that matter most first."""
    from apigap.discovery.importance.order import in_rank_order, stands_for_family

    sizes = Counter(c.importance.family for c in candidates if c.importance and not c.importance.minor)
    shown = filter(stands_for_family, in_rank_order(candidates))
    return [
        [
            str(place),
            c.api_name,
            c.kind,
            c.change,
            str(c.since or "").removeprefix("since "),
            ", ".join(f"{x.what}: {x.parameter}" for x in c.changes[:3]),
            f"and {sizes[c.api_name] - 1} alike" if sizes[c.api_name] > 1 else "",
        ]
        for place, c in enumerate(shown, start=1)
    ]


def _print_minor(candidates: "Sequence[Candidate]") -> None:
    """Say how many are not in the table, and why."""
    from apigap.discovery.importance.order import stands_for_family, why_later

    folded = Counter(why_later(c) for c in candidates if not stands_for_family(c))
    for reason, count in folded.most_common():
        print(f"not shown, {count} {reason}")
    if folded:
        print("--json and --out have them all")


@with_options
def extract(options: StageOptions, budget: BudgetOptions) -> None:
    """Gather knowledge of each candidate (stage 2): a bundle of surface, exemplars, prose and code of its release."""
    from apigap.api.stages import extract

    budget.use()
    run_stage(extract, options)


@with_options
def generate(
    knowledge: Annotated[
        Path | None, typer.Option("--knowledge", help="File of bundles (stage 2) that goes with --candidates.")
    ] = None,
    retired: Annotated[
        Path | None,
        typer.Option("--retired", help="F.retired.jsonl of `discover --out F.jsonl`: tasks of code that it broke."),
    ] = None,
    author: opt.AuthorOption = None,
    *,
    options: StageOptions,
    budget: BudgetOptions,
) -> None:
    """Write tasks from the usages that no bundle shows (stage 3), without a model, or by the one that you name."""
    from apigap.api.stages import generate

    if retired is not None:
        _migrations(retired, options, knowledge or author)
        return
    budget.use()
    run_stage(generate, options, author=author, knowledge=knowledge)


def _migrations(retired: Path, options: StageOptions, other: object) -> None:
    """Write tasks of the code that the release broke, and print how many, and why the others are none."""
    from apigap.api.migrations import migrations
    from apigap.records.store import existing_file

    release = (*options.named, options.candidates, options.old, options.new, options.cutoff)
    if any((*release, options.rewrite, options.replay, other)):
        raise UsageError(
            "--retired says which release it is, and asks no model: leave out LIBRARY, --library, --candidates, "
            "--knowledge, --old, --new, --cutoff, --author, --rewrite, --replay"
        )
    if options.out is None:
        raise UsageError("say with --out where to write the tasks that are made of --retired")
    path = existing_file(retired, "what `apigap discover LIBRARY --out F.jsonl` puts into F.retired.jsonl")
    made = migrations(path, out=options.out, settings=options.settings(), unsafe_local=options.unsafe_local)
    counts = {
        "library": made.library,
        "old_version": made.old_version,
        "new_version": made.new_version,
        "taken_away": made.habits,
        "tasks": len(made.tasks),
        "dropped": [f"{name}: {reason}" for name, reason in made.dropped],
    }
    lines = [f"{name.replace('_', ' ')}: {value}" for name, value in counts.items() if name != "dropped"]
    after = [f"file: {options.out}", next_command("validate", "--tasks", options.out)] if made.tasks else []
    print_result(options.json_, counts, *lines, *_by_reason(made.dropped), *after)


def _by_reason(dropped: "Sequence[tuple[str, str]]") -> list[str]:
    """A line for each reason, the commonest first, with the first API that it stopped."""
    found: dict[str, list[str]] = {}
    for name, reason in dropped:
        found.setdefault(reason, []).append(name)
    return [
        f"none: {len(names)} ({names[0]}{', ...' if len(names) > 1 else ''}): {reason}"
        for reason, names in sorted(found.items(), key=lambda one: -len(one[1]))
    ]


register = commands(discover, extract, generate)
