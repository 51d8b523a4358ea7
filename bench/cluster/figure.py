"""`python -m bench.cluster.figure FIGURES.json PAGE.png`: how many cores one scheduler can keep at work."""

import json
from pathlib import Path
from typing import Annotated

import typer

_COSTS = (0.02, 0.1, 1.0)
"""Seconds of a core per sample: numpy on a quiet machine, a heavier library, an answer that runs into limits."""


def run(figures: Annotated[Path, typer.Argument()], out: Annotated[Path, typer.Argument()]) -> None:
    """Draw samples per second over cores, up to what the scheduler was measured to carry."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    found = json.loads(figures.read_text())["carried"]
    steps = found["steps"]
    carried = 1e6 / (found["microseconds of the scheduler's processor per sample"] + steps["write results"])
    cores = [10**exponent for exponent in range(6)]
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for seconds in _COSTS:
        axes.loglog(cores, [min(count / seconds, carried) for count in cores], label=f"{seconds:g} s of a core each")
    axes.axhline(carried, color="0.6", linestyle="--", linewidth=1)
    axes.annotate(f"one scheduler: {carried:,.0f} samples a second", (1.2, carried * 1.15), color="0.35")
    axes.set_xlabel("cores of all nodes")
    axes.set_ylabel("verdicts a second")
    axes.set_ylim(0.5, carried * 4)
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(out, dpi=120)


if __name__ == "__main__":
    typer.run(run)
