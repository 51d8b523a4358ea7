"""Programs that draw without a seed get one; what cannot have one is refused."""

import pytest

from apigap.tasks.observations.nondeterminism import draws_by_chance, is_by_chance, seeded
from tests.knowledge.blocks import usage_of_block

ROWS = [
    ("import numpy as np\nx = np.random.rand(3)", "np.random.rand(3)"),
    ("import numpy as np\nnp.random.seed(1)\nx = np.random.rand(3)", None),
    ("import numpy as np\nrng = np.random.default_rng()", "np.random.default_rng()"),
    ("import numpy as np\nrng = np.random.default_rng(12)\nx = rng.normal(size=3)", None),
    ("from numpy.random import RandomState\nr = RandomState()", "RandomState()"),
    ("from numpy.random import RandomState\nr = RandomState(7)", None),
    ("from random import shuffle\nshuffle([1, 2])", "shuffle([1, 2])"),
    ("import random\nrandom.seed(4)\nrandom.random()", None),
    ("import uuid\nx = uuid.uuid4()", "uuid.uuid4()"),
    ("x = rng.random(3)", None),
    ("x = sorted([3, 1])", None),
]


@pytest.mark.parametrize(("code", "expected"), ROWS)
def test_what_draws_by_chance(code: str, expected: str | None) -> None:
    assert draws_by_chance(code) == expected


SEEDED = [
    ("import numpy as np\nx = np.random.rand(3)", "import numpy as np\nnp.random.seed(12)\nx = np.random.rand(3)"),
    ("import numpy as np\nr = np.random.default_rng()", "import numpy as np\nr = np.random.default_rng(12)"),
    (
        "from random import shuffle\nshuffle([1, 2])",
        "from random import shuffle\nfrom random import seed\nseed(12)\nshuffle([1, 2])",
    ),
    ("x = sorted([3, 1])", "x = sorted([3, 1])"),
]


@pytest.mark.parametrize(("code", "expected"), SEEDED)
def test_what_draws_by_chance_gets_a_seed(code: str, expected: str) -> None:
    usage = usage_of_block(code, "here")
    assert usage is not None
    assert seeded(usage).code == expected
    assert draws_by_chance(seeded(usage).code) is None


def test_what_cannot_be_seeded_is_still_refused() -> None:
    usage = usage_of_block("import uuid\nx = uuid.uuid4()", "here")
    assert usage is not None
    assert draws_by_chance(seeded(usage).code) == "uuid.uuid4()"


@pytest.mark.parametrize(("code", "expected"), [
    ("import numpy as np\nx = np.random.default_rng(2).random(10)", True),
    ("import numpy as np\nnp.random.seed(1)\nx = np.random.rand(3)", True),
    ("import networkx as nx\nG = nx.gnp_random_graph(5, 0.5, seed=3)", True),
    ("walk = list(f(G, seed=None))", False),
    ("import numpy as np\nx = np.sort([3, 1])", False),
])  # fmt: skip
def test_whether_anything_is_drawn(code: str, expected: bool) -> None:
    assert is_by_chance(code) == expected
