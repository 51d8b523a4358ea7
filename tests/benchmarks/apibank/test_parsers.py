"""Calls in answers: the released patterns followed by hand, and the sensible reading."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apigap.benchmarks.apibank.scoring.corrected import Read, read_calls
from apigap.benchmarks.apibank.scoring.released import Found, find_call

_PIECES = st.sampled_from(
    [
        "[",
        "]",
        "(",
        ")",
        ")]",
        "=",
        " = ",
        "'",
        '"',
        ",",
        " ",
        "\n",
        "a",
        "Api",
        "[Api(",
        "x='",
        "y=",
        "1",
        "-",
        ".",
        "é",
    ]
)


def _by_patterns(answer: str) -> Found | None:
    """The published rules as two patterns, which take quadratic time on hostile answers."""
    call = re.search(r"\[(\w+)\((.*)\)\]", answer)
    if call is None:
        return None
    found = re.findall(r"""(\w+)\s*=\s*(?:['"](.+?)['"]|(\[.*\])|(\w+))""", call[2])
    return Found(call[0], call[1], {name: next(v for v in values if v) for name, *values in found})


@given(st.lists(_PIECES, max_size=30).map("".join))
@example("[A(x='', y='z')]")
@example("[A(a=[1, 2], b=[3])] and [B()]")
@example("[A(x=-1, y=40.7)]")
def test_following_by_hand_finds_what_the_patterns_find(answer: str) -> None:
    assert find_call(answer) == _by_patterns(answer)


@given(st.text(max_size=200) | st.lists(_PIECES, max_size=60).map("".join))
def test_no_answer_breaks_the_sensible_reading(answer: str) -> None:
    assert all(isinstance(call.name, str) for call in read_calls(answer))


@pytest.mark.parametrize("unit", ["[a(", "x='", "a=[", "[Api(x=", "([{", "w", "\\'"])
def test_a_megabyte_of_anything_is_read_at_once(unit: str) -> None:
    answer = unit * (1_000_000 // len(unit))
    find_call(answer)
    read_calls(answer)


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ("[A(x='O'Brien')]", [("A", {"x": "O'Brien"})]),
        ('[A(x="say "hi" now", y=\'z\')]', [("A", {"x": 'say "hi" now', "y": "z"})]),
        ("[A(x='', y='z')]", [("A", {"x": "", "y": "z"})]),
        ("[A(x=40.7128, y=-3, z=1e3)]", [("A", {"x": 40.7128, "y": -3, "z": 1000.0})]),
        ("[A(x=['a', 'b'], y={'k': [1, 2]})]", [("A", {"x": ["a", "b"], "y": {"k": [1, 2]}})]),
        ("[A(x=[{'name': 'a)]'}])]", [("A", {"x": [{"name": "a)]"}]})]),
        ("[A(x=True, y=None)]", [("A", {"x": True, "y": None})]),
        (
            "[A(x=Meeting with John, y=2023-09-12 14:00:00)]",
            [("A", {"x": "Meeting with John", "y": "2023-09-12 14:00:00"})],
        ),
        ("[A(x='1'), B(y='2')]", [("A", {"x": "1"}), ("B", {"y": "2"})]),
        ("[A(x='1')]\n[B(y='2')]", [("A", {"x": "1"}), ("B", {"y": "2"})]),
        ("[A (x = '1' , y='2',)]", [("A", {"x": "1", "y": "2"})]),
        ("API-Request: A(x='1')", [("A", {"x": "1"})]),
        ("<think>[B(y='2')]</think>\n[A(x='1')]", [("A", {"x": "1"})]),
        ("[A(x=__import__('os').system('true'))]", [("A", {"x": "__import__('os').system('true')"})]),
        ("see [note] (1)", []),
        ("[A(x='1'", []),
        ("", []),
    ],
)
def test_the_sensible_reading(answer: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    assert read_calls(answer) == [Read(name, arguments) for name, arguments in calls]
