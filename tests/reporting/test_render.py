"""The page: what it shows, that it stands alone, and that nothing a model wrote can act in it."""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from apigap.records.errors import UsageError
from apigap.reporting.model import AuditReport, Condition, SampleEntry
from apigap.reporting.render import render_report
from tests.reporting.sample_report import CONDITIONS, sample_report

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
    "</textarea></style></title></pre>{{ 7 * 7 }}<!-- ]]> &lt;b&gt; \" onmouseover=\"document.title='owned' "
    "$x_1^2$ \x00\x1b[31m\u202e\ud800 <svg onload=document.title='owned'>"
)


class Page(HTMLParser):
    """Elements with their attributes, and the text outside of script and style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.blocks: dict[str, list[str]] = {"script": [], "style": []}
        self._inside: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag if tag in self.blocks else None

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        (self.blocks[self._inside] if self._inside else self.words).append(data)

    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]


@pytest.fixture(scope="module")
def plain() -> str:
    return render_report(sample_report())


@pytest.fixture(scope="module")
def hostile() -> str:
    return render_report(sample_report(hostile=HOSTILE))


def test_the_finding_is_told_first(plain: str) -> None:
    words = " ".join("".join(Page(plain).words).split())
    assert "qwen2.5-coder-0.5b cannot use 22 of 25 new or changed APIs; signature + example cures 17." in words
    for text in ("not run", "12 × solved without any knowledge", "9f2c4be1a07d5533", "bubblewrap", "2.9.2 → 2.13.3"):
        assert text in words


def test_every_sample_can_be_reached(plain: str) -> None:
    page, report = Page(plain), sample_report()
    anchors = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert {link[1:] for link in links if link} <= set(anchors)
    samples = [anchor for anchor in anchors if anchor and "-c" in anchor]
    assert len(samples) == len(report.samples)
    assert plain.count('<details class="prompt">') == len(report.samples)


def test_the_same_input_gives_the_same_bytes(plain: str) -> None:
    program = (
        "from tests.reporting.sample_report import sample_report as s\n"
        "from apigap.reporting.render import render_report as r\nimport hashlib\n"
        "print(hashlib.sha256(r(s()).encode()).hexdigest())"
    )
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert other.strip() == hashlib.sha256(plain.encode()).hexdigest()


def test_nothing_is_loaded_from_elsewhere(plain: str) -> None:
    for tag, attributes in Page(plain).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes and "style" not in attributes
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "url(http" not in plain and "@import" not in plain


def test_the_policy_allows_exactly_our_script_and_style(plain: str) -> None:
    page = Page(plain)
    policy = next(a["content"] or "" for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    for name, blocks in page.blocks.items():
        text = "".join(blocks)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert page.tags().count(name) == 1 and f"{name}-src 'sha256-{digest}'" in policy


def test_hostile_text_changes_no_element(plain: str, hostile: str) -> None:
    assert Page(hostile).tags() == Page(plain).tags()
    for _, attributes in Page(hostile).elements:
        assert not any(name.startswith("on") for name in attributes)
    assert "49" not in re.sub(r"\{\{ 7 \* 7 \}\}", "", "".join(Page(hostile).words)).split("{{")[0][-40:]
    assert "{{ 7 * 7 }}" in "".join(Page(hostile).words)


def test_hostile_text_is_shown_as_it_is_written(hostile: str) -> None:
    words = "".join(Page(hostile).words)
    assert "</script><script>document.title='owned'</script>" in words
    assert "\\x00\\x1b[31m\\u202e\\ud800" in words
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\ud800-\udfff]", hostile)
    hostile.encode("utf-8")


def test_hostile_names_reach_the_figures_as_text() -> None:
    report = sample_report()
    titled = tuple(c.model_copy(update={"title": f"{c.title} </svg>{HOSTILE}"}) for c in report.conditions)
    page = Page(render_report(report.model_copy(update={"conditions": titled, "model": HOSTILE})))
    assert page.tags() == [tag for tag in page.tags() if tag not in ("img", "textarea")]
    assert page.tags().count("script") == 1 and page.tags().count("svg") == 2


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_a_browser_runs_our_script_and_nothing_else(tmp_path: Path, hostile: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(hostile, encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    dom = subprocess.run([*command, path.as_uri() + "#t1-c0"], capture_output=True, text=True, timeout=600).stdout
    page = Page(dom)
    assert "<title>apigap audit of pydantic" in dom and "<title>owned" not in dom
    assert ">25 APIs</output>" in dom  # our script ran
    opened = {a["id"] for tag, a in page.elements if tag == "details" and "open" in a and a.get("id")}
    assert opened == {"t1", "t1-c0"}


def test_a_report_of_180_answers_stays_small(plain: str) -> None:
    assert len(plain.encode()) < 1_000_000


def test_endless_answers_are_cut_in_the_middle() -> None:
    report = sample_report()
    long = tuple(s.model_copy(update={"answer": "a" * 10_000_000 + "the end"}) for s in report.samples[:3])
    text = render_report(report.model_copy(update={"samples": long}))
    assert len(text) < 600_000 and "characters left out" in text and "the end" in text


def test_an_empty_report_is_still_a_page() -> None:
    report = sample_report().model_copy(update={"samples": (), "tasks": ()})
    assert "No answer of qwen2.5-coder-0.5b could be judged." in render_report(report)


def test_unknown_names_are_refused() -> None:
    sample = SampleEntry(condition="s", task_id="x", sample=0, outcome="pass", prompt="", answer="", code="")
    base = {"title": "t", "model": "m", "libraries": (), "tasks": (), "isolation": "", "evaluator": ""}
    with pytest.raises(UsageError, match="names a task or a condition"):
        AuditReport(**base, conditions=CONDITIONS, samples=(sample,))
    with pytest.raises(UsageError, match="no condition"):
        AuditReport(**base, conditions=(), samples=())
    assert AuditReport(**base, conditions=(Condition(name="baseline", title="nothing"),), samples=())


def test_importing_the_room_is_light() -> None:
    program = "import sys, apigap.reporting.render as _\nprint(*(m for m in sys.modules if '.' not in m))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "jinja2", "scipy", "inspect_ai"} & set(loaded)
