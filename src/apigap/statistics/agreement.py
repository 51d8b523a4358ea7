"""Agreement of two ways to label the same things: confusion, Cohen's kappa, precision and recall per label."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apigap.records.errors import UsageError


@dataclass(frozen=True)
class Agreement:
    """A confusion matrix; `pairs` counts (true label, given label)."""

    labels: tuple[str, ...]
    pairs: Counter[tuple[str, str]]

    @property
    def total(self) -> int:
        """The number of things."""
        return sum(self.pairs.values())

    @property
    def observed(self) -> float | None:
        """The share of things with the same label twice; None without any."""
        return sum(self.pairs[label, label] for label in self.labels) / self.total if self.total else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (Cohen 1960): agreement beyond what the two label frequencies give by chance.

        None without any thing, and where both sides use one label alone, so that chance explains everything.
        """
        if self.observed is None:
            return None
        expected = sum(self.true_count(label) * self.given_count(label) for label in self.labels) / self.total**2
        return (self.observed - expected) / (1 - expected) if expected < 1 else None

    def true_count(self, label: str) -> int:
        """The number of things that truly have the label."""
        return sum(self.pairs[label, given] for given in self.labels)

    def given_count(self, label: str) -> int:
        """The number of things that were given the label."""
        return sum(self.pairs[truth, label] for truth in self.labels)

    def precision(self, label: str) -> float | None:
        """Of the things that were given the label, the share that have it; None where none was given it."""
        given = self.given_count(label)
        return self.pairs[label, label] / given if given else None

    def recall(self, label: str) -> float | None:
        """Of the things that have the label, the share that were given it; None where none has it."""
        truly = self.true_count(label)
        return self.pairs[label, label] / truly if truly else None


def agreement(pairs: Iterable[tuple[str, str]], labels: Sequence[str]) -> Agreement:
    """The agreement of (truth, given) pairs over `labels`.

    Raises:
        UsageError: for a label that is not among them.
    """
    counts = Counter(pairs)
    strange = {label for pair in counts for label in pair} - set(labels)
    if strange:
        raise UsageError(f"{', '.join(sorted(strange))} is none of the labels {', '.join(labels)}")
    return Agreement(tuple(labels), counts)
