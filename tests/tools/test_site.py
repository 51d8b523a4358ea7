"""The site: its pages are where its navigation and their links say, and the reference has all that there is."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Literal

import pytest
from tools.site.layout import lay_out
from tools.site.links import ROOT, place_of, rewritten
from tools.site.navigation import problems

import apigap
from tests.browser import Browser, needs_browser
from tests.cli.commands import every_command, options_of

FOUND = """[...document.body.children].some(element => element.shadowRoot &&
    [...element.shadowRoot.querySelectorAll("a")].some(link => link.href.includes("isolation.html?h=bubblewrap")))"""
"""A result of the search that leads to a page."""
PAGE = PurePosixPath("docs/design/sandbox.md")
needs_builder = pytest.mark.skipif(find_spec("zensical") is None, reason="needs zensical (make install-dev)")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def site(pages: Path) -> Path:
    """The site as `make docs` builds it, from pages beside it."""
    root = pages.parent
    text = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    text = text.replace('docs_dir = "build/pages"', 'docs_dir = "pages"').replace(
        'paths = ["src"]', f'paths = ["{ROOT / "src"}"]'
    )
    (root / "zensical.toml").write_text(text)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    built = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return root / "site"


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("docs/ladder.md", "ladder.md"),
        ("docs/images/scale.png", "images/scale.png"),
        ("README.md", "index.md"),
        ("CHANGELOG.md", "project/CHANGELOG.md"),
        ("src/apigap/configs/base.yaml", "project/src/apigap/configs/base.yaml.txt"),
    ],
)
def test_a_file_has_its_place(file: str, place: str) -> None:
    assert place_of(PurePosixPath(file)) == PurePosixPath(place)


@pytest.mark.parametrize(
    ("written", "there"),
    [
        ("[a](../isolation.md#what)", "[a](../isolation.md#what)"),
        ("![a](../images/scale.png)", "![a](../images/scale.png)"),
        ("[a](../../README.md)", "[a](../index.md)"),
        ("[a](../../CHANGELOG.md)", "[a](../project/CHANGELOG.md)"),
        ("[a](../../tools/kept.py)", "[a](../project/tools/kept.py.txt)"),
        ("[a](#here) [b](https://example.org/c)", "[a](#here) [b](https://example.org/c)"),
        ("```\n[a](../../README.md)\n```\n", "```\n[a](../../README.md)\n```\n"),
    ],
)
def test_a_link_leads_to_the_place_on_the_site(written: str, there: str) -> None:
    assert rewritten(PAGE, written) == there


def test_every_page_is_in_the_navigation_once(pages: Path) -> None:
    assert problems(pages) == []


def test_a_page_in_no_navigation_is_found_and_one_that_is_gone(pages: Path, tmp_path: Path) -> None:
    shutil.copytree(pages, tmp_path / "pages")
    (tmp_path / "pages" / "ladder.md").rename(tmp_path / "pages" / "lader.md")
    gone, new = problems(tmp_path / "pages")
    assert gone.startswith("ladder.md is in the navigation") and new.startswith("lader.md is in no navigation")


def test_the_reference_has_every_command_and_option(pages: Path) -> None:
    text = "\n".join(path.read_text() for path in (pages / "reference" / "commands").glob("*.md"))
    parts = {part.partition("\n")[0]: part for part in re.split(r"^#+ apigap ", text, flags=re.MULTILINE)[1:]}
    commands = dict(every_command())
    assert set(commands) <= set(parts)
    flags = [(words, flag) for words, command in commands.items() for one in options_of(command) for flag in one.opts]
    assert [(words, flag) for words, flag in flags if flag != "--help" and f"`{flag}`" not in parts[words]] == []


def test_the_reference_says_what_the_help_says(pages: Path) -> None:
    text = "\n".join(path.read_text() for path in (pages / "reference" / "commands").glob("*.md"))
    for words, command in every_command():
        context = command.context_class(command)
        assert f"\napigap {words} {' '.join(command.collect_usage_pieces(context))}\n" in text
    assert "Default: ``" not in text and "repeatable" not in text
    assert "| Share of the queries to measure on. Default: `0.333`. From 0 to 1. |" in text
    assert "| `RESULTS...` | path | Results of `apigap score items`, a file for each model. **Required.** |" in text


def test_the_reference_has_every_public_name(pages: Path) -> None:
    named = re.findall(r"^::: [\w.]+\.(\w+)$", (pages / "reference" / "python.md").read_text(), re.MULTILINE)
    assert set(apigap.__all__) <= set(named)
    assert {"Outcome", "Discovery", "StageRun", "Predicted", "Scored", "Calibration", "Compared"} <= set(named)
    assert len(named) == len(set(named))


def loaded(site: Path) -> Iterator[str]:
    """The addresses elsewhere that pages have a browser load."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        yield from re.findall(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=[\"']?((?:https?:)?//[^\"'>\s]+)", text)


@needs_builder
def test_what_a_function_returns_is_told_in_one_piece(site: Path) -> None:
    text = re.sub(r"(?:<[^>]+>|\s)+", " ", (site / "reference" / "python.html").read_text())
    told = re.findall(r"Returns: (.*?) Raises:", text)
    assert len(told) >= 9
    assert [each for each in told if each.count(" – ") != 1] == []


@needs_builder
def test_the_site_builds_and_loads_nothing_from_elsewhere(site: Path) -> None:
    assert (site / "index.html").exists()
    assert list(loaded(site)) == []


@needs_builder
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_narrow_screen_and_search_works_from_a_disk(site: Path, scheme: Literal["light", "dark"]) -> None:
    with Browser(390, 844, scheme) as browser:
        for page in ("discovery-table", "reference/commands/everyday", "reference/python", "index"):
            browser.open((site / f"{page}.html").as_uri())
            browser.wait("document.querySelector('h1').innerText")
            assert browser.run("document.documentElement.scrollWidth") <= 390, page
            assert browser.found_by_axe() == [], page
        browser.run("document.querySelector('.md-search__button').click()")
        browser.page.keyboard.insert_text("bubblewrap")
        browser.wait(FOUND)
        assert browser.problems == []


BROKEN = """[...document.querySelectorAll("article :not(pre) > code")].flatMap(code => {
    const rows = document.createRange(), found = [];
    const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        for (const option of text.data.matchAll(/--[a-z]+/g)) {
            rows.setStart(text, option.index);
            rows.setEnd(text, option.index + option[0].length);
            if (rows.getClientRects().length > 1) found.push(option[0]);
        }
    }
    return found;
})"""
"""The options in lines of text that are on two lines."""


@needs_builder
@needs_browser
def test_an_option_in_a_line_stays_whole_and_is_copied_as_it_is_written(site: Path) -> None:
    words = "[...document.querySelectorAll('article :not(pre) > code')].map(code => code.textContent)"
    page = (site / "commands.html").as_uri()
    with Browser(360, 800, scripts=False) as browser:
        browser.open(page)
        written, broken = browser.run(words), browser.run(BROKEN)
    assert broken, "the page would be whole without being mended"
    with Browser(360, 800) as browser:
        browser.open(page)
        assert (browser.run(words), browser.run(BROKEN), browser.problems) == (written, [], [])
