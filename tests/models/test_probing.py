"""The questions of the novelty probe and how answers are read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.models.probing import (
    existence_prompt,
    f1,
    parameter_names,
    signature_prompt,
    yes_and_no,
    yes_or_no,
)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Yes", True), (" yes.", True), ("**No**, it", False), ("no", False), ("NO!", False),
        ("Not", None), ("Yesterday", None), ("I think yes", None), ("", None), ("maybe", None),
    ],
)  # fmt: skip
def test_only_an_answer_that_begins_with_it_says_yes_or_no(answer: str, said: bool | None) -> None:
    assert yes_or_no(answer) is said


def test_all_spellings_of_a_word_count_and_silence_is_not_no() -> None:
    told = [("Yes", math.log(0.5)), (" no", math.log(0.2)), ("yes", math.log(0.1)), ("Maybe", math.log(0.1))]
    assert yes_and_no(told) == pytest.approx((0.6, 0.2))
    assert yes_and_no([("Maybe", -0.1)]) is None
    assert yes_and_no([]) is None


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("```python\ndump(self, *, mode: str = 'json', by_alias=False)", {"mode", "by_alias"}),
        ("dump(a: dict[str, int] = {}, b: Callable[[int], str] = f(1, 2), **kw) -> str: x(y)", {"a", "b"}),
        ("dump(  # of lib, as it is\n    a: int,  # the first, and\n    *args, b='#',\n", {"a", "b"}),
        ("dump()", set()),
        ("dump(cls, /, a", {"a"}),
        ("def dump(a,\n b)", {"a", "b"}),
        ("```python\ndump(", None),
        ("dumps(a)", None),
        ("I do not know.", None),
        ("```python\ndef dump(def dump(value):", {"value"}),
        ("```python\ndef dump(dump(value: int, *, sep=',') -> str", {"value", "sep"}),
        ("```python\ndef dump(lib.dump(value: Number, sep=',') -> str", {"value", "sep"}),
        ("```python\ndef dump(```python\nlib.dump(value)\n```", {"value"}),
        ("```python\ndef dump(```py\ndef dump(value):\n```", {"value"}),
        ("```python\ndef dump(Here is the signature:\n```python\ndef dump(value, /):\n```", {"value"}),
        ("```python\ndef dump(I do not know this function.", None),
        ("```python\ndef dump(value: int) -> str:\n    return dump(other)", {"value"}),
        ("```python\ndef dump(*, mode='json'):", {"mode"}),
    ],
)
def test_parameters_are_read_from_code_that_breaks_off_too(answer: str, names: set[str] | None) -> None:
    assert parameter_names(answer, "dump") == (None if names is None else frozenset(names))


@given(st.text(max_size=200))
def test_no_answer_breaks_the_reading(answer: str) -> None:
    parameter_names(f"f({answer}", "f")
    yes_or_no(answer)


@pytest.mark.parametrize(
    ("found", "true", "score"),
    [("ab", "ab", 1), ("a", "ab", 2 / 3), ("", "a", 0), ("c", "ab", 0), ("abcd", "ab", 2 / 3)],
)
def test_f1_counts_shared_names(found: str, true: str, score: float) -> None:
    assert f1(frozenset(found), frozenset(true)) == pytest.approx(score)


def test_prompts_are_alike_up_to_the_api_and_do_not_tell_the_answer() -> None:
    one, other = (existence_prompt("lib", f"lib.{name}") for name in ("alpha", "beta"))
    assert one.text[: one.shared] == other.text[: other.shared]
    assert one.text[one.shared :] == "Does `lib.alpha` exist in the Python library lib?"
    examples = one.text[: one.shared].partition("\n\n")[2].split()
    assert examples.count("Yes") == examples.count("No") == 3
    question, begin = signature_prompt("lib", "lib.A.alpha")
    assert "`lib.A.alpha`" in question.content
    assert begin.content.endswith("\ndef alpha(")
