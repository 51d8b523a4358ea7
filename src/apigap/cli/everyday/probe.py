"""`apigap probe`: the new APIs of a library that a model does not know."""

from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import Console, figure, print_json, print_table
from apigap.cli.option_groups import BudgetOptions, ReleaseOptions, commands, with_options
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.records.questions.probe import ProbeReport, ProbeResult


@with_options
def probe(
    library: opt.LibraryArgument,
    old: opt.OldOption = None,
    new: opt.NewOption = None,
    model: opt.ModelOption = opt.DEFAULT_MODEL,
    cutoff: opt.CutoffOption = None,
    count: Annotated[int, typer.Option("--count", min=5, help="How many APIs, new, known and invented each.")] = 20,
    scoring: Annotated[
        str,
        typer.Option(
            "--scoring",
            autocompletion=values.one_of(("auto", "likelihood", "samples")),
            help="likelihood, samples, or auto: likelihood for local models.",
        ),
    ] = "auto",
    samples: Annotated[int, typer.Option("--samples", min=1, help="Answers per API with --scoring samples.")] = 8,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    data: opt.OwnDataOption = None,
    *,
    machine: ReleaseOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Estimate which new APIs of LIBRARY the model does not know, against known and invented names."""
    from apigap.gates.probe.probe import PROBE_TOKENS, Probe, ProbeSettings, gather
    from apigap.models.model_facts import tokens_for
    from apigap.models.trial import try_models
    from apigap.packages.workshop import environment_store
    from apigap.records.layout import Layout
    from apigap.stages.versions import resolve_versions

    budget.use()
    if scoring not in ("auto", "likelihood", "samples"):
        raise UsageError(f"--scoring {scoring!r} is none of auto, likelihood, samples")
    settings = machine.settings(cutoff=cutoff)
    room = settings.generation.max_tokens
    target = resolve_versions(library, old, new, model, cutoff=settings.gates.cutoff)
    if target.old is None:
        raise UsageError(f"{library} has no release before the model's cutoff, so no known APIs to compare with")
    wanted = ProbeSettings(count=count, scoring=scoring, samples=samples, seed=seed)
    layout = Layout(data or opt.DATA / "probe", model)
    folder = layout.root / f"{library}-{target.old}-{target.new}" / layout.slug
    with Console() as console, machine.engine(settings) as engine:
        if not (folder / "probe.json").exists():
            try_models([(model, tokens_for(model, PROBE_TOKENS, room))], console)
        store = environment_store(engine, settings.packages)
        asked, found = gather(library, target.old, target.new, wanted, engine, store)
        report = Probe(model, wanted, folder, console, room).run(asked, found)
    if json_:
        print_json(report.model_dump(mode="json"))
    else:
        _show(report)
        print(f"answers, manifest and report: {folder}")


def _show(report: "ProbeReport") -> None:
    print(report.verdict)
    rows = [
        [name, figure(s.auc), f"{s.low:.2f} to {s.high:.2f}", s.known, s.invented]
        for name, s in report.separation.items()
    ]
    print_table("Known against invented", ("question", "AUC", "95 %", "known", "invented"), rows)
    rows = [
        [r.item.api_name, r.item.group, *map(figure, (r.existence, r.signature, r.score)), _novelty(r)]
        for r in report.results
    ]
    title = f"{report.library} {report.old_version} -> {report.new_version}, {report.model}"
    print_table(title, ("API", "group", "existence", "signature", "joined", "P(novel)"), rows)
    unread = ", ".join(f"{question} {number}" for question, number in report.unread.items())
    print(f"answers that cannot be read: {unread}; added APIs not asked about: {report.left_out}")


def _novelty(result: "ProbeResult") -> str:
    if result.novelty is None:
        return "-"
    return f"{result.novelty:.2f} ({result.low:.2f} to {result.high:.2f})"


register = commands(probe)
