"""Values that answers write: how they are read, and which are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.items.written_values import same_value, written_value


@pytest.mark.parametrize(
    "answer, value",
    [
        ("42", "42"),
        ("  [1, 2]\n", "[1, 2]"),
        ("```\n{'a': 1}\n```", "{'a': 1}"),
        ("First:\n```python\ny = f(1)\n```\nThen it is:\n```python\n(1, 2)\n```", "(1, 2)"),
        (">>> y\n'karate'\n>>> y.upper()\n'KARATE'", "'karate'"),
        ("```python\n>>> y\n[[1, 2],\n [3, 4]]\n```", "[[1, 2],\n [3, 4]]"),
        ("The value is `3.5`.", "3.5"),
        ("It adds both, so `y` is `7` and not `8`.", "8"),  # the last one that is written
        ("Reasoning about 3 and 4.\n\ny = [3, 4]", "[3, 4]"),
        ("Reasoning.\n\n**Answer: (2, 'x')**", "(2, 'x')"),
        ("y == None", "None"),
        ("", None),
        ("I cannot say.", None),
        ("```python\n__import__('os').getcwd()\n```", None),
        ("[" * 5_000, None),
        ("9" * 3_000, None),
    ],
)
def test_answers(answer: str, value: str | None) -> None:
    assert written_value(answer) == value


@pytest.mark.parametrize(
    "wanted, given, same",
    [
        ("[1, 2]", "(1, 2)", True),
        ("3.0", "3", True),
        ("(2, 'a')", "[2, 'a']", True),
        ("{'b': 1, 'a': [2]}", "{'a': (2,), 'b': 1}", True),
        ("{1, 2}", "{2, 1}", True),
        ("0.333", "0.333", True),
        ("0.333", "0.334", False),
        ("1", "True", False),
        ("[1, 2]", "[2, 1]", False),
        ("'1'", "1", False),
        ("'a'", "b'a'", False),
        ("[1]", "1", False),
        ("{'a': 1}", "{'a': 1, 'b': 2}", False),
        ("1", "1" + "0" * 400, False),  # no float holds it
        ("1e999", "1e999", True),
        ("{1e999}", "{1e999}", True),
        ("[1]", "{1e999}", False),
        ("{1: 2}", "{1e999: 2}", False),
        ("9007199254740993", "9007199254740992", False),
    ],
)
def test_the_same_value(wanted: str, given: str, same: bool) -> None:
    assert same_value(wanted, given) is same


PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)


@given(st.recursive(PLAIN, lambda own: st.lists(own) | st.tuples(own)))
def test_a_value_is_like_itself(value: object) -> None:
    assert same_value(repr(value), repr(value))
