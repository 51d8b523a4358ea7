"""Import names of a distribution, by the list of its files."""

from pathlib import Path

import pytest

from apigap.discovery.distribution import modules_in, modules_of
from apigap.records.errors import InfrastructureError


@pytest.mark.parametrize(
    ("files", "tops", "public"),
    [
        (["yaml/__init__.py", "_yaml/__init__.py", "PyYAML-6.0.dist-info/RECORD"], ("_yaml", "yaml"), ("yaml",)),
        (["six.py"], ("six",), ("six",)),
        (["../../../bin/flask", "flask/__init__.py", "flask/py.typed"], ("flask",), ("flask",)),
        (["flask/__init__.py", "flask/sansio/app.py"], ("flask",), ("flask", "flask.sansio.app")),
        (["a/__init__.py", "a/core.cpython-311-x86_64-linux-gnu.so"], ("a",), ("a", "a.core")),
        (["google/cloud/storage/__init__.py"], ("google",), ("google.cloud.storage",)),
        (["a/__init__.py", "a/my-script.py", "a/__main__.py", "a/_b.py"], ("a",), ("a",)),
        (["a/__init__.py", "a/suite/test_x.py", "a/suite/test_y.py", "a/suite/z.py"], ("a",), ("a",)),
        (["django/__init__.py", "django/test/client.py"], ("django",), ("django", "django.test.client")),
    ],
)
def test_modules(files: list[str], tops: tuple[str, ...], public: tuple[str, ...]) -> None:
    assert modules_in(files) == (tops, public)


def test_the_distribution_is_found_by_any_spelling(tmp_path: Path) -> None:
    info = tmp_path / "PyYAML_x-6.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text('yaml/__init__.py,sha256=abc,10\n"a,b.txt",,\n')
    assert modules_of("pyyaml-X", tmp_path).tops == ("yaml",)
    with pytest.raises(InfrastructureError, match="yaml is not installed"):
        modules_of("yaml", tmp_path)
