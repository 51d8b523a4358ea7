"""Functions that the older release has elsewhere."""

from pathlib import Path

import pytest

from apigap.records.candidate import Candidate
from apigap.sandbox.environment import Environment
from apigap.tasks.worth.former import former_place
from tests.tasks.test_cut import candidate

FILES = {
    "lib/__init__.py": "from lib.shapes import Shape\n",
    "lib/shapes.py": "class Shape:\n    def simplify(self, most):\n        return self\n",
    "lib/_own.py": "def merge(a, b):\n    return a\n",
    "lib/tests/test_a.py": "def split(a):\n    return a\n",
    "lib/other/__init__.py": "async def fetch(a):\n    return a\n",
}
CASES = [
    (candidate("simplify"), "lib.shapes"),
    (candidate("fetch"), "lib.other"),
    (candidate("merge"), None),
    (candidate("split"), None),
    (candidate("new"), None),
    (candidate("simplify", kind="method"), None),
    (candidate("simplify", change="modified"), None),
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


@pytest.mark.parametrize(("new", "place"), CASES, ids=[f"{one.leaf}, a {one.kind}" for one, _ in CASES])
def test_a_function_that_was_a_method_or_elsewhere_is_not_new(
    new: Candidate, place: str | None, old: Environment
) -> None:
    assert former_place(new, old) == place
