"""Fit of items to a Rasch scale: infit and outfit mean squares (Wright & Masters 1982, chapter 5)."""

from dataclasses import dataclass

import numpy as np

from apigap.statistics.clusters import Floats

_MEAN_SQUARE, _T = 1.5, 2.0
"""Linacre (2002, Rasch Measurement Transactions 16:2): above 1.5 an item adds more noise than it measures."""


@dataclass(frozen=True)
class ItemFit:
    """Mean squares, 1 where answers scatter as the model says, more where they contradict the order of abilities.

    `outfit` weighs all persons alike, `infit` those near the item's difficulty more. The t values are their cube roots
    in standard deviations (Wilson & Hilferty 1931), rough where few persons answered.
    """

    infit: float
    outfit: float
    infit_t: float
    outfit_t: float

    @property
    def odd(self) -> bool:
        """True for an item to look at: a mean square above 1.5, with a t above 2."""
        pairs = ((self.infit, self.infit_t), (self.outfit, self.outfit_t))
        return any(square > _MEAN_SQUARE and t > _T for square, t in pairs)


def item_fit(table: Floats, abilities: Floats, difficulties: Floats) -> list[ItemFit | None]:
    """The fit of each item of `table`, shape (persons, items), NaN where not asked; None with fewer than 3 answers."""
    chance = 1 / (1 + np.exp(difficulties[None, :] - abilities[:, None]))
    variance = chance * (1 - chance)
    fourth = variance * ((1 - chance) ** 3 + chance**3)
    found: list[ItemFit | None] = []
    for column in range(table.shape[1]):
        asked = ~np.isnan(table[:, column])
        count = int(asked.sum())
        if count < 3:
            found.append(None)
            continue
        spread, kurtosis = variance[asked, column], fourth[asked, column]
        residual = (table[asked, column] - chance[asked, column]) ** 2
        infit, outfit = float(residual.sum() / spread.sum()), float((residual / spread).mean())
        infit_sd = float(np.sqrt(np.maximum(kurtosis - spread**2, 0).sum()) / spread.sum())
        outfit_sd = float(np.sqrt(np.maximum(kurtosis / spread**2 - 1, 0).sum()) / count)
        found.append(ItemFit(infit, outfit, _t(infit, infit_sd), _t(outfit, outfit_sd)))
    return found


def _t(square: float, deviation: float) -> float:
    """The mean square as a t value; 0 where it cannot vary."""
    return (square ** (1 / 3) - 1) * 3 / deviation + deviation / 3 if deviation > 0 else 0.0
