"""Difficulty of an answer, by what must be known to write it."""

import pytest

from apigap.records.candidate import Parameter
from apigap.tasks.difficulty import difficulty_of
from tests.tasks.test_cut import candidate

PARAMETERS = (
    Parameter(name="text"),
    Parameter(name="sep", default="'-'", required=False),
    Parameter(name="upper", default="False", required=False),
)
ROWS = [
    ("the API alone", "y = slugify(x)", (), "easy"),
    ("its import is none of it", "from lib import slugify\ny = slugify(x)", (), "easy"),
    ("lines do not count", "a = 1\nb = 2\nc = 3\ny = slugify(x)", (), "easy"),
    ("a larger expression neither", "y = other(slugify(x)).upper()", (), "easy"),
    ("a required argument by name", "y = slugify(text=x)", (), "easy"),
    ("one argument beyond", "y = slugify(x, sep='_')", (), "medium"),
    ("one beyond by position", "y = slugify(x, '_')", (), "medium"),
    ("two beyond", "y = slugify(x, sep='_', upper=True)", (), "hard"),
    ("an object made for the call", "y = slugify(Text(x))", (), "medium"),
    ("what changed", "y = slugify(x, sep='_')", ("sep",), "medium"),
    ("what changed and one beyond", "y = slugify(x, sep='_', upper=True)", ("sep",), "hard"),
    ("what changed is left out", "y = slugify(x)", ("sep",), "easy"),
    ("two uses", "y = slugify(x)\nz = slugify(y)", (), "medium"),
]


@pytest.mark.parametrize(("solution", "changed", "expected"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_difficulty(solution: str, changed: tuple[str, ...], expected: str) -> None:
    changes = [{"what": "parameter added", "parameter": name} for name in changed]
    change = "modified" if changed else "added"
    assert difficulty_of(solution, candidate(parameters=PARAMETERS, changes=changes, change=change)) == expected
