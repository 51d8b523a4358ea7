"""`apigap adapt`: teach a model what is new, by tuning or by editing, and measure what that does."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import Console, next_command, print_result, print_rows
from apigap.cli.option_groups import EngineOptions, commands, group, with_options
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.adaptation.settings import Method
    from apigap.experiments.sources import Source

_ModuleOption = Annotated[
    list[str] | None,
    typer.Option("--module", help="PART=NAME for a family whose layers are not known; parts: blocks, mlp, up, down."),
]
_TextsOption = Annotated[
    list[Path] | None, typer.Option("--texts", help="Text for the covariance; default: Python's standard library.")
]


@dataclass(frozen=True)
class AdaptOptions:
    """The options of every method: what teaches which model, and where the result goes."""

    model: opt.TaughtModelOption = opt.DEFAULT_MODEL
    tasks: opt.OwnTasksOption = None
    group: Annotated[
        str | None,
        typer.Option(
            "--group",
            autocompletion=values.groups,
            help="A built group, whose training part teaches; with --tasks a name.",
        ),
    ] = None
    knowledge: opt.KnowledgeOption = None
    limit: opt.LimitOption = 0
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            autocompletion=values.one_of(("published", "cpu")),
            help="published: as in the paper; cpu: for small models on a processor.",
        ),
    ] = "published"
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder; default: data/sft or data/edits, GROUP/MODEL/METHOD.CONDITION."),
    ] = None
    data: opt.DataOption = opt.DATA
    config: opt.ConfigOption = None
    layout: opt.LayoutOption = None
    set_: opt.MethodSetOption = None
    json_: opt.JsonOption = False


@with_options
def sft(condition: opt.ConditionOption = "baseline", *, options: AdaptOptions) -> None:
    """Tune (LoRA; --set full=true: all weights) on prompts of a condition and their references."""
    _adapt("sft", options, condition)


@with_options
def raft(condition: opt.ConditionOption = "full", *, options: AdaptOptions) -> None:
    """Tune as `sft` does, with knowledge of other APIs beside the right one, which is now and then left out."""
    _adapt("raft", options, condition)


@with_options
def memit(
    condition: opt.ConditionOption = "baseline",
    module: _ModuleOption = None,
    texts: _TextsOption = None,
    *,
    options: AdaptOptions,
) -> None:
    """Edit a few MLP layers once, for all answers together."""
    _adapt("memit", options, condition, module, texts)


@with_options
def alphaedit(
    condition: opt.ConditionOption = "baseline",
    module: _ModuleOption = None,
    texts: _TextsOption = None,
    *,
    options: AdaptOptions,
) -> None:
    """Edit as `memit` does, in the null space of what the model knows; --set lora=true tunes in it, as published."""
    _adapt("alphaedit", options, condition, module, texts)


@with_options
def grace(condition: opt.ConditionOption = "baseline", module: _ModuleOption = None, *, options: AdaptOptions) -> None:
    """Put a codebook over one layer; the weights stay as they are."""
    _adapt("grace", options, condition, module)


def base(
    out: Annotated[Path, typer.Option("--out", help="Folder for the model.")],
    model: opt.TaughtModelOption = opt.DEFAULT_MODEL,
    json_: opt.JsonOption = False,
) -> None:
    """Write the untaught GGUF model with linear layers in half precision, as tuned ones have them: to compare with."""
    from apigap.adaptation.run import export_base

    name = export_base(model, out)
    told = f"{model} with linear layers in half precision: {name}"
    print_result(json_, {"folder": str(out), "model": name}, told)


def split(
    tasks: opt.TasksOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for train, same_api, new_api and new_library.jsonl.")],
    seed: Annotated[int, typer.Option("--seed", help="Seed of the division, which else depends on names alone.")] = 42,
    new_library: Annotated[float, typer.Option("--new-library", help="Share of libraries kept from training.")] = 0.2,
    new_api: Annotated[float, typer.Option("--new-api", help="Share of the others' APIs kept from training.")] = 0.2,
    apis: Annotated[
        int,
        typer.Option("--apis", min=0, help="APIs for training (0: all that are left), those with other tasks first."),
    ] = 0,
    json_: opt.JsonOption = False,
) -> None:
    """Divide tasks: those that teach, other tasks on the same APIs, other APIs, other libraries."""
    from apigap.adaptation.splits import split as divide
    from apigap.tasks.task_files import load_tasks

    counts = divide(load_tasks(tasks), seed, new_library, new_api, apis).write(out)
    print_result(json_, counts, f"{', '.join(f'{count} {name}' for name, count in counts.items())}: {out}")


@with_options
def measure(
    folder: Annotated[Path, typer.Argument(help="The folder of an adapted model.")],
    tasks: opt.TasksOption,
    knowledge: opt.KnowledgeOption = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many prompts of each kind (0: all).")] = 0,
    controls: Annotated[
        bool, typer.Option("--controls", help="Ask base and adapted model about APIs that every model knows, too.")
    ] = False,
    *,
    machine: EngineOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Measure efficacy, generalisation and locality against the base; `apigap analyze` shows them with its answers."""
    from apigap.adaptation.measure_run import Pool, controls_of, measure_adapted, require_adapted
    from apigap.knowledge.bundle_files import read_bundles
    from apigap.tasks.task_files import load_tasks

    require_adapted(folder)
    settings = machine.settings()
    asked = load_tasks(tasks)
    bundles = {bundle.api_name: bundle for bundle in read_bundles(knowledge or (), asked)}
    pool = Pool(asked, bundles, limit)
    with Console() as console:
        found = measure_adapted(folder, pool, settings.generation, console)
        if controls:
            with machine.engine(settings) as engine:
                controls_of(folder, settings, engine, console)
    rows = [
        [m.kind, m.prompts, f"{m.base_likelihood:.3f} -> {m.likelihood:.3f}",
         f"{m.base_exact:.0%} -> {m.exact:.0%}", f"{m.divergence:.4f}", f"{m.agreement:.1%}"]
        for m in found
    ]  # fmt: skip
    columns = (
        "prompts", "number", "log-probability of a token", "whole answer likeliest", "KL from base", "same token"
    )  # fmt: skip
    told = [one.model_dump(mode="json") for one in found]
    print_rows(json_, told, f"What {folder} changes", columns, rows)


def _adapt(
    method: "Method",
    options: AdaptOptions,
    condition: str,
    module: Sequence[str] | None = None,
    texts: Sequence[Path] | None = None,
) -> None:
    from apigap.adaptation.run import Adaptation, adapt
    from apigap.adaptation.settings import settings_for
    from apigap.closing.tuned import closing_of
    from apigap.records.layout import Layout

    settings = settings_for(method, options.preset, options.set_ or ())
    generation = opt.settings_of(options.config, None, layout=options.layout).generation
    source = _source(options)
    name = options.group or source.group
    folder = options.out or Layout(options.data, options.model).adapted(name, method, condition)
    bundles = {bundle.api_name: bundle for bundle in source.bundles}
    wanted = Adaptation(
        method, options.model, name, condition, source.tasks, bundles, settings, folder, module or (), texts or ()
    )
    with Console() as console:
        found = adapt(wanted, generation, options.data, console)
    model = found.name_in(folder)
    own = (method, condition, options.out) == ("sft", "baseline", None)
    print_result(
        options.json_,
        {"folder": str(folder), "model": model, "examples": len(source.tasks)},
        f"{method} of {options.model} on {name}: {folder}",
        _next(name, method, model, closing_of(name) if own else None),
    )


def _next(name: str, method: str, model: str, closed: str | None) -> str:
    """What to ask the model next; an experiment that is `closed` with it asks it by itself."""
    if closed is not None:
        return f"next: the same apigap close {shlex.quote(closed)} as before; it asks these weights too"
    asking = ["run", "--experiment", f"{name}-{method}", "--tasks", "starter", "--model", model]
    return next_command(*asking, "--cells", "baseline", "full")


def _source(options: AdaptOptions) -> "Source":
    from apigap.experiments.sources import read_source, read_training

    if options.tasks is not None:
        return read_source(options.tasks, options.knowledge or (), options.limit)
    if options.group is None:
        raise UsageError(
            "nothing to learn from is given: name a tasks file with --tasks, or a built group with --group"
        )
    return read_training(options.group, options.model, options.data, options.limit)


_HELP = "Tune or edit a model on what is new, and measure what it changes."
register = commands(group("adapt", _HELP, sft, raft, memit, alphaedit, grace, base, split, measure))
