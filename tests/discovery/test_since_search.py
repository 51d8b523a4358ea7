"""Where things begin in a series, found by looking at few of its places."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.since.search import Answer, Beginning, beginnings

ANSWERS: tuple[Answer, ...] = ("absent", "present", "unknown")


class Series:
    """Answers for each place, which may be looked at once each."""

    def __init__(self, rows: list[list[Answer]]) -> None:
        self.rows = rows
        self.looked: list[int] = []

    def __call__(self, place: int) -> list[Answer]:
        assert place not in self.looked
        self.looked.append(place)
        return [row[place] for row in self.rows]

    def found(self) -> list[Beginning]:
        return beginnings(len(self.rows), len(self.rows[0]), self)


def row(text: str) -> list[Answer]:
    """`A`bsent, `P`resent or `?` at each place."""
    named: dict[str, Answer] = {"A": "absent", "P": "present", "?": "unknown"}
    return [named[letter] for letter in text]


CASES = [
    ("PPPP", Beginning(0, exact=True)),
    ("AAAP", Beginning(3, exact=True)),
    ("AAPPPPPPP", Beginning(2, exact=True)),
    ("A?PP", Beginning(1, exact=False)),
    ("AA??PPPP", Beginning(2, exact=False)),
    ("??AAAPPP", Beginning(5, exact=True)),  # what lacks it later lacked it before
    ("???PPPPP", Beginning(0, exact=False)),
    ("AAPAPPPP", Beginning(2, exact=False)),  # it came, went and came again
    ("AAAAPPPA" + "P", Beginning(4, exact=True)),  # far from its beginning nothing is looked at
]


@pytest.mark.parametrize(("answers", "beginning"), CASES, ids=[case[0] for case in CASES])
def test_the_beginning_of_one_thing(answers: str, beginning: Beginning) -> None:
    assert Series([row(answers)]).found() == [beginning]


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1), max_size=20))))
def test_all_that_begins_once_is_found_and_no_place_is_looked_at_twice(drawn: tuple[int, list[int]]) -> None:
    places, starts = drawn
    series = Series([row("A" * start + "P" * (places - start)) for start in starts])
    if starts:
        assert series.found() == [Beginning(start, exact=True) for start in starts]
        assert len(series.looked) <= len(set(starts)) * (math.ceil(math.log2(places + 1)) + 4)


@given(st.integers(1, 40), st.data())
def test_what_is_unknown_just_before_is_where_it_may_begin(places: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, places - 1))
    known = data.draw(st.integers(start, places - 1))
    text = "A" * start + "?" * (known - start) + "P" * (places - known)
    assert Series([row(text)]).found() == [Beginning(start, exact=start == known)]


@given(st.integers(1, 30).flatmap(lambda n: st.lists(st.lists(st.sampled_from(ANSWERS), min_size=n, max_size=n))))
def test_any_answers_come_to_an_end_and_what_is_exact_was_seen(rows: list[list[Answer]]) -> None:
    if rows:
        series = Series(rows)
        for answers, found in zip(rows, series.found(), strict=True):
            if found.exact:
                assert answers[found.place] == "present"
                assert found.place == 0 or answers[found.place - 1] == "absent"


def test_the_work_is_shared() -> None:
    series = Series([row("A" * start + "P" * (100 - start)) for start in (50, 50, 50, 51)])
    series.found()
    assert len(series.looked) <= 12


def test_nothing_is_looked_at_for_nothing() -> None:
    assert beginnings(0, 5, lambda place: pytest.fail("looked at a place")) == []
