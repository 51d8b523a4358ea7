"""`apigap verify`: a check of runs that were handed in."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.console import Console, print_json, print_table
from apigap.cli.option_groups import EngineOptions, commands, with_options
from apigap.records.errors import CheckFailed, InfrastructureError

if TYPE_CHECKING:
    from apigap.verification.verify import VerifiedRun

_SEEDS = 10**9


@with_options
def verify(
    runs: Annotated[list[Path], typer.Argument(help="Folders with results of `apigap score` or `run`, or the files.")],
    tasks: opt.TasksOption = Path("starter"),
    knowledge: opt.KnowledgeOption = None,
    sample: Annotated[int, typer.Option("--sample", min=1, help="Answers of each run that are judged again.")] = 50,
    all_: Annotated[bool, typer.Option("--all", help="Judge every answer again.")] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the sample, beside the run's hash; default: a new one.")
    ] = None,
    judging_minutes: Annotated[
        float, typer.Option("--judging-minutes", min=0, help="Time for judging a run again, and for reading it before.")
    ] = 30.0,
    cutoff: opt.CutoffOption = None,
    *,
    machine: EngineOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Check runs that were handed in, and rank those that are sound.

    Exit codes: 0 all are sound, 1 one is not, 3 one could not be checked.
    """
    from apigap.verification.verify import Terms, verify

    settings = machine.settings()
    with Console() as console, machine.engine(settings) as engine:
        chosen, drawn = None if all_ else sample, secrets.randbelow(_SEEDS) if seed is None else seed
        terms = Terms(tasks, knowledge or (), chosen, drawn, cutoff.date() if cutoff else None, judging_minutes)
        found = verify(runs, terms, engine, console)
    if json_:
        print_json([one.model_dump(mode="json") for one in found])
    else:
        _show(found)
    _demand_sound(found)


def _show(found: "list[VerifiedRun]") -> None:
    for one in found:
        rows = [(check.name, check.state, check.told) for check in one.checks]
        print_table(f"{one.run}: {one.state}", ("check", "state", "what was found"), rows)
    print_table(
        "Runs: pass@1 with cut answers as not passed; a rank has an interval, or is none",
        ("run", "model", "condition", "state", "pass@1", "95 % interval", "rank", "judged again"),
        [_row(one) for one in found],
    )
    if any(one.state == "sound" and one.rank is None for one in found):
        print("rank -: a rank is among several sound runs of one condition on the same tasks; name them together")


def _row(one: "VerifiedRun") -> tuple[str, ...]:
    rate = "-" if one.pass_at_1 is None else f"{one.pass_at_1:.1%}"
    interval = "-" if one.interval is None else f"{one.interval[0]:.1%} to {one.interval[1]:.1%}"
    rank = "-" if one.rank is None else str(one.rank)
    return (one.run, one.model or "-", one.condition, one.state, rate, interval, rank, str(one.judged_again))


def _demand_sound(found: "list[VerifiedRun]") -> None:
    """Nothing where every run is sound.

    Raises:
        CheckFailed: when one is not.
        InfrastructureError: when none is wrong, but one could not be checked.
    """
    for state, error in (("wrong", CheckFailed), ("unchecked", InfrastructureError)):
        runs = [one for one in found if one.state == state]
        if runs:
            check = next(check for check in runs[0].checks if check.state == state)
            words = "are not sound" if state == "wrong" else "could not be checked"
            raise error(f"{len(runs)} of {len(found)} runs {words}, first {runs[0].run}: {check.name}: {check.told}")


register = commands(verify)
