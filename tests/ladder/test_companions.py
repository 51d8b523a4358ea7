"""What is installed beside a release so that what shows its APIs runs."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from apigap.ladder.executed import companions
from apigap.ladder.executed.companions import companions_for, extras_of, imported
from apigap.packages.index import Release, ReleaseFile
from apigap.packages.installer import Unsolvable
from apigap.sandbox.environment import Environment
from tests.ladder.toy import install

METADATA = """Metadata-Version: 2.1
Name: abacus
Version: 1.0
Requires-Dist: base
Requires-Dist: Table-Maker>=1; extra == 'tables'
Requires-Dist: plots; extra == "all"
Requires-Dist: torch; extra == 'all'
Requires-Dist: pytest-cov; extra == 'test'
Requires-Dist: older; (python_version < '3') and extra == 'test'
Requires-Dist: broken (; extra == 'test'
Requires-Dist: linked @ https://host/linked-1-py3-none-any.whl ; extra == 'all'
Requires-Dist: linked; extra == 'test'
Provides-Extra: tables
Provides-Extra: all
Provides-Extra: test
"""
SIZES: dict[str, int | None] = {"abacus": 1, "base": 1, "table-maker": 40, "plots": 200, "torch": 1}


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = install(tmp_path / "env")
    info = made.site_packages / "abacus-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(METADATA, "utf-8")
    return made.model_copy(update={"library": "abacus", "packages": ("abacus==1.0", "base==1.0")})


@pytest.fixture
def sdist(tmp_path: Path) -> Path:
    root = tmp_path / "abacus-1.0"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_a.py").write_text("import table_maker\nimport torch\nabacus.scaled(1)\n", "utf-8")
    (root / "tests" / "test_b.py").write_text("plots = pytest.importorskip('plots')\nabacus.scaled(2)\n", "utf-8")
    (root / "tests" / "test_c.py").write_text("import plots\nabacus.other(2)\n", "utf-8")
    (root / "guide.rst").write_text(">>> from table_maker import f\n>>> scaled(1)\n", "utf-8")
    return root


def a_release(library: str, version: str) -> Release:
    name = library.replace("-", "_")
    file = ReleaseFile(
        filename=f"{name}-{version}-py3-none-any.whl", url="", sha256=None, uploaded=None, yanked=False,
        size=None if (size := SIZES[library]) is None else size * 1_000_000,
    )  # fmt: skip
    day = datetime(2026, 1, 1, tzinfo=UTC)
    return Release(library=library, version=version, uploaded=day, yanked=False, files=(file,))


def test_extras_name_what_is_not_there_and_is_no_tool(environment: Environment) -> None:
    assert extras_of(environment) == ["plots", "table-maker", "torch"]


def test_files_that_name_an_api_are_looked_at(sdist: Path) -> None:
    assert imported(sdist, {"scaled"}) == {"table_maker": 2, "torch": 1, "plots": 1}


@pytest.mark.parametrize(
    ("sizes", "unsolvable", "expected"),
    [
        (SIZES, "", ["table-maker"]),  # plots are too large, and so is torch by its configuration
        ({**SIZES, "plots": 20}, "", ["plots", "table-maker"]),
        ({**SIZES, "plots": 20}, "table-maker", ["plots"]),
        ({**SIZES, "plots": None}, "", ["table-maker"]),  # as large as may be
    ],
)
def test_what_is_installed_beside_a_release(
    environment: Environment,
    sdist: Path,
    monkeypatch: pytest.MonkeyPatch,
    sizes: dict[str, int | None],
    unsolvable: str,
    expected: list[str],
) -> None:
    def resolved(found: Release, wanted: Sequence[str], *_: object) -> tuple[str, ...]:
        if unsolvable in wanted:
            raise Unsolvable("no")
        return tuple(one if "==" in one else f"{one}==1.0" for one in wanted)

    monkeypatch.setitem(SIZES, "plots", sizes["plots"])
    monkeypatch.setattr(companions, "resolved", resolved)
    monkeypatch.setattr(companions, "release", a_release)
    assert companions_for(environment, a_release("abacus", "1.0"), sdist, {"scaled"}) == expected
    assert companions_for(environment, a_release("abacus", "1.0"), None, {"scaled"}) == []


def test_no_more_is_asked_than_can_be_chosen(
    environment: Environment, sdist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []

    def resolved(found: Release, wanted: Sequence[str], *_: object) -> tuple[str, ...]:
        asked.append(wanted)
        return ("abacus==1.0", "table-maker==1.0")

    monkeypatch.setattr(companions, "_MOST", 1)
    monkeypatch.setattr(companions, "resolved", resolved)
    monkeypatch.setattr(companions, "release", a_release)
    assert companions_for(environment, a_release("abacus", "1.0"), sdist, {"scaled"}) == ["table-maker"]
    assert asked == [["abacus==1.0", "table-maker"]]
