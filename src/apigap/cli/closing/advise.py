"""`apigap advise`: what to change in the documentation of a release, with the evidence beside each advice."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.option_groups import BudgetOptions, ReleaseOptions, commands, with_options
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.advice.run import Advised


@with_options
def advise(
    library: opt.MaybeLibraryArgument = None,
    old: opt.OldOption = None,
    new: opt.NewOption = None,
    cutoff: opt.CutoffOption = None,
    experiment: opt.ExperimentOption = None,
    tasks: opt.AnsweredTasksOption = None,
    again: Annotated[
        list[str] | None,
        typer.Option("--again", help="An API, asked again with the changed docstring; may be repeated."),
    ] = None,
    model: opt.ChosenModelOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the page and advice.json.")] = None,
    data: opt.DataOption = opt.DATA,
    *,
    machine: ReleaseOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Say what to change in the documentation of LIBRARY, or of what an experiment asked: per API, with evidence."""
    from apigap.advice.run import AdviceRequest, run_advice
    from apigap.cli.console import Console

    if (library is None) == (experiment is None):
        raise UsageError("name a LIBRARY, or an experiment with --experiment")
    if again and experiment is None:
        raise UsageError("--again asks about the tasks of an experiment: name it with --experiment")
    budget.use()
    request = AdviceRequest(
        library, old, new, experiment, tuple(tasks or ()), tuple(again or ()), model, data, out,
        machine.unsafe_local,
    )  # fmt: skip
    settings = machine.settings(cutoff=cutoff)
    with Console() as console:
        found = run_advice(request, settings, console)
    _show(found, json_)


def _show(found: "Advised", as_json: bool) -> None:
    from apigap.cli.console import print_json, print_table
    from apigap.reporting.advice_page import headline

    report = found.report
    if as_json:
        print_json({"report": str(found.page), "headline": headline(report), **report.model_dump(mode="json")})
        return
    rows = [
        [api.api_name, str(api.failed) if api.failed.of else "-", "; ".join(one.kind for one in api.advices),
         api.advices[0].say]
        for api in report.apis
    ]  # fmt: skip
    if rows:
        print_table(report.title, ("API", "failed", "advice", "first of all"), rows)
    proofs = [
        [api.api_name, str(api.proof.without), str(api.proof.before), str(api.proof.after)]
        for api in report.apis
        if api.proof
    ]
    if proofs:
        print_table("Asked again", ("API", "without help", "docstring as it is", "changed"), proofs)
    print("\n".join([headline(report), *report.notes]))
    print(f"\nPage: {found.page.resolve()}")


register = commands(advise)
