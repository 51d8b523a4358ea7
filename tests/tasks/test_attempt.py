"""What an answer may be made of."""

import pytest

from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.configuration import load_settings
from apigap.tasks.attempt import attempts, private_name
from tests.tasks.test_cut import candidate


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


def test_what_a_test_expects_is_no_input_of_a_question_that_names_the_api() -> None:
    usage = Usage(
        prelude=("from lib import slugify",), steps=(Step(code="result = slugify(text)"),),
        source="t.py", origin="tests", inputs=(("text", "'North Sea'"), ("expected", "'north-sea'")),
    )  # fmt: skip
    (made,) = attempts(candidate(), [usage], (), load_settings().tasks, [], named=True)
    assert made.draft.context == "text = 'North Sea'"
