"""Changed parameters: which of them an answer passes, and changes that only withdraw one."""

import pytest

from apigap.records.candidate import Change, Parameter
from apigap.tasks.passed_parameters import only_withdraws, passed_changed_parameters
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
    ("changes", "withdrawn"),
    [
        (("'deprecated'",), True),
        (("<no_default>",), True),
        (("'warn'", "'deprecated'"), True),
        (("'auto'",), False),
        (("'deprecated'", "3"), False),
        ((), False),
    ],
)
def test_changes_that_only_withdraw_a_parameter(changes: tuple[str, ...], withdrawn: bool) -> None:
    rows = tuple(Change(what="default changed", parameter="sep", old="None", new=new) for new in changes)
    assert only_withdraws(candidate(change="modified", changes=rows)) is withdrawn
    added = candidate(parameters=(Parameter(name="text"), Parameter(name="sep")), changes=(*rows, ADDED))
    assert not only_withdraws(added)
