"""Other texts: as data would look, never the same text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.tasks.inputs.literals import other_text

# (a text, what stays of it; `{}` is another word)
KEPT = [
    ("Smith", "{}"),
    ("two parcels", "two {}"),
    ("last_name", "last_{}"),
    ("a/b/file.txt", "a/b/{}.txt"),
    ("https://example.org/orders", "https://example.org/{}"),
    ("well-known", "well-{}"),
]
NEXT = [
    ("utf-8", "utf-9"),
    ("%Y", "%Z"),
    ("A1", "A2"),
    ("z9", "z0"),
    ("ISO", "ISP"),
    ("_name", "_namf"),
    ("", "a"),
    ("!", "!a"),
]


@pytest.mark.parametrize(("text", "kept"), KEPT)
def test_a_word_becomes_another_word(text: str, kept: str) -> None:
    before, after = kept.split("{}")
    other = other_text(text)
    assert other.startswith(before)
    assert other.endswith(after)
    word = other[len(before) : len(other) - len(after)]
    assert word.isalpha()
    assert word[0].isupper() == text[len(before)].isupper()
    assert word not in text


@pytest.mark.parametrize(("text", "other"), NEXT)
def test_what_is_no_word_has_its_next_sign(text: str, other: str) -> None:
    assert other_text(text) == other


@given(st.text())
def test_it_is_another_text_and_always_the_same(text: str) -> None:
    assert other_text(text) != text
    assert other_text(text) == other_text(text)
