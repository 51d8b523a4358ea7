"""Words of daily work in the place of placeholders, and other data of the same kind."""

import pytest

from apigap.tasks.inputs.fitting import fitting_word, in_words_of_work, is_placeholder, strange_words
from tests.knowledge.blocks import usage_of_block

PLACEHOLDERS = [
    ("foo", True), ("foobar", True), ("foo_2", True), ("x1", True), ("a", True), ("abc", True), ("aab", False),
    ("aaabbb", True), ("Hello Stone!", True), ("lorem ipsum", True), ("a, b, c", True),
    ("price", False), ("one", False), ("A/B", False), ("m", False), ("s", False), ("home_%s", False),
    ("2025-09", False), ("week_mon", False), ("utf-8", False), ("", False),
    ("AABBCCDABB", True), ("bead", False),
    ("de", False), ("HI", False), ("ab", True), ("xy", True),
    ("123", True), ("12345678", True), ("123456780", True), ("2024", False), ("1871", False), ("12", False),
]  # fmt: skip
KINDS = [
    ("Oslo", "Lima"), ("red", "green"), ("APPLE", "BANANA"), ("grey", "red"), ("south", None), ("outer", None),
]  # fmt: skip
CODES = [
    ("names of columns", "df = frame({'a': [1, 2]})\ny = df['a']", "df = frame({'price': [1, 2]})\ny = df['price']"),
    ("values", "y = lib.slugify(['foo', 'bar'])", "y = lib.slugify(['Cairo', 'Berlin'])"),
    ("a column of texts", "df = frame({'a': ['foo', 'bar']})", "df = frame({'city': ['Cairo', 'Berlin']})"),
    ("two lists are of two kinds", "y = f(['x', 'y'], ['foo', 'x'], ['p', 'q'])",
     "y = f(['Cairo', 'Delhi'], ['Berlin', 'Cairo'], ['apple', 'banana'])"),
    ("a column of flags", "df = frame({'c': [True, None]})", "df = frame({'paid': [True, None]})"),
    ("a column of parts", "df = frame({'m': Series([{'a': 1}])})", "df = frame({'details': Series([{'price': 1}])})"),
    ("a column as an attribute", "df = frame({'a': [1, 2]})\ny = df.a", "df = frame({'price': [1, 2]})\ny = df.price"),
    ("a column as a keyword", "df = frame({'a': [1]})\ny = df.assign(a=2)",
     "df = frame({'price': [1]})\ny = df.assign(price=2)"),
    ("a keyword that is no column", "df = frame({'a': [1]})\ny = df.assign(b=2)",
     "df = frame({'price': [1]})\ny = df.assign(b=2)"),
    ("names of features", "y = fit(x, feature_names=['a', 'b'])", "y = fit(x, feature_names=['price', 'weight'])"),
    ("letters of a text", "df = frame(x, columns=list('AB'))\ny = df['B']",
     "df = frame(x, columns=['weight', 'price'])\ny = df['price']"),
    ("letters of a text as values", "y = f(list('abc'))", "y = f(['Berlin', 'Cairo', 'Delhi'])"),
    ("a greeting is no list of placeholders", "y = f(list('hello world'), ['foo'])",
     "y = f(list('hello world'), ['Berlin'])"),
    ("a code that is passed by name stays", "y = lib.slugify(x, mode='r')", None),
    ("a word that is there is not taken", "f = frame({'price': 1, 'b': 2})", "f = frame({'price': 1, 'weight': 2})"),
]  # fmt: skip
STRANGE = [
    ("an edit of letters", "q = Q('timestamq')", "q = Q('timestamp')", ["timestamq"]),
    ("an everyday word", "style = 'tea'", "style = 'north'", ["tea"]),
    ("a word of the original, written otherwise", "style = 'NORTH'", "style = 'north'", []),
    ("a word of the documentation", "style = 'south'", "either 'north' or 'south'", []),
    ("a name that placeholders get", "x = {'label': 1, 'color': 2}", "x = {'a': 1}", []),
    ("a known word of daily work", "city = 'Lima'", "city = 'Oslo'", []),
]


@pytest.mark.parametrize(("text", "expected"), PLACEHOLDERS)
def test_is_placeholder(text: str, expected: bool) -> None:
    assert is_placeholder(text) is expected


@pytest.mark.parametrize(("word", "expected"), KINDS)
def test_another_word_is_of_the_same_kind(word: str, expected: str | None) -> None:
    assert fitting_word(word) == expected


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in CODES], ids=[row[0] for row in CODES])
def test_placeholders_become_words_of_work(code: str, expected: str | None) -> None:
    usage = usage_of_block(code)
    assert usage is not None
    assert in_words_of_work(usage).code == (expected or usage.code)


@pytest.mark.parametrize(
    ("code", "original", "expected"), [row[1:] for row in STRANGE], ids=[row[0] for row in STRANGE]
)
def test_strange_words(code: str, original: str, expected: list[str]) -> None:
    assert strange_words(code, original) == expected
