"""Scores of simulated models with a known horizon: libraries differ, releases are few, items of one API go together."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apigap.statistics.horizon import DatedScores, LevelScores

FIRST, DAYS = date(2024, 1, 1), 1000


@dataclass(frozen=True)
class DatedDesign:
    """The number of each library's new APIs and releases, and the true curve.

    `width` is the logistic scale in years: most of the fall takes four of them. `apart` is how much libraries differ,
    on the logit scale; `at` where the horizon lies, as a share of the dates.
    """

    name: str
    apis: tuple[int, ...]
    ceiling: float
    floor: float
    width: float
    at: float
    apart: float = 0.5
    releases: int = 6
    most_items: int = 3
    inside: float = 0.3


def draw_dates(design: DatedDesign, rng: np.random.Generator) -> tuple[DatedScores, LevelScores, LevelScores, date]:
    """Dated scores, controls, invented names, and the true horizon."""
    library = np.repeat(np.arange(len(design.apis)), design.apis)
    releases = np.sort(rng.integers(0, DAYS + 1, (len(design.apis), design.releases)), axis=1)
    days = releases[library, rng.integers(0, design.releases, len(library))]
    effect = rng.normal(0, design.apart, len(design.apis))
    logit = effect[library] - (days - design.at * DAYS) / 365.25 / design.width
    level = design.floor + (design.ceiling - design.floor) / (1 + np.exp(-logit))
    scale = 1 / design.inside - 1
    chance = rng.beta(level * scale, (1 - level) * scale)
    row = np.repeat(np.arange(len(library)), rng.integers(1, design.most_items + 1, len(library)))
    names = [f"library{number:02}" for number in library.tolist()]
    dated = DatedScores(
        [names[api] for api in row.tolist()],
        [f"api{api}" for api in row.tolist()],
        [FIRST + timedelta(days=int(days[api])) for api in row.tolist()],
        (rng.random(len(row)) < chance[row]).astype(np.float64),
    )
    known, made_up = (
        LevelScores(names, (rng.random(len(names)) < rate).astype(np.float64))
        for rate in (design.ceiling, design.floor)
    )
    return dated, known, made_up, FIRST + timedelta(days=round(design.at * DAYS))
