"""Other intervals for the mean of matched pairs, beside apigap's: why it is the one."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

from apigap.statistics import paired_mean
from apigap.statistics.differences import Answers
from tools.statistics.simulated_answers import Design, Side, Truth, draw

Floats = NDArray[np.float64]
Groups = NDArray[np.intp]
Method = Callable[[Floats, Groups, np.random.Generator], tuple[float, float]]
DESIGNS = (
    Design("1 library, 8 pairs", (8,)),
    Design("5 libraries of 3 pairs", (3,) * 5),
    Design("8 libraries of 3 to 12, 51 pairs", (3, 5, 8, 12, 4, 6, 3, 10)),
)
RATES = ((0.02, 0.3), (0.05, 0.95), (0.3, 0.6), (0.9, 0.97))
DRAWS = 400


def plain_t(values: Floats, groups: Groups, rng: np.random.Generator) -> tuple[float, float]:
    """Student's t on the CR2 variance with libraries as strata; no pairs are added."""
    sizes = np.bincount(groups)
    residuals = values - (np.bincount(groups, weights=values) / sizes)[groups]
    error = np.sqrt((residuals**2 * (sizes / (sizes - 1))[groups]).sum()) / len(values)
    margin = float(stdtrit(len(values) - len(sizes), 0.975)) * float(error)
    return float(values.mean()) - margin, float(values.mean()) + margin


def percentile(values: Floats, groups: Groups, rng: np.random.Generator) -> tuple[float, float]:
    """Percentile bootstrap, pairs drawn within their library."""
    low, high = np.quantile(_means(values, groups, rng), [0.025, 0.975])
    return float(low), float(high)


def bca(values: Floats, groups: Groups, rng: np.random.Generator) -> tuple[float, float]:
    """The same, bias-corrected and accelerated (Efron 1987); the mean itself where all pairs agree."""
    drawn, mean = _means(values, groups, rng), float(values.mean())
    centred = values - (np.bincount(groups, weights=values) / np.bincount(groups))[groups]
    if float((centred**2).sum()) < 1e-12:
        return mean, mean
    shift = float(ndtri(np.clip((drawn < mean).mean() + (drawn == mean).mean() / 2, 0.001, 0.999)))
    bend = float((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))
    ends = [float(ndtr(shift + (shift + z) / (1 - bend * (shift + z)))) for z in (-1.959964, 1.959964)]
    low, high = np.quantile(drawn, ends)
    return float(low), float(high)


def ours(values: Floats, groups: Groups, rng: np.random.Generator) -> tuple[float, float]:
    """apigap's."""
    return paired_mean(values, groups.astype(str).tolist())[:2]


METHODS: tuple[Method, ...] = (plain_t, percentile, bca, ours)


def choice_rows(repeats: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Design, rates, coverage of each method in per cent."""
    for design in DESIGNS:
        groups = np.repeat(np.arange(len(design.pairs)), design.pairs)
        for number, (new, control) in enumerate(RATES):
            sides: dict[Side, float] = {("new", "none"): new, ("control", "none"): control}
            rng, held = np.random.default_rng([seed, number]), np.zeros(len(METHODS))
            for _ in range(repeats):
                answers, means = draw(design, Truth(sides), rng)
                true, values = means["control", "none"] - means["new", "none"], _values(answers, len(groups))
                bounds = [method(values, groups, rng) for method in METHODS]
                held += [low - 1e-9 <= true <= high + 1e-9 for low, high in bounds]
            yield design.name, f"{new:.2f}, {control:.2f}", *(f"{100 * share:.1f}" for share in held / repeats)


def _values(answers: Answers, pairs: int) -> Floats:
    """Control minus new of each pair."""
    pair = np.array([int(name.removeprefix("pair")) for name in answers.matches])
    scores, new = np.asarray(answers.scores, dtype=np.float64), np.array(answers.groups) == "new"
    old, fresh = (np.bincount(pair[on], scores[on], pairs) / np.bincount(pair[on]) for on in (~new, new))
    return old - fresh


def _means(values: Floats, groups: Groups, rng: np.random.Generator) -> Floats:
    total = np.zeros(DRAWS)
    for number in range(int(groups.max()) + 1):
        mine = values[groups == number]
        total += mine[rng.integers(0, len(mine), (DRAWS, len(mine)))].sum(axis=1)
    return total / len(values)
