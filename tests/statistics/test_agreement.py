import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from apigap.records.errors import UsageError
from apigap.statistics import agreement

LABELS = ("a", "b", "c")
pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=50)


@given(pairs)
def test_kappa_equals_statsmodels(rows: list[tuple[str, str]]) -> None:
    found = agreement(rows, LABELS)
    table = np.array([[found.pairs[truth, given] for given in LABELS] for truth in LABELS])
    if len({label for pair in rows for label in pair}) == 1:
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx(cohens_kappa(table).kappa, abs=1e-12)  # pyright: ignore[reportAttributeAccessIssue]


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[tuple[str, str]], shuffler: object) -> None:
    shuffled = list(rows)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    assert agreement(shuffled, LABELS) == agreement(rows, LABELS)


def test_a_table_worked_by_hand() -> None:
    rows = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    found = agreement(rows, LABELS)
    assert (found.total, found.observed, found.kappa) == (50, 0.7, pytest.approx(0.4))
    assert (found.precision("a"), found.recall("a")) == (pytest.approx(20 / 30), 0.8)
    assert (found.precision("c"), found.recall("c")) == (None, None)


def test_nothing_says_nothing() -> None:
    assert (agreement([], LABELS).observed, agreement([], LABELS).kappa) == (None, None)


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(UsageError, match="d is none of the labels"):
        agreement([("a", "d")], LABELS)
