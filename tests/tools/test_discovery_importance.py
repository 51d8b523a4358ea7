"""The rank of importance against labels that were given by hand before there was one."""

from collections import Counter

import numpy as np
import pytest
from tools.discovery.importance import fitted, scores_of
from tools.discovery.importance_draw import draw
from tools.discovery.importance_labels import auc, bootstrap, labelled

from apigap.discovery.importance.weights import INTERCEPT, WEIGHTS
from apigap.records.candidate import Candidate


def test_the_labels_are_of_ten_libraries_and_divided_by_hash() -> None:
    rows = labelled()
    assert set(Counter(row.library for row in rows).values()) == {30}
    assert len({(row.library, row.api_name, row.change) for row in rows}) == len(rows) == 300
    assert sum(row.held_out for row in rows) == 153


def test_the_weights_are_those_that_fit_the_tuning_half() -> None:
    intercept, weights = fitted([row for row in labelled() if not row.held_out])
    assert intercept == pytest.approx(INTERCEPT, abs=0.02)
    assert weights == pytest.approx(WEIGHTS, abs=0.02)


def test_the_rank_tells_wanted_from_unwanted_on_the_half_that_it_was_not_fitted_on() -> None:
    scores, wanted, minor = scores_of([row for row in labelled() if row.held_out])
    assert auc(scores, wanted) >= 0.85
    assert wanted[minor == 1].mean() < 0.05
    assert auc(scores, 1 - wanted) == pytest.approx(1 - auc(scores, wanted))


def test_auc_and_its_interval_by_hand() -> None:
    scores, wanted = np.array([3.0, 2.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])
    assert auc(scores, wanted) == 3.5 / 4
    low, high = bootstrap(scores, wanted)
    assert 0 <= low <= 3.5 / 4 <= high <= 1
    assert bootstrap(scores, wanted) == (low, high)


def test_the_draw_does_not_depend_on_the_order_of_the_file() -> None:
    pool = [
        Candidate(
            api_name=f"lib.f{number}", kind="function", library="lib", old_version="1", new_version="2", change="added",
            signature=None, import_module="lib",
        )
        for number in range(50)
    ]  # fmt: skip
    assert draw(pool, 5, 0) == draw(pool[::-1], 5, 0)
    assert draw(pool, 5, 0) != draw(pool, 5, 1)
    assert len(draw(pool, 60, 0)) == 50
