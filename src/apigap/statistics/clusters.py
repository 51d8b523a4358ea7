"""Tasks that share an API, put together: what the resampling methods work on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
_MANY_KINDS = 60
_BLOCK = 4_000_000  # numbers that are drawn at a time, which bounds the memory
_SAME = 12  # decimals: sums of thirds that differ by rounding are the same sum


def cluster_index(clusters: Sequence[str]) -> NDArray[np.intp]:
    """The number of each row's cluster, counted in the sorted order of their names: no row order shows."""
    number = {name: position for position, name in enumerate(sorted(set(clusters)))}
    return np.array([number[cluster] for cluster in clusters], dtype=np.intp)


@dataclass(frozen=True)
class Clusters:
    """One entry per cluster: the sum of what its tasks gain, and how many tasks it has."""

    sums: Floats
    sizes: Floats

    @classmethod
    def of(cls, gains: Floats, groups: NDArray[np.intp]) -> "Clusters":
        """Put rows together; `groups` holds the number of each row's cluster, from 0."""
        sums = np.bincount(groups, weights=gains).round(_SAME)
        return cls(sums.astype(np.float64), np.bincount(groups).astype(np.float64))

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def mean(self) -> float:
        """The mean over tasks; the same bits whatever the clusters' order."""
        return float(np.sort(self.sums).sum() / self.sizes.sum())

    def select(self, chosen: NDArray[np.bool_]) -> "Clusters":
        """Those of the clusters."""
        return Clusters(self.sums[chosen], self.sizes[chosen])

    def smoothed(self) -> "Clusters":
        """Two clusters of the mean size added, one that gains all and one that loses all.

        Bonett & Price (2012, doi:10.3102/1076998611411915) add one pair of each kind to paired proportions. Without
        it the bootstrap cannot draw what was not seen, and its interval is too narrow where few clusters differ.
        """
        size = float(self.sizes.mean())
        return Clusters(np.append(self.sums, [size, -size]), np.append(self.sizes, [size, size]))

    @property
    def kinds(self) -> "Kinds":
        """The different clusters, each once."""
        rows, counts = np.unique(np.stack([self.sums, self.sizes], axis=1), axis=0, return_counts=True)
        return Kinds(rows[:, 0], rows[:, 1], counts.astype(np.int64))

    @property
    def standard_error(self) -> float:
        """Of the mean over tasks, robust to any relation inside clusters, with the factor K / (K - 1).

        Liang & Zeger (1986), for a mean; infinite for a single cluster, which says nothing of others.
        """
        count = len(self)
        if count < 2:
            return float("inf")
        residuals = self.sums - self.mean * self.sizes
        return float(np.sqrt(count / (count - 1) * (residuals**2).sum()) / self.sizes.sum())


@dataclass(frozen=True)
class Kinds:
    """Clusters that have the same sum and size cannot be told apart, so they are drawn together.

    A bootstrap over K clusters draws how often each kind comes: a multinomial of K with the kinds' shares. That is
    the same distribution as drawing the clusters themselves, with a few columns instead of hundreds.
    """

    sums: Floats
    sizes: Floats
    counts: Counts

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Floats:
        """The mean over tasks in each of `draws` resamples of whole clusters."""
        total = int(self.counts.sum())
        if len(self.counts) > _MANY_KINDS:
            return self._one_by_one(rng, draws, total)
        times = rng.multinomial(total, self.counts / total, size=draws)
        return (times @ self.sums) / (times @ self.sizes)

    def _one_by_one(self, rng: np.random.Generator, draws: int, total: int) -> Floats:
        """The same where nearly every cluster is a kind of its own, and a multinomial would be slower."""
        sums, sizes = np.repeat(self.sums, self.counts), np.repeat(self.sizes, self.counts)
        block = max(1, _BLOCK // total)
        means: list[Floats] = []
        for start in range(0, draws, block):
            drawn = rng.integers(0, total, size=(min(block, draws - start), total), dtype=np.int32)
            means.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
        return np.concatenate(means)
