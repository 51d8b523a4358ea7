"""Further variants of inputs: arrays raised, lists turned, labels that stay labels, every input in its turn."""

import pytest

from apigap.tasks.inputs.variants import Variant, in_other_order, in_turns, keeps_flags
from tests.tasks.test_cut import draft

LABELS = "y = [0, 1, 1, 0]\nx = [3, 5, 7]"
FLAGS = [
    ("another number elsewhere", "y = [0, 1, 1, 0]\nx = [3, 5, 8]", True),
    ("a label turned", "y = [1, 1, 1, 0]\nx = [3, 5, 7]", True),
    ("a third label", "y = [0, 2, 1, 0]\nx = [3, 5, 7]", False),
]


@pytest.mark.parametrize(("code", "kept"), [row[1:] for row in FLAGS], ids=[row[0] for row in FLAGS])
def test_labels_stay_labels(code: str, kept: bool) -> None:
    assert keeps_flags(code, LABELS) == kept


def test_arrays_are_raised_and_lists_turned() -> None:
    one = draft("import numpy as np\nfrom lib import slugify\nx = np.arange(6).reshape((2, 3))\ny = slugify(x, [4, 9])")
    contexts = [variant.context for variant in in_other_order(one)]
    assert any("np.arange(6).reshape((2, 3)) + 1" in code for code in contexts)
    assert any("[9, 4]" in code for code in contexts)
    assert any("np.arange(12).reshape((4, 6))" in code and "[8, 18]" in code for code in contexts)
    assert one.context not in contexts


def test_shares_stay_shares_where_other_numbers_are_doubled() -> None:
    one = draft("from lib import slugify\nshares = [0.9, 0.5, 1.5]\nn = 4\ny = slugify(shares, n)")
    contexts = [variant.context for variant in in_other_order(one)]
    assert any("[0.45, 0.25, 3.0]" in code and "n = 8" in code for code in contexts)


def test_every_input_has_its_turn() -> None:
    found = [Variant(code, ("z",), edge=False) for code in ("x = 2\ny = 1", "x = 3\ny = 1", "x = 1\ny = 2")]
    assert in_turns(found, "x = 1\ny = 1") == [found[0], found[2], found[1]]
