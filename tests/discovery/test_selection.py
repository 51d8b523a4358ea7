"""Selection by maximal marginal relevance: its laws."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from apigap.discovery.selection import quality, select, text_of
from apigap.records.candidate import Candidate, ChangeKind, Evidence
from apigap.records.errors import UsageError

Pool = tuple[list[Candidate], NDArray[np.float64]]


def candidate(name: str, change: ChangeKind = "added", docstring: str = "", evidence: int = 1) -> Candidate:
    kinds = ("__all__", "re-export", "documented", "used")[:evidence]
    return Candidate(
        api_name=f"lib.{name}", kind="function", library="lib", old_version="1", new_version="2", change=change,
        signature="()", docstring=docstring, import_module="lib",
        evidence=tuple(Evidence(kind=kind, where="here") for kind in kinds),
    )  # fmt: skip


def unit(rows: list[list[float]]) -> NDArray[np.float64]:
    found = np.array(rows, dtype=np.float64)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    count = draw(st.integers(1, 12))
    candidates = [
        candidate(
            f"f{number:02}", draw(st.sampled_from(["added", "modified"])), "x" * draw(st.integers(0, 3000)),
            draw(st.integers(0, 4)),
        )
        for number in range(count)
    ]  # fmt: skip
    rows = draw(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=count, max_size=count))
    return candidates, unit([[*row, 1.0] for row in rows])


@given(pools(), st.randoms(), st.integers(0, 12), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_the_order_of_the_input_changes_nothing(pool: Pool, chance: random.Random, most: int, trade_off: float) -> None:
    candidates, vectors = pool
    order = list(range(len(candidates)))
    chance.shuffle(order)
    shuffled = select([candidates[i] for i in order], vectors[order], most=most, trade_off=trade_off)
    assert shuffled == select(candidates, vectors, most=most, trade_off=trade_off)


@given(pools(), st.integers(0, 12), st.integers(0, 5), st.integers(0, 5))
def test_caps_hold_and_nothing_more_is_left_out(pool: Pool, most: int, added: int, modified: int) -> None:
    candidates, vectors = pool
    caps = {"added": added, "modified": modified}
    chosen = select(candidates, vectors, most=most, most_per_change=caps)
    there = {change: sum(c.change == change for c in candidates) for change in caps}
    possible = sum(min(there[change], caps[change]) for change in caps)
    assert len(chosen) == (min(possible, most) if most else possible)
    assert all(sum(c.change == change for c in chosen) <= cap for change, cap in caps.items())


@given(pools())
def test_quality_alone_is_plain_ranking(pool: Pool) -> None:
    candidates, vectors = pool
    plain = sorted(candidates, key=lambda c: (-round(quality(c), 9), c.api_name))
    assert [round(quality(c), 4) for c in select(candidates, vectors, trade_off=1)] == [
        round(quality(c), 4) for c in plain
    ]


@given(pools())
def test_fewer_are_the_first_of_more(pool: Pool) -> None:
    candidates, vectors = pool
    everything = select(candidates, vectors)
    for most in range(1, len(candidates) + 1):
        assert select(candidates, vectors, most=most) == everything[:most]


@settings(max_examples=50)
@given(st.integers(2, 8), st.integers(0, 7))
def test_a_duplicate_is_taken_last(count: int, of: int) -> None:
    names = [candidate(f"f{number}") for number in range(count)] + [candidate("a_copy")]
    rows = np.eye(count)
    chosen = select(names, np.vstack([rows, rows[of % count]]))
    assert chosen[-1].api_name in ("lib.a_copy", f"lib.f{of % count}")
    assert chosen[0].api_name == "lib.a_copy"  # all equal: the first name


@pytest.mark.parametrize(
    ("trade_off", "expected"),
    [
        (1.0, ["lib.best", "lib.near", "lib.far"]),
        (0.5, ["lib.best", "lib.far", "lib.near"]),
        (0.9, ["lib.best", "lib.near", "lib.far"]),
    ],
)
def test_a_little_worse_but_different_comes_before_nearly_the_same(trade_off: float, expected: list[str]) -> None:
    pool = [candidate("best", docstring="x" * 2000), candidate("near", docstring="x" * 900), candidate("far")]
    pool[2] = candidate("far", docstring="x" * 300)
    vectors = unit([[1, 0], [1, 0.1], [0, 1]])
    assert [c.api_name for c in select(pool, vectors, trade_off=trade_off)] == expected


def test_quality_grows_with_evidence_and_documentation() -> None:
    assert quality(candidate("f", evidence=3)) > quality(candidate("f", evidence=1))
    assert quality(candidate("f", docstring="long " * 50)) > quality(candidate("f", docstring="short"))
    assert text_of(candidate("f", docstring="x" * 900)) == "lib.f: " + "x" * 500


@pytest.mark.parametrize(
    ("rows", "trade_off", "message"),
    [(2, 0.5, "2 vectors for 1 candidates"), (1, 1.5, "trade-off 1.5 is not between")],
)
def test_what_cannot_be_is_refused(rows: int, trade_off: float, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select([candidate("f")], np.eye(rows), trade_off=trade_off)


def test_nothing_gives_nothing() -> None:
    assert select([], np.zeros((0, 4))) == []
