"""`make bench`: a table of what judging costs, and the same as JSON; with `--ray` the figures of a cluster."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from apigap.records.errors import ApigapError, UsageError
from apigap.sandbox.verdict.evaluator import evaluator_hash
from bench.measure import Row, Spread, measure
from bench.workloads import WORKLOADS, Workload


def run(
    samples: Annotated[int, typer.Option(min=10, help="Samples per repeat; a tenth in the slow ways.")] = 60,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats, in which all ways take turns.")] = 5,
    workers: Annotated[int, typer.Option(min=1, help="Programs at a time.")] = 2,
    only: Annotated[list[str] | None, typer.Option(help="Only this library; may be repeated.")] = None,
    heavy: Annotated[bool, typer.Option("--heavy", help="Also torch and transformers.")] = False,
    json_: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file too.")] = None,
) -> None:
    """Time the warm engine, the cold engine and evalplus' shape on the same samples."""
    rows = [measure(workload, samples, repeats, workers, _note) for workload in _chosen(only or [], heavy)]
    _show(rows, workers)
    if json_ is not None:
        figures = {"evaluator": evaluator_hash(), "workers": workers, "rows": [row.model_dump() for row in rows]}
        json_.write_text(json.dumps(figures, indent=2) + "\n")


def _chosen(only: list[str], heavy: bool) -> list[Workload]:
    unknown = set(only) - {workload.name for workload in WORKLOADS}
    if unknown:
        raise UsageError(f"no workload {sorted(unknown)[0]!r}; there are {', '.join(w.name for w in WORKLOADS)}")
    return [w for w in WORKLOADS if (w.name in only if only else heavy or not w.heavy)]


def _show(rows: list[Row], workers: int) -> None:
    columns = (
        "library", "warm /s", "cold /s", "evalplus /s", "warm / cold", "warm / evalplus", "programs",
        "overhead ms", "per program ms", "left", "samples",
    )  # fmt: skip
    cells = [
        (
            row.release, f"{row.warm.median:.1f}", f"{row.cold.median:.2f}", f"{row.evalplus.median:.1f}",
            _spread(row.warm_over_cold), _spread(row.warm_over_evalplus), f"{row.programs:.0f}",
            _spread(row.overhead_sample), _spread(row.overhead_program),
            str(row.processes_left + row.groups_left), f"{row.warm_samples} + {row.cold_samples}",
        )
        for row in rows
    ]  # fmt: skip
    title = f"Judging, {workers} workers; medians (quartiles) over {rows[0].repeats} repeats"
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right", no_wrap=True)
    for row in cells:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 190).print(table)


def _spread(value: Spread) -> str:
    return f"{value.median:.1f} ({value.low:.1f}-{value.high:.1f})"


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        if "--ray" in sys.argv:
            from bench.cluster.__main__ import run as run_cluster

            sys.argv.remove("--ray")
            typer.run(run_cluster)
        else:
            typer.run(run)
    except ApigapError as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
