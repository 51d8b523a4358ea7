"""The documentation names what there is: files, modules, classes of the design pages, and pages that it links to."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DESIGN = [page for page in PAGES if page.parent.name == "design" and page.stem != "libraries"]
"""The pages on the house; the one on libraries names the classes of others."""
RUN = ("python-api.md", "add-", "test-your-mcp-server.md")
"""Pages whose Python a test runs (tests/test_public_api.py, tests/test_how_to.py), by the beginning of their names."""
SHOWN = ("starter-sample.md", "synthesised-tasks.md")
"""Pages that show the Python of tasks, which gates have run."""
FOLDERS = ("src", "tests", "tools", "bench", "scripts", "docs", "studies", "starter")
OWN = {"configs"}  # a user's own folder may have this name too
ROOMS = sorted({path.parent.name for path in (ROOT / "src" / "apigap").glob("*/__init__.py")} - OWN)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(
    rf"(?<![\w./-])[\w./-]+\.py\b|(?<![\w./-])(?:src|tests|tools|bench|scripts|{'|'.join(ROOMS)})/[\w./-]+"
)
_MODULE = re.compile(r"(?<![\w./-])apigap(?:\.\w+)+")
_CLASS = re.compile(r"(?<![\w.])[A-Z][a-z]+(?:[A-Z]+[a-z]*)*(?![\w.-])")


@cache
def files() -> str:
    """Files and folders of the project, a line each: its path with a slash before and behind it."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts)
    return "\n".join(f"/{path.relative_to(ROOT).as_posix()}/" for path in found)


@cache
def words() -> set[str]:
    """All words of the source code."""
    return {word for path in (ROOT / "src").rglob("*.py") for word in re.findall(r"\w+", path.read_text("utf-8"))}


def is_file(name: str) -> bool:
    """True for a path below the project, or its end; a word in capitals in it stands for any name."""
    if re.search(r"\b[A-Z]{3,}\b", name):
        return True
    return f"/{name.strip('/.')}/" in files()


def is_defined(dotted: str) -> bool:
    """True for a module of the package, and for a name that the last module of a dotted path defines."""
    place, *rest = ROOT / "src", *dotted.split(".")
    while rest and (place / rest[0]).is_dir():
        place /= rest.pop(0)
    if rest and (place / f"{rest[0]}.py").is_file():
        place /= f"{rest.pop(0)}.py"
    if not rest:
        return True
    file = place if place.suffix else place / "__init__.py"
    return file.is_file() and bool(re.search(rf"\b{rest[0]}\b", file.read_text(encoding="utf-8")))


def wrong_names(text: str) -> Iterator[str]:
    for code in _CODE.findall(text):
        yield from (name for name in _FILE.findall(code) if not is_file(name))
        yield from (name for name in _MODULE.findall(code) if not is_defined(name))


def unknown_classes(text: str) -> Iterator[str]:
    for code in _CODE.findall(text):
        yield from (name for name in _CLASS.findall(code) if name not in words())


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page: Path) -> list[str]:
    """The links of a page, outside of blocks of code."""
    return _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))


def broken_links(page: Path) -> Iterator[str]:
    for target in links(page):
        path, _, anchor = target.partition("#")
        if ":" in target:
            continue
        found = page.parent / path if path else page
        if not found.exists() or (anchor and anchor not in anchors(found)):
            yield target


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "how-to"], ids=lambda path: path.name)
def test_files_and_modules_that_a_page_names_exist(page: Path) -> None:
    assert list(wrong_names(page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


@pytest.mark.parametrize("page", DESIGN, ids=lambda path: path.name)
def test_classes_that_a_design_page_names_exist(page: Path) -> None:
    assert list(unknown_classes(page.read_text(encoding="utf-8"))) == []


def test_the_floors_are_those_of_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    block = (ROOT / "docs" / "design" / "index.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    shown = [line.partition("#")[0].strip() for line in block.splitlines()]
    assert shown == [layer.replace("apigap.", "") for layer in layers]


def test_the_makefile_names_files_that_exist_and_lists_its_targets() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"(?<=\s)(?:tests|scripts)/[\w/.-]+", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    phony = re.search(r"^\.PHONY:((?:.*\\\n)*.*)$", text, re.MULTILINE)
    assert phony and set(phony[1].replace("\\", "").split()) == targets
    listed = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in listed.splitlines()} == targets


def test_every_page_is_reached_from_the_index() -> None:
    reached, waiting = set[Path](), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = links(page)
        waiting += [(page.parent / target.partition("#")[0]).resolve() for target in targets if ":" not in target]
    assert [page.name for page in PAGES if page not in reached] == []


def test_a_test_runs_the_python_of_every_page() -> None:
    shown = [page.name for page in PAGES if "\n```python\n" in page.read_text(encoding="utf-8")]
    assert len(shown) > len(SHOWN)
    assert [name for name in shown if not name.startswith((*RUN, *SHOWN))] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`records/store.py` and `src/apigap/records/`", []),
        ("`records/shop.py`", ["records/shop.py"]),
        ("`src/apigap/kitchen`", ["src/apigap/kitchen"]),
        ("`src/apigap/configs/libraries/NAME.yaml`", []),
        ("`apigap.records.store.load_records`", []),
        ("`apigap.records.shop`", ["apigap.records.shop"]),
        ("`apigap.records.store.sell`", ["apigap.records.store.sell"]),
    ],
)
def test_a_name_that_does_not_exist_is_found(text: str, wrong: list[str]) -> None:
    assert list(wrong_names(text)) == wrong


def test_an_unknown_class_is_found() -> None:
    assert list(unknown_classes("`VerdictCache` is no `VerdictShop`")) == ["VerdictShop"]


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n[here](#a-title) [there](#another) [away](gone.md) [web](https://example.org)\n")
    assert list(broken_links(page)) == ["#another", "gone.md"]
