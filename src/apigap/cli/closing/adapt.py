"""`apigap adapt`: teach a model what is new, by tuning or by editing, and measure what that does."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import (
    DEFAULT_MODEL,
    ConfigOption,
    DataOption,
    JsonOption,
    KnowledgeOption,
    ModelOption,
    OwnTasksOption,
    SetOption,
    TasksOption,
    settings_of,
)
from apigap.cli.shared_options import with_options

if TYPE_CHECKING:
    from apigap.adaptation.settings import Method
    from apigap.experiments.sources import Source

_ConditionOption = Annotated[
    str, typer.Option("--condition", help="What the prompts show: baseline (nothing), s_name, s, e, ..., full.")
]
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

    model: ModelOption = DEFAULT_MODEL
    tasks: OwnTasksOption = None
    group: Annotated[
        str | None, typer.Option("--group", help="A built group, whose training part teaches; with --tasks a name.")
    ] = None
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder; default: data/sft or data/edits, GROUP/MODEL/METHOD.CONDITION."),
    ] = None
    preset: Annotated[str, typer.Option("--preset", help="published, or cpu: for small models on a processor.")] = (
        "published"
    )
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many tasks, over all libraries.")] = 0
    knowledge: KnowledgeOption = None
    data: DataOption = None
    config: ConfigOption = None
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="One setting of the method, as key=value; may be repeated.")
    ] = None
    json_: JsonOption = False


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="Tune or edit a model on what is new, and measure what it changes.", no_args_is_help=True)
    group.command()(sft)
    group.command()(raft)
    group.command()(memit)
    group.command()(alphaedit)
    group.command()(grace)
    group.command()(base)
    group.command()(split)
    group.command()(measure)
    app.add_typer(group, name="adapt")


@with_options
def sft(options: AdaptOptions, condition: _ConditionOption = "baseline") -> None:
    """Supervised tuning (LoRA; --set full=true: all weights) on prompts of a condition."""
    _adapt("sft", options, condition)


@with_options
def raft(options: AdaptOptions, condition: _ConditionOption = "full") -> None:
    """Tuning as `sft` does, the own knowledge among that of other APIs, and now and then left out."""
    _adapt("raft", options, condition)


@with_options
def memit(
    options: AdaptOptions,
    condition: _ConditionOption = "baseline",
    module: _ModuleOption = None,
    texts: _TextsOption = None,
) -> None:
    """One edit of a few MLP layers for all answers at once."""
    _adapt("memit", options, condition, module, texts)


@with_options
def alphaedit(
    options: AdaptOptions,
    condition: _ConditionOption = "baseline",
    module: _ModuleOption = None,
    texts: _TextsOption = None,
) -> None:
    """The same in the null space of what the model knows; --set lora=true tunes in it instead, as published."""
    _adapt("alphaedit", options, condition, module, texts)


@with_options
def grace(options: AdaptOptions, condition: _ConditionOption = "baseline", module: _ModuleOption = None) -> None:
    """A codebook over one layer; the weights stay as they are."""
    _adapt("grace", options, condition, module)


def base(
    out: Annotated[Path, typer.Option("--out", help="Folder for the model.")],
    model: ModelOption = DEFAULT_MODEL,
    json_: JsonOption = False,
) -> None:
    """The untaught GGUF model with its linear layers in half precision, as tuned ones have them: to compare with."""
    from apigap.adaptation.run import export_base
    from apigap.cli.console import print_json

    name = export_base(model, out)
    if json_:
        print_json({"folder": str(out), "model": name})
    else:
        print(f"{model} with linear layers in half precision: {name}")


def split(
    tasks: TasksOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for train, same_api, new_api and new_library.jsonl.")],
    seed: Annotated[int, typer.Option("--seed", help="What is for training depends on it and on names alone.")] = 42,
    new_library: Annotated[float, typer.Option("--new-library", help="Share of libraries kept from training.")] = 0.2,
    new_api: Annotated[float, typer.Option("--new-api", help="Share of the others' APIs kept from training.")] = 0.2,
    apis: Annotated[
        int,
        typer.Option("--apis", min=0, help="APIs for training (0: all that are left), those with other tasks first."),
    ] = 0,
    json_: JsonOption = False,
) -> None:
    """Divide tasks: those that teach, other tasks on the same APIs, other APIs, other libraries."""
    from apigap.adaptation.splits import split as divide
    from apigap.cli.console import print_json
    from apigap.tasks.task_files import load_tasks

    counts = divide(load_tasks(tasks), seed, new_library, new_api, apis).write(out)
    if json_:
        print_json(counts)
    else:
        print(f"{', '.join(f'{count} {name}' for name, count in counts.items())}: {out}")


def measure(
    folder: Annotated[Path, typer.Argument(help="The folder of an adapted model.")],
    tasks: TasksOption,
    knowledge: KnowledgeOption = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many prompts of each kind.")] = 0,
    controls: Annotated[
        bool, typer.Option("--controls", help="Ask base and adapted model about APIs that every model knows, too.")
    ] = False,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
) -> None:
    """Efficacy, generalisation and locality against the base; `apigap analyze` shows them where the model was asked."""
    from apigap.adaptation.measure_run import Pool, controls_of, measure_adapted
    from apigap.cli.console import Console, print_json, print_table
    from apigap.knowledge.bundle_files import read_bundles
    from apigap.sandbox.engine import Engine
    from apigap.tasks.task_files import load_tasks

    settings = settings_of(config, set_)
    bundles = {bundle.api_name: bundle for bundle in read_bundles(knowledge or ())}
    pool = Pool(load_tasks(tasks), bundles, limit)
    with Console() as console:
        found = measure_adapted(folder, pool, settings.generation, console)
        if controls:
            with Engine.of(settings.execution) as engine:
                controls_of(folder, settings, engine, console)
    if json_:
        print_json([one.model_dump(mode="json") for one in found])
        return
    rows = [
        [m.kind, str(m.prompts), f"{m.base_likelihood:.3f} -> {m.likelihood:.3f}",
         f"{m.base_exact:.0%} -> {m.exact:.0%}", f"{m.divergence:.4f}", f"{m.agreement:.1%}"]
        for m in found
    ]  # fmt: skip
    columns = (
        "prompts",
        "number",
        "log-probability of a token",
        "whole answer likeliest",
        "KL from base",
        "same token",
    )
    print_table(f"What {folder} changes", columns, rows)


def _adapt(
    method: "Method",
    options: AdaptOptions,
    condition: str,
    module: Sequence[str] | None = None,
    texts: Sequence[Path] | None = None,
) -> None:
    from apigap.adaptation.run import Adaptation, adapt
    from apigap.adaptation.settings import settings_for
    from apigap.cli.console import Console, print_json
    from apigap.records.configuration import load_settings
    from apigap.records.layout import Layout

    settings = settings_for(method, options.preset, options.set_ or ())
    generation = load_settings(options.config or ()).generation
    root = options.data or Path("data")
    source = _source(options, root)
    name = options.group or source.group
    folder = options.out or Layout(root, options.model).adapted(name, method, condition)
    bundles = {bundle.api_name: bundle for bundle in source.bundles}
    wanted = Adaptation(
        method, options.model, name, condition, source.tasks, bundles, settings, folder, module or (), texts or ()
    )
    with Console() as console:
        found = adapt(wanted, generation, root, console)
    told = {"folder": str(folder), "model": found.name_in(folder), "examples": len(source.tasks)}
    if options.json_:
        print_json(told)
        return
    print(f"{method} of {options.model} on {name}: {folder}")
    print(f"next: apigap run --experiment NAME --tasks F --model {told['model']} --cells baseline full")


def _source(options: AdaptOptions, root: Path) -> "Source":
    from apigap.experiments.sources import read_source, read_training
    from apigap.records.errors import UsageError

    if options.tasks is not None:
        return read_source(options.tasks, options.knowledge or (), options.limit)
    if options.group is None:
        raise UsageError(
            "nothing to learn from is given: name a tasks file with --tasks, or a built group with --group"
        )
    return read_training(options.group, options.model, root, options.limit)
