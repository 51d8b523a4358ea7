"""Answers of simulated models to items of known difficulty, of which those of one API are alike."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def draw_scale(
    abilities: Floats, items: int, spread: float, missing: float, rng: np.random.Generator, alike: float = 0.5
) -> tuple[Floats, Floats]:
    """Scores, shape (persons, items), and the true difficulties; pairs of items belong to one API.

    `alike` is the share of the variance of difficulties that items of one API have in common, `missing` the share of
    answers that were not asked.
    """
    api = np.repeat(rng.normal(size=(items + 1) // 2), 2)[:items]
    difficulties = spread * (np.sqrt(alike) * api + np.sqrt(1 - alike) * rng.normal(size=items))
    chance = 1 / (1 + np.exp(difficulties[None, :] - abilities[:, None]))
    table = (rng.random(chance.shape) < chance).astype(np.float64)
    table[rng.random(chance.shape) < missing] = np.nan
    return table, difficulties
