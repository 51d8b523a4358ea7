"""Changed parameters: which of them an answer passes, and which of these are new."""

from typing import Any

import pytest

from apigap.records.candidate import Change
from apigap.tasks.passed_parameters import passed_changed_parameters, passed_new_parameters
from tests.tasks.test_cut import candidate

ADDED = Change(what="parameter added", parameter="sep")


@pytest.mark.parametrize(
    ("code", "passed"),
    [
        ("x = slugify(t)", set()),
        ("x = slugify(t, '-')", {"sep"}),
        ("x = slugify(t, sep='-')", {"sep"}),
        ("x = slugify(*both)", {"sep"}),
        ("x = other(t, sep='-')", set()),
    ],
)
def test_parameters_that_an_answer_passes(code: str, passed: set[str]) -> None:
    assert passed_changed_parameters(code, candidate(change="modified", changes=(ADDED,))) == passed


@pytest.mark.parametrize(
    ("what", "is_new"),
    [
        ("parameter added", True),
        ("default changed", False),
        ("became keyword-only", False),
        ("parameter renamed", False),
        ("annotation widened", False),
    ],
)
def test_only_what_could_not_be_passed_before_is_new(what: Any, is_new: bool) -> None:
    changes = (Change(what=what, parameter="sep", old="None", new="'deprecated'"),)
    modified = candidate(change="modified", changes=changes)
    assert passed_new_parameters("x = slugify(t, sep='-')", modified) == ({"sep"} if is_new else set())
    assert not passed_new_parameters("x = slugify(t)", modified)
