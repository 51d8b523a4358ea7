"""Lettered questions: laws of the prompts and of both orders, and answers as models write them."""

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.models.options import lettered, read_letter
from apigap.records.errors import UsageError

OPTIONS = ["x, y=1", "y, x=1", "x, *, y", "x"]
ECHO = "A. x, y=1\nB. y, x=1\nC. x, *, y\nD. x"
ANSWERS = [
    ("B", "B"),
    ("b", "B"),
    (" B.\n", "B"),
    ("(b)", "B"),
    ("**B.**", "B"),
    ("**(C)** x, *, y", "C"),
    ("`D`", "D"),
    ('"A"', "A"),
    ("B) y, x=1", "B"),
    ("B. y, x=1", "B"),
    ("b) y, x=1", "B"),
    ("- C. x, *, y", "C"),
    ("B: y, x=1\n\nThis is the order of the source.", "B"),
    ("B because y comes first.", "B"),
    ("A is the right one.", "A"),
    ("A, since x comes first.", "A"),
    ("The answer is B", "B"),
    ("The answer is b.", "B"),
    ("The correct answer is: **D**", "D"),
    ("Answer: (c)", "C"),
    ("**Answer:** C", "C"),
    ("The right choice would be option B.", "B"),
    ("I would go with option C, the keyword form.", "C"),
    ("The answer is option **D**.", "D"),
    ("Option A is correct.", "A"),
    (r"So \boxed{B}", "B"),
    (r"The final answer is $\boxed{\text{D}}$.", "D"),
    ("y comes first in the source.\n\nB", "B"),
    ("y comes first in the source.\n\n**B**", "B"),
    (f"{ECHO}\n\nThe answer is C.", "C"),
    (f"{ECHO}\n\nC", "C"),
    ("At first the answer is A, it seems. But y comes first, so the answer is B.", "B"),
    ("<think>\nThe answer is A? No.\n</think>\n\nB", "B"),
    ("The answer is A? No.\n</think>\nThe answer is D", "D"),
    ("The answer is b because y comes first.", "B"),
    ("The answer is A or B... no: the answer is C", "C"),
    ("Option X does not exist; the answer is A", "A"),
    ("Option A. Not option Z.", "A"),
    ("The answer is D. Option A is wrong because x.", "D"),
    ("The answer is C. Option B is incorrect.", "C"),
    ("**C**. Option B has the wrong name.", "C"),
    ("The answer is (B)\nOption C is older", "B"),
    ("Between option A and option B, option B is correct.", "B"),
    ("Option A is wrong; option **C** is the right one.", "C"),
    ("Option A is wrong.", None),
    ("Either option A or option B.", None),
    # No decision, however much stands there.
    ("", None),
    ("   \n\n", None),
    (ECHO, None),
    ("A list of numbers is given back.", None),
    ("I do not know.", None),
    ("The answer is a list.", None),
    ("The answer is not among them.", None),
    ("None of these.", None),
    ("x, y=1", None),
    ("E", None),
    ("The answer is F.", None),
    ("<think>\nIs it B? The answer is B", None),
    ("7", None),
    ("The answer is B or C.", None),
    ("Answer: B/C", None),
]


@pytest.mark.parametrize(("answer", "letter"), ANSWERS)
def test_letters_are_read_as_models_write_them(answer: str, letter: str | None) -> None:
    assert read_letter(answer, 4) == (None if letter is None else ascii_uppercase.index(letter))


@given(st.text(), st.integers(2, 26))
def test_any_text_has_one_letter_or_none(text: str, count: int) -> None:
    found = read_letter(text, count)
    assert found is None or 0 <= found < count


@given(st.integers(0, 3), st.sampled_from(["{}", "({})", "**{}.**", "The answer is {}.", "<think>\nA\n</think>\n{}"]))
def test_what_a_letter_stands_in_changes_nothing(place: int, form: str) -> None:
    assert read_letter(form.format(ascii_uppercase[place]), 4) == place
    assert read_letter(form.format(ascii_uppercase[place]), place) is None


@given(st.permutations(range(4)), st.integers(0, 3))
def test_a_letter_is_the_option_that_stands_beside_it(order: list[int], place: int) -> None:
    first, second = (lettered("Which parameters has f?", OPTIONS, one) for one in (order, order[::-1]))
    assert first.prompt[: first.shared] == second.prompt[: second.shared]
    letter = ascii_uppercase[order.index(place)]
    assert f"\n{letter}. {OPTIONS[place]}\n" in first.prompt
    assert read_letter(f"The answer is {letter}.", len(order)) == order.index(place)
    assert read_letter("No idea.", len(order)) is None


def test_options_of_several_lines_stand_below_their_letters() -> None:
    asked = lettered("Which one?", ["a = 1\nb = 2\n", "a = 2"], (1, 0))
    assert asked.prompt.endswith("Which one?\n\nA. \n    a = 2\nB. \n    a = 1\n    b = 2\n")


@pytest.mark.parametrize(("options", "order"), [(OPTIONS, (0, 1, 2)), (OPTIONS, (0, 1, 2, 2)), (["x"], (0,))])
def test_an_order_that_is_none_is_refused(options: list[str], order: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="cannot be lettered"):
        lettered("Which?", options, order)


def test_reading_long_answers_takes_no_long_time() -> None:
    for text in ("option " * 100_000, "(" * 300_000, "answer is " * 50_000, "\n".join(["A) x"] * 50_000)):
        read_letter(text, 4)
    assert read_letter("word " * 100_000 + "\n\nB", 2) == 1
