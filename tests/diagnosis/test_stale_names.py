"""Stale names in answers: those that the text says beyond doubt, and none that it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.diagnosis.stale_names import StaleNames
from apigap.records.retired import Retirement


def gone(old_name: str, kind: str = "removed", api_kind: str = "function", parameter: str | None = None) -> Retirement:
    return Retirement.model_validate(
        {"kind": kind, "library": "lib", "old_version": "1", "new_version": "2", "old_name": old_name,
         "api_kind": api_kind, "parameter": parameter}
    )  # fmt: skip


NAMES = StaleNames(
    [
        gone("numpy.product"),
        gone("numpy.float_", "renamed", "class"),
        gone("numpy.array_api", "removed", "module"),
        gone("pydantic.BaseModel.dict", "deprecated", "method"),
        gone("pandas.DataFrame.append", "removed", "method"),
        gone("httpx.Client", "removed", "parameter", "proxies"),
        gone("pandas.concat", "default changed"),
    ]
)

TABLE = [
    ("import numpy as np\nnp.product(x)", "", ["numpy.product"]),
    ("np.product(x)", "import numpy as np", ["numpy.product"]),
    ("from numpy import product", "", ["numpy.product"]),
    ("product(x)", "from numpy import product", ["numpy.product"]),
    ("y = 1", "import numpy as np\nz = np.product(x)", []),
    ("np.zeros(3, dtype=np.float_)", "import numpy as np", ["numpy.float_"]),
    ("import numpy.array_api as xp\nxp.sum(a)", "", ["numpy.array_api"]),
    ("df = pd.DataFrame(a)\ndf.append(b)", "import pandas as pd", ["pandas.DataFrame.append"]),
    ("df.append(b)", "import pandas as pd\ndf = pd.DataFrame(a)", ["pandas.DataFrame.append"]),
    ("def f(df: pd.DataFrame):\n    return df.append(1)", "import pandas as pd", ["pandas.DataFrame.append"]),
    ("User(a=1).dict()", "from pydantic import BaseModel\nclass User(BaseModel): ...", ["pydantic.BaseModel.dict"]),
    ("u = User()\nu.dict()", "import pydantic\nclass User(pydantic.BaseModel): ...", ["pydantic.BaseModel.dict"]),
    ("with httpx.Client(proxies=p) as c: ...", "import httpx", ["httpx.Client(proxies=)"]),
    # what the text does not say
    ("rows = []\nrows.append(1)", "import pandas as pd", []),
    ("df.append(b)", "", []),
    ("df = pd.DataFrame(a)\ndf = []\ndf.append(b)", "import pandas as pd", []),
    ("pd.concat([a])", "import pandas as pd", []),
    ("f(proxies=1)", "", []),
    ("this is no Python", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("code", "context", "expected"), TABLE)
def test_the_stale_names_of_an_answer(code: str, context: str, expected: list[str]) -> None:
    assert NAMES.written_in(code, context) == expected


@given(st.text(max_size=100), st.text(max_size=100))
def test_any_answer_is_read(code: str, context: str) -> None:
    assert NAMES.written_in(code, context) == []
