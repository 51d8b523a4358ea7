"""Coverage of the intervals of gap and cure, and the share of data without a gap that are called one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from apigap.statistics.differences import Difference, cure, gap
from tools.statistics.simulated_answers import Design, Side, Truth, draw

DESIGNS = (
    Design("1 library, 5 pairs", (5,)),
    Design("1 library, 8 pairs", (8,)),
    Design("1 library, 12 pairs", (12,)),
    Design("1 library, 40 pairs", (40,)),
    Design("5 libraries of 3 pairs", (3,) * 5),
    Design("8 libraries of 3 to 12, 51 pairs", (3, 5, 8, 12, 4, 6, 3, 10)),
    Design("8 libraries of 3 to 12, one item an API", (3, 5, 8, 12, 4, 6, 3, 10), 1),
    Design("12 libraries of 12, 144 pairs", (12,) * 12),
)
NEWS = (
    Design("1 library, 40 pairs, 1 to 4 of one news", (40,), most_members=4),
    Design("1 library, 40 pairs, 1 to 12 of one news", (40,), most_members=12),
    Design("10 libraries of 20, 1 to 12 of one news", (20,) * 10, most_members=12),
)
"""Designs in which several new APIs are one piece of news, answered nearly alike."""
RATES = ((0.02, 0.02), (0.02, 0.3), (0.05, 0.95), (0.3, 0.6), (0.5, 0.5), (0.9, 0.97), (0.97, 0.97))
CURES = (
    (0.05, 0.05, 0.9, 0.9),
    (0.05, 0.6, 0.9, 0.95),
    (0.3, 0.3, 0.3, 0.3),
    (0.3, 0.5, 0.6, 0.8),
    (0.02, 0.1, 0.97, 0.97),
)
Row = tuple[str, ...]


def gap_rows(repeats: int, seed: int) -> Iterator[Row]:
    """Design, rates of new APIs and controls, coverage, called a gap, mean width."""
    for design in DESIGNS:
        for number, (new, control) in enumerate(RATES):
            for continuous in (False, True) if (new, control) == (0.3, 0.6) else (False,):
                rates: dict[Side, float] = {("new", "none"): new, ("control", "none"): control}
                truth = Truth(rates, apart=0.0 if new == control else 0.5, continuous=continuous)
                rng = np.random.default_rng([seed, number])
                told = f"{new:.2f}, {control:.2f}" + (" (F1)" if continuous else "")
                yield design.name, told, *_shares(_gaps(design, truth, repeats, rng))


def news_rows(repeats: int, seed: int) -> Iterator[Row]:
    """Design, rates, then coverage, called a gap and width: with news counted once, and with each pair by itself."""
    for design in NEWS:
        for number, (new, control) in enumerate(((0.3, 0.6), (0.5, 0.5), (0.02, 0.3))):
            rates: dict[Side, float] = {("new", "none"): new, ("control", "none"): control}
            truth = Truth(rates, apart=0.0 if new == control else 0.5)
            both = [
                _shares(_gaps(design, truth, repeats, np.random.default_rng([seed, number]), by_news))
                for by_news in (True, False)
            ]
            yield design.name, f"{new:.2f}, {control:.2f}", *both[0], *both[1]


def cure_rows(repeats: int, seed: int) -> Iterator[Row]:
    """Design, the four rates, coverage, called a cure, mean width."""
    for design in DESIGNS:
        for number, (new, new_with, control, control_with) in enumerate(CURES):
            rates: dict[Side, float] = {("new", "none"): new, ("new", "signature"): new_with}
            rates |= {("control", "none"): control, ("control", "signature"): control_with}
            rng = np.random.default_rng([seed, number])
            told = f"{new:.2f} → {new_with:.2f}, {control:.2f} → {control_with:.2f}"
            yield design.name, told, *_shares(_cures(design, Truth(rates), repeats, rng))


Found = tuple[Difference, float]


def _gaps(
    design: Design, truth: Truth, repeats: int, rng: np.random.Generator, by_news: bool = True
) -> Iterator[Found]:
    for _ in range(repeats):
        answers, means = draw(design, truth, rng)
        answers = answers if by_news else replace(answers, families=None)
        yield gap(answers, "none", chance=0.0), means["control", "none"] - means["new", "none"]


def _cures(design: Design, truth: Truth, repeats: int, rng: np.random.Generator) -> Iterator[Found]:
    for _ in range(repeats):
        answers, means = draw(design, truth, rng)
        new = means["new", "signature"] - means["new", "none"]
        yield cure(answers, "none", "signature"), new - (means["control", "signature"] - means["control", "none"])


def _shares(found: Iterator[Found]) -> Sequence[str]:
    """Coverage, share called different from 0 and mean width, in the data sets where an interval is given."""
    held = called = stated = 0
    width = 0.0
    for difference, true in found:
        if difference.low is None or difference.high is None or difference.p_value is None:
            continue
        stated += 1
        held += difference.low - 1e-9 <= true <= difference.high + 1e-9
        called += difference.p_value < 1 - difference.level
        width += difference.high - difference.low
    if not stated:
        return "-", "-", "-"
    return f"{100 * held / stated:.1f}", f"{100 * called / stated:.1f}", f"{width / stated:.2f}"
