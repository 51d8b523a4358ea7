"""Verdicts as columns: a million of them are counted and compared without a loop over samples."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from apigap.records.result import FAILURE_LABELS, WITHOUT_VERDICT, FailureLabel, Outcome

Sample = tuple[str, int]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_PASS, _FAIL = OUTCOMES.index("pass"), OUTCOMES.index("fail")
_WITHOUT = [OUTCOMES.index(outcome) for outcome in sorted(WITHOUT_VERDICT)]
_NO_LABEL = -1


class Verdict(NamedTuple):
    """One sample's outcome, and the label of a fail."""

    outcome: Outcome
    label: FailureLabel | None

    @property
    def judged(self) -> bool:
        """False where the infrastructure stood in the way or the answer was cut: no verdict, and never a fail."""
        return self.outcome not in WITHOUT_VERDICT

    @property
    def passed(self) -> bool:
        """True for a pass; a suspect is none."""
        return self.outcome == "pass"

    @property
    def words(self) -> str:
        """`pass`, the label of a fail, `suspect`, `infra` or `cut`."""
        return self.label or self.outcome


@dataclass(frozen=True, eq=False)
class Verdicts:
    """A row per sample, in the order of tasks and samples: the task's place in `names`, outcome and label as numbers.

    `names` are sorted; all other columns have one length. No sample is there twice.
    """

    names: tuple[str, ...]
    task: Places
    sample: NDArray[np.int64]
    outcome: NDArray[np.int8]
    label: NDArray[np.int8]

    @classmethod
    def of(cls, tasks: Sequence[str], samples: Sequence[int], verdicts: Sequence[Verdict]) -> "Verdicts":
        """Rows in any order; see `repeated` for samples that come twice."""
        names = tuple(sorted(set(tasks)))
        place = {name: number for number, name in enumerate(names)}
        number_of = {verdict: _numbers(verdict) for verdict in set(verdicts)}
        numbers = np.array([number_of[verdict] for verdict in verdicts], dtype=np.int8).reshape(-1, 2)
        return cls(
            names,
            np.array([place[task] for task in tasks], dtype=np.intp),
            np.array(samples, dtype=np.int64),
            numbers[:, 0],
            numbers[:, 1],
        )._sorted()

    @classmethod
    def joined(cls, parts: Sequence["Verdicts"]) -> "Verdicts":
        """The rows of all parts together."""
        names = tuple(sorted({name for part in parts for name in part.names}))
        return cls(
            names,
            np.concatenate([part.task_in(names) for part in parts]),
            np.concatenate([part.sample for part in parts]),
            np.concatenate([part.outcome for part in parts]),
            np.concatenate([part.label for part in parts]),
        )._sorted()

    def __len__(self) -> int:
        return len(self.task)

    def __iter__(self) -> Iterator[tuple[Sample, Verdict]]:
        rows = zip(self.task.tolist(), self.sample.tolist(), self.outcome.tolist(), self.label.tolist(), strict=True)
        for task, sample, outcome, label in rows:
            yield (self.names[task], sample), verdict_of(outcome, label)

    @property
    def repeated(self) -> Sample | None:
        """A sample that is there twice."""
        same = (np.diff(self.task) == 0) & (np.diff(self.sample) == 0)
        if not same.any():
            return None
        first = int(np.argmax(same))
        return self.names[int(self.task[first])], int(self.sample[first])

    @cached_property
    def judged(self) -> Flags:
        """Rows with a verdict."""
        return ~np.isin(self.outcome, _WITHOUT)

    @cached_property
    def passed(self) -> Flags:
        """Rows that pass."""
        return self.outcome == _PASS

    @cached_property
    def failed(self) -> Flags:
        """Rows that fail."""
        return self.outcome == _FAIL

    @property
    def clear(self) -> Flags:
        """Rows that pass or fail."""
        return self.passed | self.failed

    @cached_property
    def task_ids(self) -> frozenset[str]:
        """The tasks that have a row."""
        return frozenset(self._named(self.task))

    @cached_property
    def judged_tasks(self) -> frozenset[str]:
        """The tasks that have a verdict."""
        return frozenset(self._named(self.task[self.judged]))

    @property
    def samples(self) -> list[Sample]:
        """The samples in order."""
        return [
            (self.names[task], sample) for task, sample in zip(self.task.tolist(), self.sample.tolist(), strict=True)
        ]

    def task_in(self, names: tuple[str, ...]) -> Places:
        """The task of each row as its place in `names`, which hold all of them."""
        if names == self.names:
            return self.task
        place = {name: number for number, name in enumerate(names)}
        return np.array([place[name] for name in self.names], dtype=np.intp)[self.task]

    def where(self, chosen: Flags | Places) -> "Verdicts":
        """Those of the rows, in their order."""
        return Verdicts(self.names, self.task[chosen], self.sample[chosen], self.outcome[chosen], self.label[chosen])

    def restricted(self, keep: Callable[[str], bool]) -> "Verdicts":
        """The rows of the tasks that `keep` wants."""
        kept = np.array([keep(name) for name in self.names], dtype=np.bool_)
        return self.where(kept[self.task])

    def without(self, others: "Verdicts") -> "Verdicts":
        """The rows of the samples that the others do not have."""
        ours, theirs = _keys(self, others)[1]
        return self.where(~np.isin(ours, theirs))

    def renumbered(self, samples: NDArray[np.int64]) -> "Verdicts":
        """The same rows with other numbers of samples, in the same order within each task."""
        return Verdicts(self.names, self.task, samples, self.outcome, self.label)

    def counted(self) -> Mapping[str, int]:
        """The number of rows by `Verdict.words`."""
        kinds, counts = np.unique(np.stack([self.outcome, self.label]), axis=1, return_counts=True)
        found: dict[str, int] = {}
        for outcome, label, count in zip(*kinds.tolist(), counts.tolist(), strict=True):
            words = verdict_of(outcome, label).words
            found[words] = found.get(words, 0) + count
        return found

    def is_(self, outcome: Outcome) -> Flags:
        """Rows with an outcome."""
        return self.outcome == OUTCOMES.index(outcome)

    def _named(self, places: Places) -> list[str]:
        return [self.names[place] for place in np.unique(places).tolist()]

    def _sorted(self) -> "Verdicts":
        return self.where(np.lexsort((self.sample, self.task)))


def verdict_of(outcome: int, label: int) -> Verdict:
    """The verdict of a row's numbers."""
    return Verdict(OUTCOMES[outcome], None if label == _NO_LABEL else FAILURE_LABELS[label])


def shared_rows(a: Verdicts, b: Verdicts) -> tuple[Verdicts, Verdicts]:
    """The rows of the samples that both have, in one order, with the same `names`."""
    names, keys = _keys(a, b)
    _, first, second = np.intersect1d(*keys, assume_unique=True, return_indices=True)
    rows = [(side.where(places), side.task_in(names)[places]) for side, places in ((a, first), (b, second))]
    one, other = (Verdicts(names, task, side.sample, side.outcome, side.label) for side, task in rows)
    return one, other


def _keys(a: Verdicts, b: Verdicts) -> tuple[tuple[str, ...], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The names of both sides together, and a number per row that rows of the same sample share."""
    names = a.names if a.names == b.names else tuple(sorted({*a.names, *b.names}))
    width = 1 + max((int(side.sample.max()) for side in (a, b) if len(side)), default=0)
    return names, (a.task_in(names) * width + a.sample, b.task_in(names) * width + b.sample)


def _numbers(verdict: Verdict) -> tuple[int, int]:
    label = _NO_LABEL if verdict.label is None else FAILURE_LABELS.index(verdict.label)
    return OUTCOMES.index(verdict.outcome), label
