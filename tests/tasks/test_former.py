"""Functions that the older release has elsewhere."""

from pathlib import Path

import pytest

from apigap.records.candidate import Candidate, Parameter
from apigap.sandbox.environment import Environment
from apigap.tasks.worth.former import former_place
from tests.tasks.test_cut import candidate

FILES = {
    "lib/__init__.py": "from lib.shapes import Shape\n",
    "lib/shapes.py": (
        '"""Shapes.\n\n    def batched(x):\n        a recipe\n"""\n'
        "class Shape:\n    def simplify(self, most):\n        return self\n    def first(self):\n        return self\n"
        "class _Own:\n    def select(self):\n        return self\n"
        "def outer():\n    def inner():\n        return 1\n    return inner\n"
    ),
    "lib/_own.py": "def merge(a, b):\n    return a\n",
    "lib/tests/test_a.py": "def split(a):\n    return a\n",
    "lib/other/__init__.py": "async def fetch(a):\n    return a\n",
}
SHAPE = (Parameter(name="shape"), Parameter(name="most"))
TYPED = (Parameter(name="x", annotation="lib.shapes.Shape"),)
CASES = [
    (candidate("simplify", parameters=SHAPE), "lib.shapes"),
    (candidate("simplify", parameters=TYPED), "lib.shapes"),
    (candidate("first"), None),
    (candidate("select", parameters=SHAPE), None),
    (candidate("batched"), None),
    (candidate("inner"), None),
    (candidate("outer"), "lib.shapes"),
    (candidate("fetch"), "lib.other"),
    (candidate("merge"), None),
    (candidate("split"), None),
    (candidate("new"), None),
    (candidate("simplify", parameters=SHAPE, kind="method"), None),
    (candidate("simplify", parameters=SHAPE, change="modified"), None),
]


@pytest.fixture
def old(tmp_path: Path) -> Environment:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    info = tmp_path / "lib-1.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in FILES), encoding="utf-8")
    return Environment(
        library="lib", version="1.0", root=tmp_path, python=tmp_path, base_prefix=tmp_path, site_packages=tmp_path,
        packages=(), lock="x",
    )  # fmt: skip


@pytest.mark.parametrize(("new", "place"), CASES, ids=[f"{n}: {c.leaf}, a {c.kind}" for n, (c, _) in enumerate(CASES)])
def test_a_function_that_was_a_method_or_elsewhere_is_not_new(
    new: Candidate, place: str | None, old: Environment
) -> None:
    assert former_place(new, old) == place
