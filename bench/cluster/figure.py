"""`python -m bench.cluster.figure FIGURES.json PAGE.png`: how many cores one scheduler can keep at work."""

import json
from pathlib import Path
from typing import Annotated

import typer

_RATES = {"numpy: 28 samples a second and core": 28.1, "pandas: 10": 10.2, "an answer that takes a second: 1": 1.0}
"""Samples that one core judges in a second on a quiet machine, by docs/performance.md."""


def run(figures: Annotated[Path, typer.Argument()], out: Annotated[Path, typer.Argument()]) -> None:
    """Draw samples per second over cores, up to what the scheduler was measured to carry."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    found = json.loads(figures.read_text())["carried"]
    steps = found["steps"]
    carried = 1e6 / (found["microseconds of the scheduler's processor per sample"] + steps["write results"])
    cores = [10 ** (step / 40) for step in range(201)]
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, rate in _RATES.items():
        axes.loglog(cores, [min(count * rate, carried) for count in cores], label=name)
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
