"""Import names of a distribution, by the list of its files."""

from pathlib import Path

import pytest

from apigap.discovery.distribution import modules_in, modules_of, stands_for
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


REQUIRES = [
    (["lib-slim==2.1"], ["lib-slim"]),
    (["lib-slim[all]==2.1", "lib-tasks==2.1; extra == 'tasks'"], ["lib-slim"]),
    (["lib-sdk==0.4", "natsort>=8"], ["lib-sdk"]),
    (["other==2.1.0"], ["other"]),
    (["other==2.2", "third>=2.1", "lib-x==2.*", "lib-y>=2,==2.1", "not a requirement ("], []),
    (["lib-old==2.1; python_version < '3'"], []),
]


@pytest.mark.parametrize(("requires", "names"), REQUIRES)
def test_one_without_modules_stands_for_what_it_pins(requires: list[str], names: list[str], tmp_path: Path) -> None:
    info = installed(tmp_path, "lib", [], requires)
    assert [part.name for part in stands_for(info)] == names


def test_one_with_modules_stands_for_itself(tmp_path: Path) -> None:
    assert stands_for(installed(tmp_path, "lib", ["lib.py"], ["lib-slim==2.1"])) == []


def test_the_modules_are_those_of_what_it_stands_for(tmp_path: Path) -> None:
    installed(tmp_path, "lib", [], ["lib-core==2.1", "lib-more==2.1", "lib-lost==2.1"])
    installed(tmp_path, "lib-core", [], ["lib-inner==2.1", "lib==2.1"])
    installed(tmp_path, "lib-inner", ["lib/__init__.py"], [])
    installed(tmp_path, "lib-more", ["lib/more.py"], ["natsort==2.1"])
    assert modules_of("lib", tmp_path) == (("lib",), ("lib", "lib.more"))


def installed(site_packages: Path, name: str, files: list[str], requires: list[str]) -> Path:
    info = site_packages / f"{name.replace('-', '_')}-2.1.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in (*files, f"{info.name}/RECORD")))
    (info / "METADATA").write_text("".join(f"Requires-Dist: {one}\n" for one in requires))
    return info
