"""What an answer may be made of."""

import pytest

from apigap.tasks.attempt import private_name


@pytest.mark.parametrize(("code", "name"), [
    ("result = VersionInfo._from_version_string(value).major", "_from_version_string"),
    ("from numpy.lib._stride_tricks_impl import broadcast_to\nresult = broadcast_to(a, shape)", None),
    ("result = lib._core.f(a)", "_core"),
    ("from lib import _f\nresult = _f()", "_f"),
    ("result = lib.f(a)", None),
    ("result = lib.f.__name__", None),
    ("_kept = lib.f(a)\nresult = _kept + 1", None),
    ("box = Box()\nbox._size = lib.f(a)\nresult = box._size", None),
])  # fmt: skip
def test_an_answer_that_needs_a_private_name(code: str, name: str | None) -> None:
    assert private_name(code) == name
