"""The explorer as a person uses it: from files and from the server, by keys and by links, with hostile words in it."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest

from apigap.explorer.dataset import read_dataset
from apigap.explorer.site import write_site
from apigap.records.result import Judged, Result
from apigap.records.store import write_records
from apigap.reporting.local_server import LocalServer
from tests.browser import Browser, needs_browser
from tests.silent import Silent

HOSTILE = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>{{7*7}}\u202e"
ROWS = "document.querySelectorAll('main table.grid tbody tr').length"
HEAD = "document.querySelector('main h1')?.textContent"


@pytest.fixture(scope="module")
def site(starter: Path, ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of two runs of tasks and two of the ladder."""
    found = read_dataset([starter, ladder], draws=200, progress=Silent())
    return write_site(found, tmp_path_factory.mktemp("pages"), Silent())


@pytest.fixture
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found
        assert found.problems == [], "no page has an error, and its policy refuses nothing of its own"


@needs_browser
def test_from_the_first_page_to_an_answer(site: Path, browser: Browser) -> None:
    browser.open(site.as_uri())
    assert browser.wait(HEAD) == "What models know of new APIs"
    tiles = browser.wait("[...document.querySelectorAll('dl.tiles dd')].map(one => one.textContent)")
    assert tiles == ["4", "17", "106", "516"]
    page = browser.page
    page.get_by_label("knowledge given").select_option(label="signature + example")
    browser.wait("location.hash.includes('condition=oracle.s_e')")
    page.get_by_role("link", name="APIs", exact=True).click()
    browser.wait(f"{ROWS} === 25")
    page.get_by_role("searchbox").fill("trim_zeros")
    browser.wait(f"{ROWS} === 1")
    page.locator("main tbody a").first.click()
    browser.wait(f"{HEAD} === 'numpy.trim_zeros'")
    assert "It is changed" in page.locator("main").inner_text()
    page.get_by_label("knowledge given").select_option(label="signature")
    browser.wait("document.querySelectorAll('article.answer').length === 2")
    assert "numpy.trim_zeros" in page.locator("article.answer .reason").first.inner_text()
    assert "trim_zeros" in page.locator("figure.good pre").inner_text()
    page.locator("article.answer h4 a").first.click()
    browser.wait(f"{HEAD}.startsWith('gguf/qwen2.5-coder')")


@needs_browser
def test_filters_are_in_the_address_and_come_back(site: Path, browser: Browser) -> None:
    address = f"{site.as_uri()}#/apis?library=django&rung={quote('task: passes')}&condition=oracle.s&sort=worst"
    browser.open("about:blank")
    browser.open(address)
    browser.wait(f"{ROWS} === 8")
    page = browser.page
    assert page.get_by_label("library").input_value() == "django"
    assert page.get_by_label("order").input_value() == "worst"
    page.get_by_label("how it fails").select_option("WrongParam")
    browser.wait(f"{ROWS} < 8")
    few, told = browser.run(ROWS), page.url
    assert "label=WrongParam" in told
    browser.open("about:blank")
    browser.open(told)
    browser.wait(f"{ROWS} === {few}")
    assert page.get_by_label("how it fails").input_value() == "WrongParam"


@needs_browser
def test_the_figures_of_a_page_are_those_of_the_data(site: Path, browser: Browser) -> None:
    """The comparison of both models with a signature, as the table to take along has it."""
    rows = json.loads((site.parent / "downloads" / "comparisons.json").read_text())
    (row,) = [
        one for one in rows
        if (one["kind"], one["rung"], one["condition"]) == ("models", "task: passes", "oracle.s")
    ]  # fmt: skip
    browser.open("about:blank")
    browser.open(f"{site.as_uri()}#/compare?condition=oracle.s")
    cells = browser.wait("[...document.querySelectorAll('main tbody tr td')].map(one => one.textContent)")
    assert cells[:2] == [f"{100 * row[side]:.0f} %" for side in ("before", "after")]
    assert cells[2] == f"{100 * row['difference']:+.1f}".removesuffix(".0").replace("-", "−")


@needs_browser
def test_a_page_says_what_is_not_there(site: Path, browser: Browser) -> None:
    for path, words in (("api/numpy/nothing", "No such API"), ("model/nobody", "No such model")):
        browser.open("about:blank")
        browser.open(f"{site.as_uri()}#/{path}")
        assert browser.wait(HEAD) == words


PAGES = ("", "apis", "apis?rung=signature%3A%20choice", "api/numpy/numpy.trim_zeros", "api/lib/lib.b?all=1", "models",
         "model/gguf%2Fdated", "model/gguf%2Fqwen2.5-coder-1.5b", "compare?kind=knowledge", "downloads")  # fmt: skip


@needs_browser
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_no_page_has_a_serious_finding_of_axe_or_is_wider_than_the_window(site: Path, width: int, scheme) -> None:
    with Browser(width, 900, scheme) as browser:
        for path in PAGES:
            browser.open("about:blank")
            browser.open(f"{site.as_uri()}#/{path}")
            browser.wait(f"{HEAD} && !document.querySelector('.waiting')")
            assert browser.found_by_axe() == [], path
            assert browser.run("document.documentElement.scrollWidth") <= width, path
        assert browser.problems == []


@needs_browser
def test_words_of_models_and_libraries_stay_words(tmp_path: Path) -> None:
    result = Result.model_validate(
        {
            "task_id": HOSTILE, "sample": 0, "outcome": "fail", "passed": False, "score": 0.0, "label": "WrongLogic",
            "detail": {"why": HOSTILE, "differences": [{"path": HOSTILE, "expected": HOSTILE, "observed": HOSTILE}]},
            "evaluator": HOSTILE, "seconds": 0.0, "judged": Judged.of(HOSTILE), "about": HOSTILE, "part": HOSTILE,
        }
    )  # fmt: skip
    write_records(tmp_path / "run" / "model.results.jsonl", [result])
    index = write_site(read_dataset([tmp_path / "run"], progress=Silent()), tmp_path / "site", Silent())
    with Browser() as browser:
        browser.open(index.as_uri())
        browser.wait(HEAD)
        for link in ("APIs", "Models", "Compare"):
            browser.page.get_by_role("link", name=link, exact=True).click()
            browser.wait(f"{HEAD}?.startsWith('{link[:4]}')")
        browser.page.get_by_role("link", name="APIs", exact=True).click()
        browser.page.locator("main tbody a").first.click()
        shown = browser.wait("document.querySelector('article.answer pre')?.textContent")
        assert shown == HOSTILE.replace("\u202e", "\\u202e")
        assert browser.run("document.images.length + document.querySelectorAll('main script').length") == 0
        assert "taken" not in (title := browser.run("document.title")).replace(HOSTILE[:90], "") or "<img" in title
        assert browser.problems == []


@contextmanager
def serving(folder: Path) -> Iterator[LocalServer]:
    """A folder behind a server in another thread, which is stopped in the end."""
    with LocalServer(folder, (), 0) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


@needs_browser
def test_the_server_shows_the_same_to_who_knows_its_address(site: Path) -> None:
    with serving(site.parent) as server, Browser() as browser:
        assert httpx2.get(server.page).status_code == 200
        assert httpx2.get(f"{server.address}index.html").status_code == 404
        assert httpx2.get(f"{server.address}data/index.js").status_code == 404
        assert httpx2.get(server.page, headers={"Host": "example.org"}).status_code == 403
        browser.open(server.page)
        assert browser.wait(HEAD) == "What models know of new APIs"
        assert browser.problems == []


def test_the_commands_write_pages_and_say_what_is_next(starter: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "apigap.cli.main", "site", str(starter), "--draws", "50", "--json"]
    told = json.loads(subprocess.check_output([*command, "--out", str(tmp_path / "pages")], text=True))
    assert (told["libraries"], told["apis"], told["answers"], told["missing"]) == (16, 100, 420, [])
    assert Path(told["page"]).is_file()
    empty = [*command[:4], str(tmp_path / "pages"), "--out", str(tmp_path / "x")]
    refused = subprocess.run(empty, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "holds no results" in refused.stderr


def test_the_view_of_written_pages_is_there_at_once_and_ends_by_an_interrupt(site: Path) -> None:
    command = [sys.executable, "-c", "from apigap.cli.main import main; main()", "view", str(site.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[4]
        assert httpx2.get(f"{address}data/index.js").text.startswith('apigapData("index",')
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert "Traceback" not in told
