"""Answers without the checks of their own results."""

import pytest

from apigap.sandbox.limits import MAX_PARSED
from apigap.sandbox.verdict.own_checks import without_own_checks

TABLE = [
    ("x = f(1)\nassert x > 0", "x = f(1)"),
    ("x = f(1)\nif x < 0:\n    raise ValueError(x)", "x = f(1)"),
    ("if bad:\n    print(1)\n    raise E\nelse:\n    x = f(1)", "x = f(1)"),
    ("if bad:\n    raise E\nelif worse:\n    raise F\nx = f(1)", "x = f(1)"),
    ("for n in x:\n    assert n\ny = f(x)", "for n in x:\n    pass\ny = f(x)"),
    ("def g(x):\n    assert x\n    return f(x)\ny = g(1)", "def g(x):\n    return f(x)\ny = g(1)"),
    ("y = f(x)\nnp.testing.assert_allclose(y, 1)", "y = f(x)"),
    ("try:\n    x = f(1)\nfinally:\n    assert x", "try:\n    x = f(1)\nfinally:\n    pass"),
    ("if x:\n    assert x\ny = f(x)", "if x:\n    pass\ny = f(x)"),
    ("assert f(1)", None),
    ("x = f(1)", None),
    ("if x:\n    y = f(1)", None),
    ("this is no Python", None),
    (f"x = f({'1 + ' * MAX_PARSED}1)\nassert x", None),
]


@pytest.mark.parametrize(("code", "left"), TABLE, ids=range(len(TABLE)))
def test_what_is_left(code: str, left: str | None) -> None:
    assert without_own_checks(code) == left
