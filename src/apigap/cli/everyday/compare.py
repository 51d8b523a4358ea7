"""`apigap compare`: two runs side by side."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import print_gains, print_json, print_table, print_tables
from apigap.cli.option_groups import commands
from apigap.cli.options import AnsweredTasksOption, DrawsOption, ForceOption, JsonOption
from apigap.records.errors import CheckFailed
from apigap.records.names import first_of

if TYPE_CHECKING:
    from apigap.analysis.compare import Compared
    from apigap.statistics import CellEstimate


def compare(
    a: Annotated[Path, typer.Argument(help="A results file or the folder of a cell: before.")],
    b: Annotated[Path, typer.Argument(help="The same, after.")],
    tasks: AnsweredTasksOption = None,
    force: ForceOption = False,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit 1 when B is worse, with p below --alpha.")
    ] = False,
    alpha: Annotated[
        float, typer.Option("--alpha", min=0, max=1, help="The threshold of --fail-on-regression.")
    ] = 0.05,
    draws: DrawsOption = 10_000,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the bootstrap.")] = None,
    flips: Annotated[int, typer.Option("--flips", min=0, help="At most so many flips in the table.")] = 40,
    json_: JsonOption = False,
) -> None:
    """Compare two runs sample by sample: the difference with its interval, and which samples flipped."""
    from apigap.analysis.compare import SEED, compare

    used = SEED if seed is None else seed
    found = compare(a, b, tasks=tasks or (), force=force, seed=used, draws=draws)
    if json_:
        facts = {"alpha": alpha, "seed": used, "draws": draws, "regression": found.is_regression(alpha)}
        costs = [cost and cost.model_dump() for cost in found.costs]
        print_json({**asdict(found), "costs": costs, **facts})
    else:
        _show(found, flips)
    if fail_on_regression and found.is_regression(alpha) and found.gain:
        raise CheckFailed(
            f"{b} is worse than {a} by {-100 * found.gain.difference:.1f} points, p = {found.gain.p_value:.2g} "
            f"< {alpha:g} (sign flips of APIs, two-sided)"
        )


def _show(found: "Compared", most: int) -> None:
    from apigap.evaluation.summary import cost_table

    counts = ("tasks", "APIs", "passed", "failed", "suspect", "infra", "cut")
    columns = ("side", "pass@1", "95 % interval", *counts, "bounds")
    print_table("Both sides, over all samples of each", columns, [_side("A", found.a), _side("B", found.b)])
    print_tables(cost_table("side", zip("AB", found.costs, strict=True)))
    _show_gain(found)
    if found.gains:
        gains = [((gain.part, gain.measure), gain) for gain in found.gains]
        print_gains(f"{found.benchmark}: per cent, paired by task", ("part", "measure"), gains)
    if found.flips:
        rows = [[f.task_id, str(f.sample), f.api_name, f.before, f.after] for f in found.flips[:most]]
        better = sum(flip.after == "pass" for flip in found.flips)
        title = f"{len(found.flips)} flips: {better} to pass, {len(found.flips) - better} from pass"
        print_table(title, ("task", "sample", "API", "A", "B"), rows)
        if len(found.flips) > most:
            print(f"and {len(found.flips) - most} more flips; all of them with --json or --flips {len(found.flips)}")
    for side, samples in (("A", found.only_a), ("B", found.only_b)):
        if samples:
            named = first_of([f"{task}#{sample}" for task, sample in samples])
            print(f"{len(samples)} samples are in {side} alone and are not compared: {named}")
    for note in found.notes:
        print(f"note: {note}")


def _show_gain(found: "Compared") -> None:
    gain = found.gain
    if gain is None:
        print(f"none of the {found.shared} shared samples has a verdict on both sides")
        return
    exact = "exact" if gain.exact else "drawn"
    smallest = "no difference can be found" if gain.detectable is None else f"{100 * gain.detectable:.1f} points"
    print(f"B − A: {100 * gain.difference:+.1f} points, 95 % interval {100 * gain.low:+.1f} to {100 * gain.high:+.1f}")
    print(f"  over {gain.n} tasks on {gain.clusters} APIs, {gain.discordant} of which differ; {found.shared} samples")
    print(f"  p = {gain.p_value:.3g} (sign flips of APIs, {exact}); McNemar, as if samples were independent: ", end="")
    print(f"{found.mcnemar:.3g}")
    print(f"  minimum detectable effect (power 80 %): {smallest}")
    print(f"  {found.relabelled} samples fail on both sides with another label")
    if found.unclear:
        print(
            f"  {found.infra} shared samples have no verdict on a side (infra, cut), and are no fails; were these ",
            end="",
        )
        print(f"and the {found.unclear - found.infra} suspect ones decided against B or for it: ", end="")
        print(f"{100 * found.lowest:+.1f} to {100 * found.highest:+.1f} points")


def _side(name: str, cell: "CellEstimate") -> list[str]:
    from apigap.reporting.text import percent

    interval = cell.interval
    counts = (cell.tasks, cell.apis, cell.passed, cell.failed, cell.suspect, cell.infra, cell.cut)
    return [
        name,
        "-" if interval.estimate is None else f"{interval.estimate:.1%}",
        f"{interval.low:.1%} to {interval.high:.1%}",
        *map(str, counts),
        f"{percent(cell.lowest)} to {percent(cell.highest)}" if cell.infra + cell.cut + cell.suspect else "-",
    ]


register = commands(compare)
