"""The answer's outline: a gap for the API, and what is done with its value."""

import pytest

from apigap.tasks.outline import hidden_expressions, outline

CASES = [
    ("y = s.f(x).sort()", "y = ...", "y = (...).sort()"),
    ("y = d.add(r=p.f(a).at(p.e()))", "y = d.add(r=...)", "y = d.add(r=(...).at(p.e()))"),
    ("y = s.f[0]", "y = ...", "y = (...)[0]"),
    ("y = s.f", "y = ...", "y = ..."),
    ("y = list(f(x))", "y = list(...)", "y = list(...)"),
    ("y = f(f(x)).g()", "y = ...", "y = (...).g()"),
    ("y = await c.f(x)", "y = ...", "y = await ..."),
]


@pytest.mark.parametrize(("code", "whole", "rest"), CASES)
def test_outline(code: str, whole: str, rest: str) -> None:
    assert outline([code], "f") == whole
    assert outline([code], "f", rest=True) == rest


def test_what_is_shown_is_not_hidden() -> None:
    assert [len(hidden_expressions(["y = s.f(x).at(3)"], "f", rest=rest)) for rest in (False, True)] == [1, 1]
    hidden = hidden_expressions(["y = s.f(x).at(3)"], "f", rest=True)
    assert len(hidden) == 1 and hidden[0].end_col_offset == len("y = s.f(x)")
