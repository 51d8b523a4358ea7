"""Wrong answers made from right ones."""

from apigap.tasks.mutants import omitted_arguments, without_arguments, wrong_api
from tests.records.test_task import make_task
from tests.tasks.test_cut import candidate


def test_each_keyword_of_the_target_is_left_out_once() -> None:
    code = "y = slugify(x, a=1, b=other(c=2))\nz = other(d=3)"
    assert omitted_arguments(code, "slugify") == [
        ("a", "y = slugify(x, b=other(c=2))\nz = other(d=3)"),
        ("b", "y = slugify(x, a=1)\nz = other(d=3)"),
    ]
    assert without_arguments(code, "slugify", {0, 1}) == "y = slugify(x)\nz = other(d=3)"


def test_the_wrong_api_is_a_sibling_with_its_own_import() -> None:
    task = make_task(api_name="lib.slugify", masked_region="from lib import slugify\ny = slugify(x)")
    others = [candidate(), candidate("strip"), candidate("Box", kind="class")]
    assert wrong_api(task, others) == "from lib import strip\ny = strip(x)"
    assert wrong_api(task, [candidate()]) is None
