"""Ranks of sound runs on the same tasks, each as an interval: what no test can tell apart shares its place."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from apigap.records.base import Record
from apigap.statistics import holm, paired_difference

SEED = 20260912
ALPHA = 0.05


class Rank(Record):
    """The places that a run may have among `of`: `best` counts those that are surely better, `worst` those surely not.

    A run is better than another where the difference, paired by task, has a p-value (sign flips of APIs, Holm-adjusted
    over all pairs) below 5 %.
    """

    best: int
    worst: int
    of: int

    def __str__(self) -> str:
        """One place, or from which to which."""
        return f"{self.best} of {self.of}" if self.best == self.worst else f"{self.best} to {self.worst} of {self.of}"


def ranks(rates: Sequence[Mapping[str, float]], apis: Mapping[str, str]) -> list[Rank]:
    """The rank of each run by its rates per task; all have the same tasks, and `apis` names the API of each."""
    tasks = sorted(apis)
    pairs = list(combinations(range(len(rates)), 2))
    found = [
        paired_difference(
            [rates[a][task] for task in tasks], [rates[b][task] for task in tasks], [apis[task] for task in tasks], SEED
        )
        for a, b in pairs
    ]
    adjusted = holm([one.p_value for one in found])
    better = [0] * len(rates)
    worse = [0] * len(rates)
    for (a, b), one, p_value in zip(pairs, found, adjusted, strict=True):
        if p_value < ALPHA:
            winner, loser = (b, a) if one.difference > 0 else (a, b)
            better[loser] += 1
            worse[winner] += 1
    of = len(rates)
    return [Rank(best=1 + better[place], worst=of - worse[place], of=of) for place in range(of)]
