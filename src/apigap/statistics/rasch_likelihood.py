"""The marginal likelihood of a Rasch model: abilities as they are, difficulties from a normal distribution."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Floats

_NODES, _STEP = 61, 1e-4
_SPREAD = (0.05, 8.0)  # of difficulties, in logits


@dataclass(frozen=True)
class Marginal:
    """A fitted model. `right` and `asked` have the shape (persons, items); an item not asked is 0 in both."""

    abilities: Floats
    spread: float
    right: Floats
    asked: Floats

    def errors(self) -> Floats:
        """Standard errors of the abilities against the mean difficulty of these items, shape (persons,).

        The inverse of the observed information, less the variance of the mean of as many difficulties: these items
        are the scale, not a sample of others.
        """
        point = np.append(self.abilities, np.log(self.spread))
        columns: list[Floats] = []
        for number in range(len(point)):
            step = np.zeros(len(point))
            step[number] = _STEP
            ahead, behind = (_loss(point + sign * step, self.right, self.asked)[1] for sign in (1, -1))
            columns.append((ahead - behind) / (2 * _STEP))
        information = np.array(columns)
        covariance = np.linalg.pinv((information + information.T) / 2, hermitian=True)
        variance = np.diag(covariance)[:-1] - self.spread**2 / self.right.shape[1]
        return np.sqrt(np.maximum(variance, 1 / np.maximum(self.asked.sum(axis=1), 1)))

    def difficulties(self) -> tuple[Floats, Floats]:
        """Posterior means and standard deviations of the difficulties, shape (items,) each."""
        values, weights = self._posterior()
        means = weights @ values
        return means, np.sqrt(np.maximum(weights @ values**2 - means**2, 0))

    def chances(self, ability: float) -> Floats:
        """The probability, shape (items,), that somebody of this ability passes, over what is known of the items."""
        values, weights = self._posterior()
        return weights @ (1 / (1 + np.exp(values - ability)))

    def _posterior(self) -> tuple[Floats, Floats]:
        nodes, chances = _grid()
        return self.spread * nodes, _weights(self.abilities, self.spread * nodes, chances, self.right, self.asked)[0]


def maximise(table: Floats) -> Marginal:
    """The most likely abilities and spread; `table` holds scores in 0..1 or NaN, shape (persons, items).

    Raises:
        UsageError: where the likelihood has no maximum that can be found.
    """

    from scipy import optimize  # pyright: ignore[reportMissingTypeStubs]

    asked = (~np.isnan(table)).astype(np.float64)
    right = np.nan_to_num(table)
    share = (right.sum(axis=1) + 0.5) / (asked.sum(axis=1) + 1)
    start = np.append(np.log(share / (1 - share)), 0.0)
    bounds = [(-30.0, 30.0)] * len(table) + [(float(np.log(_SPREAD[0])), float(np.log(_SPREAD[1])))]
    settings: dict[str, Any] = {"jac": True, "method": "L-BFGS-B", "bounds": bounds, "options": _OPTIONS}
    found = cast(Any, optimize).minimize(_loss, start, args=(right, asked), **settings)
    point = np.asarray(found.x, dtype=np.float64)
    if not np.isfinite(point).all():
        raise UsageError("the abilities could not be fitted; leave out models that answered hardly anything")
    return Marginal(point[:-1], float(np.exp(point[-1])), right, asked)


_OPTIONS = {"maxiter": 500, "ftol": 1e-13, "gtol": 1e-7}


def _loss(point: Floats, right: Floats, asked: Floats) -> tuple[float, Floats]:
    """Minus the log-likelihood and its gradient, in the abilities and the logarithm of the spread."""
    nodes, chances = _grid()
    abilities, values = point[:-1], np.exp(point[-1]) * nodes
    weights, evidence = _weights(abilities, values, chances, right, asked)
    pass_chance = 1 / (1 + np.exp(values[None, :] - abilities[:, None]))
    surplus = right @ weights - (asked @ weights) * pass_chance  # (persons, nodes)
    return -float(evidence.sum()), -np.append(surplus.sum(axis=1), -(surplus.sum(axis=0) @ values))


def _weights(abilities: Floats, values: Floats, chances: Floats, right: Floats, asked: Floats) -> tuple[Floats, Floats]:
    """The posterior of each item's difficulty over the nodes, shape (items, nodes), and the log-evidence per item."""
    logit = abilities[:, None] - values[None, :]
    passed, failed = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    joint = right.T @ passed + (asked - right).T @ failed + np.log(chances)
    most = joint.max(axis=1, keepdims=True)
    weights = np.exp(joint - most)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, (np.log(total) + most).ravel()


def _grid() -> tuple[Floats, Floats]:
    """Nodes of a standard normal distribution at equal steps from -6 to 6, with their chances."""
    nodes = np.linspace(-6, 6, _NODES)
    chances = np.exp(-(nodes**2) / 2)
    return nodes, chances / chances.sum()
