"""Programs with the replacement in the place of what was taken away."""

import pytest

from apigap.knowledge.stale.rewriting import rewritten
from apigap.records.retired import Retirement


def retirement(old: str, new: str | None, api_kind: str = "function", **more: str) -> Retirement:
    return Retirement.model_validate(
        {"kind": "removed", "library": "lib", "old_version": "1", "new_version": "2", "old_name": old,
         "api_kind": api_kind, "replacement": new, **more}
    )  # fmt: skip


PRODUCT = retirement("numpy.product", "numpy.prod")
MOVED = retirement("numpy.DataSource", "numpy.lib.npyio.DataSource", "class")
DUMP = retirement("pydantic.BaseModel.dict", "pydantic.BaseModel.model_dump", "method")
RENAMED = retirement("polars.DataFrame.join", "coalesce", "parameter", parameter="join_nulls")
DEFAULT = retirement(
    "pandas.concat", None, "function", kind="default changed", parameter="sort", old_default="True", new_default="False"
)

TABLE = [
    (PRODUCT, "import numpy as np\nx = np.product([1])", "import numpy as np\nx = np.prod([1])"),
    (MOVED, "import numpy as np\nx = np.DataSource()",
     "import numpy.lib.npyio\nimport numpy as np\nx = numpy.lib.npyio.DataSource()"),
    (PRODUCT, "from numpy import product\nx = product([1])", "from numpy import prod as product\nx = product([1])"),
    (PRODUCT, "from numpy import array, product as p\np(1)",
     "from numpy import prod as p\nfrom numpy import array\np(1)"),
    (PRODUCT, "import itertools as np\nnp.product([1])", None),
    (MOVED, "from numpy import DataSource", "from numpy.lib.npyio import DataSource"),
    (DUMP, "m.dict()\nother.dict", "m.model_dump()\nother.model_dump"),
    (RENAMED, "a.join(b, join_nulls=True)\nf(join_nulls=True)", "a.join(b, coalesce=True)\nf(join_nulls=True)"),
    (DEFAULT, "import pandas as pd\npd.concat(a)", "import pandas as pd\npd.concat(a, sort=True)"),
    (DEFAULT, "import pandas as pd\npd.concat(a, sort=None)", None),
    (retirement("networkx.info", None), "import networkx as nx\nnx.info(g)", None),
    (PRODUCT, "this is no Python", None),
]  # fmt: skip


@pytest.mark.parametrize(("one", "code", "expected"), TABLE)
def test_a_program_as_it_is_written_now(one: Retirement, code: str, expected: str | None) -> None:
    assert rewritten(code, one) == expected


def test_an_expression_is_read_with_the_imports_of_its_program() -> None:
    assert rewritten("np.product(x)", PRODUCT) is None
    assert rewritten("np.product(x)", PRODUCT, "import numpy as np") == "np.prod(x)"
