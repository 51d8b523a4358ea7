"""Coverage of the ladder's intervals by simulation: tables of docs/statistics-measured.md.

    .venv/bin/python -m tools.statistics.simulate gap        # or choice, news, cure, rasch, horizon; prints Markdown

The same seed gives the same table.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from apigap.reporting.markdown import markdown_table
from apigap.statistics import horizon, rasch
from tools.statistics.interval_choices import choice_rows
from tools.statistics.simulate_differences import Row, cure_rows, gap_rows, news_rows
from tools.statistics.simulated_dates import DatedDesign, draw_dates
from tools.statistics.simulated_scale import draw_scale

DATED = (
    DatedDesign("10 libraries of 10, clear", (10,) * 10, 0.95, 0.05, 0.25, 0.6),
    DatedDesign("10 libraries of 10, 0.6 to 0.1, libraries far apart", (10,) * 10, 0.6, 0.1, 0.4, 0.5, 0.8),
    DatedDesign("12 libraries of 3 to 12, 0.9 to 0.25", (3, 5, 8, 12, 4, 6, 3, 10, 7, 9, 12, 5), 0.9, 0.25, 0.25, 0.7),
    DatedDesign("12 libraries of 12, steep", (12,) * 12, 0.95, 0.05, 0.08, 0.5, 1.0),
    DatedDesign("6 libraries of 8", (8,) * 6, 0.9, 0.05, 0.3, 0.5),
    DatedDesign("6 libraries of 5", (5,) * 6, 0.9, 0.05, 0.15, 0.3, 0.8),
    DatedDesign("10 libraries of 10, no fall", (10,) * 10, 0.9, 0.05, 1e6, 0.5),
)
SCALES = ((4, 30, 1.0), (4, 60, 2.0), (6, 100, 1.5), (6, 400, 1.5), (12, 300, 1.0), (20, 400, 2.0))


def horizon_rows(repeats: int, seed: int) -> Iterator[Row]:
    """Design, share with a horizon, coverage, share with an open bound, median width in days."""
    for design in DATED:
        held: list[bool] = []
        widths: list[int] = []
        for number in range(repeats):
            new, controls, invented, true = draw_dates(design, np.random.default_rng([seed, number]))
            found = horizon(new, controls, invented, seed=number, draws=300)
            if found.estimate is None:
                continue
            held.append((found.low is None or found.low <= true) and (found.high is None or true <= found.high))
            if found.low is not None and found.high is not None:
                widths.append((found.high - found.low).days)
        closed = f"{100 - 100 * len(widths) / len(held):.1f}" if held else "-"
        coverage = f"{100 * float(np.mean(held)):.1f}" if held else "-"
        width = f"{float(np.median(widths)):.0f}" if widths else "-"
        yield design.name, f"{100 * len(held) / repeats:.1f}", coverage, closed, width


def rasch_rows(repeats: int, seed: int) -> Iterator[Row]:
    """Design, coverage of abilities and of difficulties, share of good items that are listed, share with no scale."""
    for persons, items, spread in SCALES:
        abilities = np.linspace(-2.5, 2.5, persons)
        held: list[bool] = []
        items_held: list[bool] = []
        listed = refused = 0
        rng = np.random.default_rng([seed, persons, items])
        for _ in range(repeats):
            table, difficulties = draw_scale(abilities, items, spread, 0.05, rng)
            found = rasch(table, [f"model{one}" for one in range(persons)], [f"item{one}" for one in range(items)])
            refused += found.reason is not None
            centre = float(difficulties.mean())
            for ability, true in zip(found.abilities, (abilities - centre).tolist(), strict=False):
                low, high = ability.low, ability.high
                held.append((low is None or low <= true) and (high is None or true <= high))
            for one, true in zip(found.difficulties, (difficulties - centre).tolist(), strict=False):
                items_held.append(abs(one.estimate - true) <= 1.96 * one.error)
            listed += len(found.misfits)
        shares = (np.mean(held), np.mean(items_held), listed / max(len(items_held), 1), refused / repeats)
        told = [f"{100 * float(share):.1f}" for share in shares]
        yield f"{persons} models, {items} items, spread {spread}", *told


TABLES = {
    "choice": (choice_rows, ["design", "rates", "t, no pairs added", "percentile bootstrap", "BCa", "apigap"]),
    "gap": (gap_rows, ["design", "rates of new APIs and controls", "coverage", "called a gap", "width"]),
    "news": (
        news_rows,
        ["design", "rates", "coverage", "called a gap", "width", "pairs alone: coverage", "called a gap", "width"],
    ),
    "cure": (cure_rows, ["design", "rates without → with, new and controls", "coverage", "called a cure", "width"]),
    "rasch": (rasch_rows, ["design", "coverage", "of difficulties", "good items listed", "no scale"]),
    "horizon": (horizon_rows, ["design", "stated", "coverage", "a bound open", "median width in days"]),
}


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("--repeats", type=int, default=1000, help="data sets per line")
    parser.add_argument("--seed", type=int, default=20261125)
    given = parser.parse_args()
    rows, columns = TABLES[given.table]
    print(markdown_table(columns, [list(row) for row in rows(given.repeats, given.seed)]))


if __name__ == "__main__":
    main()
