"""How often 95 % intervals hold the truth, with clusters as here: three tables of docs/statistics-measured.md.

    .venv/bin/python -m tools.statistics.coverage_simulation            # about two minutes; prints Markdown

APIs have chances of their own, drawn from a beta distribution, so that tasks of one API go together with the given
correlation. The same seed gives the same tables.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from apigap.reporting.markdown import markdown_table
from apigap.statistics import clustered_wilson, interaction, paired_difference, wilson
from apigap.statistics.clusters import Clusters

Floats = NDArray[np.float64]
Method = Callable[[Floats, NDArray[np.intp]], tuple[float, float]]
DRAWS = 400


@dataclass(frozen=True)
class Shape:
    """Which clusters there are: how many tasks each API has."""

    name: str
    sizes: tuple[int, ...]

    @property
    def owner(self) -> NDArray[np.intp]:
        """The number of each task's API."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


STARTER = Shape("starter: 314 tasks, 269 APIs of 1 to 3", (1,) * 226 + (2,) * 41 + (3,) * 2)
SHAPES = (
    Shape("small: 30 tasks, 15 APIs of 1 to 3", (1, 2, 3) * 5),
    Shape("one library: 80 tasks, 40 APIs of 1 to 3", (1, 2, 3, 2) * 10),
    STARTER,
    Shape("release: 1,670 tasks, 856 APIs of 1 to 3", (1, 2, 3) * 271 + (1, 2) * 21 + (1,)),
    Shape("large: 300 tasks, 30 APIs of 10", (10,) * 30),
    Shape("uneven: 218 tasks, 85 APIs of 1 to 40", (1,) * 60 + (3,) * 20 + (40, 25, 15, 10, 8)),
)
RATES = (0.03, 0.3, 0.95)
GAINS = ((0.02, 0.0), (0.02, 0.02), (0.10, 0.02), (0.50, 0.05), (0.80, 0.0))


def ours(rates: Floats, owner: NDArray[np.intp]) -> tuple[float, float]:
    """Wilson on the effective sample size."""
    found = clustered_wilson(rates, owner.astype(str).tolist())
    return found.low, found.high


def plain_wilson(rates: Floats, owner: NDArray[np.intp]) -> tuple[float, float]:
    """Wilson as if tasks were independent."""
    found = wilson(float(rates.sum()), len(rates))
    return found.low, found.high


def clustered_t(rates: Floats, owner: NDArray[np.intp]) -> tuple[float, float]:
    """Mean and cluster-robust standard error, Student's t."""
    clusters = Clusters.of(rates, owner)
    margin = float(stdtrit(len(clusters) - 1, 0.975)) * clusters.standard_error
    return clusters.mean - margin, clusters.mean + margin


def make_percentile(rng: np.random.Generator) -> Method:
    """The plain percentile bootstrap over clusters."""

    def percentile(rates: Floats, owner: NDArray[np.intp]) -> tuple[float, float]:
        low, high = np.quantile(Clusters.of(rates, owner).kinds.bootstrap(rng, DRAWS), [0.025, 0.975])
        return float(low), float(high)

    return percentile


def related(shape: Shape, rate: float, correlation: float, rng: np.random.Generator) -> Floats:
    """Chances of all tasks: one draw per API, with mean `rate` and the given correlation inside."""
    scale = 1 / correlation - 1
    return rng.beta(rate * scale, (1 - rate) * scale, len(shape.sizes))[shape.owner]


def rate_rows(shape: Shape, correlation: float, repeats: int, seed: int) -> list[list[str]]:
    """Coverage of the intervals for one pass rate, in per cent."""
    rows: list[list[str]] = []
    for rate in RATES:
        rng = np.random.default_rng([seed, round(100 * rate)])
        methods: list[Method] = [plain_wilson, clustered_t, make_percentile(rng), ours]
        held = np.zeros(len(methods))
        for _ in range(repeats):
            passed = (rng.random(len(shape.owner)) < related(shape, rate, correlation, rng)).astype(np.float64)
            bounds = [method(passed, shape.owner) for method in methods]
            held += [low - 1e-9 <= rate <= high + 1e-9 for low, high in bounds]
        rows.append([shape.name, f"{rate:.2f}", *(f"{100 * share:.1f}" for share in held / repeats)])
    return rows


def gains_of(shape: Shape, gain: float, loss: float, correlation: float, rng: np.random.Generator) -> Floats:
    """+1, -1 or 0 per task; an API's tasks all share one draw with the chance `correlation`."""
    count = len(shape.sizes)
    together = (rng.random(count) < correlation)[shape.owner]
    drawn = np.where(together, rng.random(count)[shape.owner], rng.random(len(shape.owner)))
    return np.where(drawn < gain, 1.0, np.where(drawn < gain + loss, -1.0, 0.0))


def gain_rows(shape: Shape, correlation: float, repeats: int, seed: int) -> list[list[str]]:
    """Coverage of the intervals of a paired difference, and how often its p-value is below 0.05."""
    rows: list[list[str]] = []
    names = shape.owner.astype(str).tolist()
    for gain, loss in GAINS:
        rng = np.random.default_rng([seed, round(100 * gain), round(100 * loss)])
        percentile = make_percentile(rng)
        held, significant = np.zeros(2), 0
        for number in range(repeats):
            gains = gains_of(shape, gain, loss, correlation, rng)
            found = paired_difference(gains < 0, gains > 0, names, seed=number, draws=DRAWS)
            bounds = (percentile(gains, shape.owner), (found.low, found.high))
            held += [low - 1e-9 <= gain - loss <= high + 1e-9 for low, high in bounds]
            significant += found.p_value <= 0.05
        shares = [f"{100 * share:.1f}" for share in (*(held / repeats), significant / repeats)]
        rows.append([shape.name, f"+{gain:.2f} −{loss:.2f}", *shares])
    return rows


def interaction_rows(correlation: float, repeats: int, seed: int) -> list[list[str]]:
    """The interaction on the starter's shape: half of the APIs are of the other kind and gain more."""
    rows: list[list[str]] = []
    names, kind = STARTER.owner.astype(str).tolist(), STARTER.owner % 2 == 0
    for more in (0.0, 0.1, 0.2):
        rng = np.random.default_rng([seed, round(100 * more)])
        held = significant = 0
        for number in range(repeats):
            usual = gains_of(STARTER, 0.3, 0.05, correlation, rng)
            raised = gains_of(STARTER, 0.3 + more, 0.05, correlation, rng)
            gains = np.where(kind, raised, usual)
            found = interaction(gains < 0, gains > 0, names, kind.tolist(), seed=number, draws=DRAWS)
            assert found is not None
            held += found.low <= more <= found.high
            significant += found.p_value <= 0.05
        rows.append([f"{100 * more:+.0f} points", f"{100 * held / repeats:.1f}", f"{100 * significant / repeats:.1f}"])
    return rows


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=1000, help="data sets per line")
    parser.add_argument("--correlation", type=float, default=0.5, help="between tasks of one API")
    parser.add_argument("--seed", type=int, default=20260912)
    given = parser.parse_args()
    common = (given.correlation, given.repeats, given.seed)
    columns = ["clusters", "pass rate", "Wilson, tasks independent", "clustered t", "percentile bootstrap", "apigap"]
    print(markdown_table(columns, [row for shape in SHAPES for row in rate_rows(shape, *common)]))
    columns = ["clusters", "tasks gained and lost", "percentile bootstrap", "apigap", "p ≤ 0.05"]
    print(markdown_table(columns, [row for shape in SHAPES for row in gain_rows(shape, *common)]))
    print(markdown_table(["true interaction (starter)", "apigap", "p ≤ 0.05"], interaction_rows(*common)))


if __name__ == "__main__":
    main()
