"""Wrong answers made from right ones: every kind on calls of every form, and what holds of all of them."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.tasks.mutants import KINDS, Facts, Kind, Mutant, mutants, omitted_arguments, without_arguments
from apigap.tasks.mutants.siblings import siblings_of
from tests.tasks.test_cut import candidate

SIGNATURE = Facts(positional=("text", "sep"), defaults={"sep": "'-'", "lower": "True"})
INPUTS = Facts(values={"x": ([1, 2], []), "obj": ({"type": "Box", "fields": []},) * 2, "lib": ({"module": "lib"},) * 2})


def made(code: str, kind: Kind, facts: Facts = SIGNATURE, leaf: str = "slugify") -> list[str]:
    return [mutant.code for mutant in mutants(code, leaf, facts, most=100) if mutant.kind == kind]


def test_each_keyword_of_the_target_is_left_out_once() -> None:
    code = "y = slugify(x, a=1, b=other(c=2))\nz = other(d=3)"
    assert omitted_arguments(code, "slugify") == [
        ("a", "y = slugify(x, b=other(c=2))\nz = other(d=3)"),
        ("b", "y = slugify(x, a=1)\nz = other(d=3)"),
    ]
    assert without_arguments(code, "slugify", {0, 1}) == "y = slugify(x)\nz = other(d=3)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x, sep='_')", ["y = slugify(sep='_')", "y = slugify(x)"]),
        ("y = lib.slugify(x, '_')", ["y = lib.slugify('_')", "y = lib.slugify(x)"]),
        ("y = slugify(x, '-')", ["y = slugify('-')"]),
        ("y = slugify(x, lower=True)", ["y = slugify(lower=True)"]),
        ("y = slugify(*parts, **more)", ["y = slugify(**more)", "y = slugify(*parts)"]),
        ("y = f(slugify(slugify(x)))", ["y = f(slugify(slugify()))", "y = f(slugify())"]),
        ("from lib import slugify as s\ny = s(x)", ["from lib import slugify as s\ny = s()"]),
        ("y = await slugify(x)", ["y = await slugify()"]),
        ("y = obj.slugify", []),
        ("y = other(x)", []),
    ],
)
def test_an_argument_is_omitted_unless_it_is_the_default(code: str, expected: list[str]) -> None:
    assert sorted(made(code, "omitted argument")) == sorted(expected)
