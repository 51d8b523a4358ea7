"""Columns of verdicts against the plain way: a dictionary and loops over samples."""

from collections import Counter
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.analysis.compare import rates, tasks_of
from apigap.analysis.verdicts import OUTCOMES, Sample, Verdict, Verdicts, shared_rows
from apigap.records.result import FAILURE_LABELS

SAMPLES = st.tuples(st.sampled_from(["a", "b", "c", "é"]), st.integers(0, 3))
VERDICTS = st.builds(Verdict, st.sampled_from(OUTCOMES), st.sampled_from([None, *FAILURE_LABELS]))
CELLS = st.dictionaries(SAMPLES, VERDICTS, max_size=12)
Cell = dict[Sample, Verdict]


def columns(cell: Cell) -> Verdicts:
    return Verdicts.of([task for task, _ in cell], [sample for _, sample in cell], list(cell.values()))


@given(CELLS)
def test_rows_are_sorted_and_whole(cell: Cell) -> None:
    rows = columns(cell)
    assert list(rows) == sorted(cell.items())
    assert rows.repeated is None and rows.samples == sorted(cell)
    assert rows.task_ids == {task for task, _ in cell}
    assert rows.judged_tasks == {task for (task, _), verdict in cell.items() if verdict.judged}
    assert rows.counted() == Counter(verdict.words for verdict in cell.values())
    assert rows.judged.tolist() == [verdict.judged for _, verdict in sorted(cell.items())]
    assert rows.passed.tolist() == [verdict.passed for _, verdict in sorted(cell.items())]


@given(CELLS, CELLS)
def test_shared_rows_are_those_that_both_have(a: Cell, b: Cell) -> None:
    first, second = shared_rows(columns(a), columns(b))
    shared = sorted(a.keys() & b.keys())
    assert list(first) == [(key, a[key]) for key in shared]
    assert list(second) == [(key, b[key]) for key in shared]
    assert first.names == second.names and np.array_equal(first.task, second.task)


@given(CELLS)
def test_rates_are_means_over_the_samples_of_a_task(cell: Cell) -> None:
    rows = columns(cell)
    wanted = [fmean(v.passed for (name, _), v in cell.items() if name == task) for task in tasks_of(rows)]
    assert tasks_of(rows) == sorted({task for task, _ in cell})
    assert rates(rows, rows.passed).tolist() == pytest.approx(wanted)


@given(CELLS, st.frozensets(st.sampled_from(["a", "b", "c", "é"])))
def test_a_restriction_keeps_the_tasks_that_are_wanted(cell: Cell, kept: frozenset[str]) -> None:
    rows = columns(cell).restricted(kept.__contains__)
    assert list(rows) == [row for row in sorted(cell.items()) if row[0][0] in kept]
    assert list(Verdicts.joined([rows, columns(cell).restricted(lambda task: task not in kept)])) == sorted(
        cell.items()
    )


def test_a_sample_that_comes_twice_is_told() -> None:
    rows = Verdicts.of(["b", "a", "b"], [1, 0, 1], [Verdict("pass", None)] * 3)
    assert rows.repeated == ("b", 1)
