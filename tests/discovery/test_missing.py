"""What to install beside a library whose modules could not be imported, by its own extras."""

from pathlib import Path

import pytest

from apigap.discovery.library import LibraryConfig, write_library
from apigap.discovery.missing import how_to_read, missing_packages

EXTRAS = {  # those of cattrs 26.2.1, and one with two packages
    "bson": ["pymongo>=4.4.0"],
    "msgspec": ["msgspec>=0.21.1; implementation_name == 'cpython'"],
    "pyyaml": ["pyyaml>=6.0"],
    "tomllib": ["tomli>=1.1.0; python_version < '3'"],
    "cli": ["rich", "click"],
}
ROWS = [
    ("called like its package", "msgspec", "msgspec"),
    ("a package with py in front", "yaml", "pyyaml"),
    ("the only package of an extra of that name", "bson", "pymongo"),
    ("one package of an extra with several", "click", "click"),
    ("an extra with several packages says nothing of a module", "cli", ""),
    ("a package that is not for this Python", "tomli", ""),
    ("no extra", "winreg", ""),
]


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    lines = ["Name: Lib", "Requires-Dist: attrs>=25.4.0"]
    for extra, wanted in EXTRAS.items():
        lines.append(f"Provides-Extra: {extra}")
        for one in wanted:
            package, _, marker = one.partition("; ")
            lines.append(f"Requires-Dist: {package}; {f'({marker}) and ' if marker else ''}extra == '{extra}'")
    (tmp_path / "lib-2.0.dist-info").mkdir()
    (tmp_path / "lib-2.0.dist-info" / "METADATA").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize(("module", "package"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_package_of_a_module(module: str, package: str, site_packages: Path) -> None:
    reasons = [f"ModuleNotFoundError: No module named '{module}.inner'", "ImportError: no luck"]
    assert missing_packages(reasons, "LIB", site_packages) == {module: package}


def test_what_fails_otherwise_misses_nothing(site_packages: Path) -> None:
    assert missing_packages(["its package lib.a could not be imported"], "lib", site_packages) == {}
    assert how_to_read("lib", "2.0", {}) is None


def test_where_the_line_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    missing = {"bson": "pymongo", "winreg": ""}
    unknown, shipped = how_to_read("lib", "2.0", missing), how_to_read("pandas", "2.0", missing)
    assert unknown == (
        "modules of lib are not read for want of bson, winreg: `apigap library add lib --new 2.0` makes "
        "configs/libraries/lib.yaml; add to it the line `beside: [pymongo]`; no extra of lib names "
        "the package of winreg"
    )
    assert shipped is not None
    assert "pandas.yaml to configs/libraries/pandas.yaml; add to it the line" in shipped
    write_library(LibraryConfig(name="lib", distribution="lib"))
    assert "not read for want of winreg: add to configs/libraries/lib.yaml the line `beside: [PACKAGE]`" in str(
        how_to_read("lib", "2.0", {"winreg": ""})
    )
