"""Difficulty of an answer, by its structure."""

import pytest

from apigap.tasks.difficulty import difficulty_of

ROWS = [
    ("y = slugify(x)", "easy"),
    ("from lib import slugify\ny = slugify(x)", "easy"),
    ("y = slugify(x).upper()", "medium"),
    ("y = other(slugify(x))", "medium"),
    ("box.slugify(x)", "medium"),
    ("with slugify(x):\n    go()", "medium"),
    ("class M:\n    x = slugify('a')", "medium"),
    ("x = 1\ny = slugify(x)", "medium"),
    ("y = slugify(x)\nz = slugify(y)", "hard"),
    ("class M:\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    x = slugify('a')", "hard"),
]


@pytest.mark.parametrize(("solution", "expected"), ROWS)
def test_difficulty(solution: str, expected: str) -> None:
    assert difficulty_of(solution, "slugify") == expected
