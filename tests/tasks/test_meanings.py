"""Meanings of arguments, in plain words from the documentation of their parameters."""

import ast

import pytest

from apigap.records.candidate import Parameter
from apigap.tasks.wording.meanings import given_arguments, meaning_of
from tests.tasks.test_cut import candidate

DOCSTRING = """Turn text into a slug.

Parameters
----------
text : str
    The text.
sep : str
    What stands between the words of `text`.
lower : bool
    If True, use small letters alone.
strict : bool
    Whether to refuse letters that have no sound.
keep : bool
    If False, signs are left out.
limit : int
    The limit of the slug.
deep : bool
    Look into parts, too.
"""
NAMES = ("text", "sep", "lower", "strict", "keep", "limit", "deep")
API = candidate(docstring=DOCSTRING, parameters=tuple(Parameter(name=name) for name in NAMES))
MEANINGS = [
    ("sep", "setting", "what stands between the words of `title`"),
    ("lower", "True", "on, use small letters alone"),
    ("lower", "False", "off, use small letters alone"),
    ("strict", "True", "on, refuse letters that have no sound"),
    ("keep", "False", "signs are left out"),
    ("keep", "True", None),
    ("limit", "9", None),
    ("text", "title", None),
    ("deep", "True", "on: look into parts, too"),
    ("deep", "False", "off: look into parts, too"),
    ("other", "3", None),
]


@pytest.mark.parametrize(("parameter", "value", "expected"), MEANINGS)
def test_meaning(parameter: str, value: str, expected: str | None) -> None:
    given = given_arguments([f"y = slugify(title, {parameter}={value})"], API)
    assert meaning_of(parameter, given, API) == expected


def test_arguments_have_the_names_of_their_parameters() -> None:
    kinds = (Parameter(name="first"), Parameter(name="rest", kind="var_positional"), Parameter(name="key"))
    variadic = candidate(parameters=kinds)
    assert set(given_arguments(["y = lib.slugify(a, b, c, key=d)"], variadic)) == {"first", "key"}
    assert set(given_arguments(["y = slugify(*rows, key=d)"], variadic)) == {"key"}
    assert given_arguments(["y = other(a)"], variadic) == {}
    plain = given_arguments(["y = slugify('A b', '_')"], API)
    assert {name: ast.unparse(value) for name, value in plain.items()} == {"text": "'A b'", "sep": "'_'"}
