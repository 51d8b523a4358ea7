"""A release: archives hold the commit and nothing else, and what is told of it elsewhere is true of it."""

import io
import re
import subprocess
import tarfile
import zipfile
from importlib.metadata import Distribution
from pathlib import Path

import pytest
import uv
import yaml
from tools.release.card import CARD, card, card_text
from tools.release.contents import source_problems, wheel_problems
from tools.release.dist import tag_problems, version_of
from tools.release.licences import PAGE, licence_of, locked

from apigap.version import __version__

ROOT = Path(__file__).parents[2]
TRACKED = ["src/apigap/__init__.py", "src/apigap/starter/a.jsonl", "README.md"]
INFO = "apigap-1.0.dist-info/"
METADATA = (
    "Name: apigap\nVersion: 1.0\nLicense-Expression: Apache-2.0\nRequires-Python: >=3.11\nRequires-Dist: rich>=13\n"
)
WHEEL = {
    "apigap/__init__.py": "", "apigap/starter/a.jsonl": "{}", f"{INFO}METADATA": METADATA, f"{INFO}WHEEL": "",
    f"{INFO}RECORD": "", f"{INFO}entry_points.txt": "", f"{INFO}licenses/LICENSE": "",
}  # fmt: skip
CLASSIFIER = "Classifier: License :: OSI Approved :: "
SOURCE = {"apigap-1.0/PKG-INFO": "", **{f"apigap-1.0/{name}": "" for name in TRACKED}}


def wheel_of(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "apigap-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def source_of(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "apigap-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def without(files: dict[str, str], name: str) -> dict[str, str]:
    return {key: text for key, text in files.items() if key != name}


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (WHEEL, []),
        (without(WHEEL, "apigap/starter/a.jsonl"), ["apigap/starter/a.jsonl is missing"]),
        ({**WHEEL, "tests/x.py": ""}, ["tests/x.py does not belong there"]),
        ({**WHEEL, "apigap/.env": ""}, ["apigap/.env does not belong there"]),
        (without(WHEEL, f"{INFO}licenses/LICENSE"), ["licenses/LICENSE is missing"]),
        ({**WHEEL, f"{INFO}METADATA": METADATA.replace("1.0", "1.1")}, ["its metadata has Version '1.1', not '1.0'"]),
        ({**WHEEL, f"{INFO}METADATA": f"{METADATA}Requires-Dist: x @ file:///x\n"}, ["it needs x @ file:///x"]),
    ],
)
def test_a_wheel_holds_the_package_and_nothing_else(files: dict[str, str], told: list[str], tmp_path: Path) -> None:
    found = wheel_problems(wheel_of(tmp_path, files), TRACKED, "1.0")
    assert len(found) == len(told)
    assert all(words in problem for words, problem in zip(told, found, strict=True))


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (SOURCE, []),
        (without(SOURCE, "apigap-1.0/README.md"), ["README.md is missing"]),
        ({**SOURCE, "apigap-1.0/notes.txt": ""}, ["notes.txt does not belong there"]),
        ({**SOURCE, "elsewhere": ""}, ["elsewhere is not in apigap-1.0/", "elsewhere does not belong there"]),
    ],
)
def test_a_source_archive_holds_the_commit(files: dict[str, str], told: list[str], tmp_path: Path) -> None:
    assert source_problems(source_of(tmp_path, files), TRACKED, "1.0") == told


@pytest.mark.network
def test_the_wheel_of_this_checkout_holds_what_it_must(tmp_path: Path) -> None:
    subprocess.run([uv.find_uv_bin(), "build", "--quiet", "--wheel", "--out-dir", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src"]
    tracked = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert wheel_problems(wheel, [name for name in tracked if (ROOT / name).exists()], __version__) == []


@pytest.mark.parametrize(
    ("tags", "problems"), [([], 0), (["v1.0"], 0), (["v1.1"], 1), (["kept", "v1.0"], 0), (["v1.0", "v1.0.1"], 1)]
)
def test_a_tag_of_a_release_is_its_version(tags: list[str], problems: int) -> None:
    assert len(tag_problems(tags, "1.0")) == problems


def test_the_version_is_told_alike_everywhere() -> None:
    assert version_of((ROOT / "src" / "apigap" / "version.py").read_text()) == __version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == __version__
    assert re.search(r"^## (\S+?),", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == __version__  # type: ignore[index]
    assert card()["version"] == __version__


def test_the_data_card_is_that_of_the_tasks() -> None:
    assert CARD.read_text() == card_text(), "run: python -m tools.release.card"
    names = {field["name"] for records in card()["recordSet"] for field in records["field"]}
    assert {"task_id", "description", "masked_region", "context_code"} <= names
    for file in card()["distribution"]:
        assert (CARD.parent / file["contentUrl"]).is_file()


def test_the_page_of_licences_names_what_is_locked() -> None:
    page = PAGE.read_text()
    missing = [f"{name} {version}" for name, version in locked().items() if f" {name} {version}" not in page]
    assert missing == [], "run: python -m tools.release.licences"


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: MIT OR Apache-2.0\nLicense: other", "MIT OR Apache-2.0"),
        (f"{CLASSIFIER}MIT License\nLicense: see file", "MIT"),
        (f"{CLASSIFIER}BSD License\n{CLASSIFIER}MIT License", "BSD or MIT"),
        ("License: Apache 2.0", "Apache-2.0"),
        (f"License: {'a long text ' * 20}", "not told"),
        ("Classifier: Topic :: Games", "not told"),
    ],
)  # fmt: skip
def test_a_licence_is_read_from_what_a_package_says(metadata: str, licence: str, tmp_path: Path) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: x\nVersion: 1\n{metadata}\n")
    assert licence_of(Distribution.at(tmp_path)) == licence


FROM_INDEX = re.compile(
    r"(?:pip|pipx|uv tool|uv pip) install (?:-\S+ )*['\"]?apigap(?:\[[\w,]*\])?(?=['\"`\s,;)]|==|$)(?!\[?[\w,]*\]? @)"
    r"|uv add ['\"]?apigap|uvx apigap|pypi\.org/project/apigap",
    re.MULTILINE,
)
"""Words that would fetch this project by its name from an index, where somebody else may have taken it."""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("run: pip install apigap", True),
        ("`pip install 'apigap[ray]'` on every", True),
        ("uvx apigap demo", True),
        ("pip install --quiet apigap==0.2.0", True),
        ("pip install 'apigap[mcp] @ file:///x.whl'", False),
        ("pip install '.[ray]'", False),
        ("uv pip install --quiet apigap-novel", False),
    ],
)
def test_words_that_would_install_from_the_index_are_found(text: str, found: bool) -> None:
    assert bool(FROM_INDEX.search(text)) == found


def test_nobody_is_told_to_install_from_the_index_before_it_is_there() -> None:
    """Once the name is there this test goes, and `records/extras.py` names it."""
    kinds = (
        "*.md",
        "src/**/*.py",
        "src/**/*.html",
        "src/**/*.yaml",
        "docs/**/*",
        "scripts/*",
        "tools/**/*.py",
        "*.yml",
    )
    files = {path for kind in kinds for path in ROOT.glob(kind) if path.is_file()}
    assert len(files) > 500
    told = {}
    for path in files | {ROOT / "Makefile"}:
        text = path.read_bytes().decode("utf-8", "ignore")
        if found := FROM_INDEX.search(text):
            told[str(path.relative_to(ROOT))] = found[0]
    assert told == {}
