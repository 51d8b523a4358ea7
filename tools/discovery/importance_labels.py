"""The labelled candidates of the rank of importance: their labels, their signs, and what the signs are worth.

`labels.jsonl` is by hand and never written here. `signs.jsonl` is what the release of each labelled candidate says of
it, made by `tools/discovery/importance.py signs`: with it weights are fitted and measured without any release.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from apigap.discovery.importance.signs import SIGNS
from apigap.records.base import Record, content_hash
from apigap.records.store import load_records

FOLDER = Path(__file__).parents[2] / "tests" / "discovery" / "importance"
FOR = frozenset(list(SIGNS)[:4])  # these speak for a candidate, the others against it
PENALTY = 2.0
BOOTSTRAPS = 10_000
Numbers = NDArray[np.float64]


class Labelled(Record):
    """One label: would a user of the library want to know of this candidate?"""

    library: str
    old_version: str
    new_version: str
    api_name: str
    kind: str
    change: str
    wanted: bool

    @property
    def held_out(self) -> bool:
        """True for the half that no weight was chosen by: as good as at random, by hash."""
        identity = content_hash([self.library, self.api_name, self.change])
        return int(identity[-1], 16) % 2 == 1


class Signs(Record):
    """The signs of one labelled candidate that are not zero, and why it is minor."""

    library: str
    api_name: str
    change: str
    signs: dict[str, float]
    minor: str


def labelled() -> list[Labelled]:
    """All labels, in the order in which they were given."""
    return load_records(FOLDER / "labels.jsonl", Labelled)


def known_signs(rows: Sequence[Labelled]) -> list[Signs]:
    """The signs of `rows`, in their order."""
    known = {(one.library, one.api_name, one.change): one for one in load_records(FOLDER / "signs.jsonl", Signs)}
    return [known[row.library, row.api_name, row.change] for row in rows]


def matrix(signs: Sequence[Signs]) -> Numbers:
    """One row per candidate, one column per sign, in the order of `SIGNS`."""
    return np.array([[one.signs.get(name, 0.0) for name in SIGNS] for one in signs])


def fit(signs: Numbers, wanted: Numbers) -> tuple[float, dict[str, float]]:
    """Intercept and weights of a logistic model, to two decimals.

    Maximum likelihood with a ridge penalty; a sign that is meant to speak for a candidate cannot weigh against it, nor
    the reverse.
    """
    columns = np.column_stack([np.ones(len(signs)), signs])

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        total = columns @ weights
        error = 1 / (1 + np.exp(-total)) - wanted
        ridge = np.concatenate([[0.0], weights[1:]])
        value = np.logaddexp(0, total).sum() - wanted @ total + PENALTY / 2 * (ridge @ ridge)
        return float(value), columns.T @ error + PENALTY * ridge

    bounds = [(None, None), *((0.0, None) if name in FOR else (None, 0.0) for name in SIGNS)]
    found = minimize(loss, np.zeros(columns.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds, tol=1e-12).x
    rounded = [round(float(weight), 2) for weight in found]
    return rounded[0], dict(zip(SIGNS, rounded[1:], strict=True))


def auc(scores: Numbers, wanted: Numbers) -> float:
    """The share of pairs of a wanted and an unwanted candidate in which the wanted one scores higher; ties are half."""
    yes, no = scores[wanted == 1][:, None], scores[wanted == 0][None, :]
    return float(((yes > no) + 0.5 * (yes == no)).mean())


def bootstrap(scores: Numbers, wanted: Numbers, seed: int = 0) -> tuple[float, float]:
    """The 95 % percentile interval of `auc` over candidates drawn with replacement."""
    draws = np.random.default_rng(seed)
    found: list[float] = []
    while len(found) < BOOTSTRAPS:
        rows = draws.integers(0, len(scores), len(scores))
        if 0 < wanted[rows].sum() < len(rows):
            found.append(auc(scores[rows], wanted[rows]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)
