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

from apigap.models.spending.cell_cost import CellCost
from apigap.records.errors import UsageError
from apigap.reporting.model import AuditReport, Condition, SampleEntry
from apigap.reporting.render import render_report
from tests.reporting.sample_ladder import ladder
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


def test_every_condition_has_its_row_in_what_the_answers_took(plain: str) -> None:
    report = sample_report()
    first, *others = report.conditions
    report.costs[first.name] = CellCost(answers=3, input_tokens=1200, output_tokens=40)
    table = render_report(report).partition("what the answers took")[2].partition("</table>")[0]
    rows = [
        re.findall(r"<t[hd][^>]*>(?:<[^>]*>)*([^<]*)", row) for row in table.partition("<tbody>")[2].split("<tr>")[1:]
    ]
    assert [row[1:] for row in rows] == [["3", "1,200", "40", "-", "-", "-"], *(["-"] * 6 for _ in others)]
    assert "what the answers took" not in plain


def test_the_finding_is_told_first(plain: str) -> None:
    words = " ".join("".join(Page(plain).words).split())
    solved = "qwen2.5-coder-0.5b passed 3 without knowledge, 19 with full bundle."
    assert f"Of 30 tasks that were asked, {solved}" in words
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
    page = render_report(report)
    assert "qwen2.5-coder-0.5b was asked no task." in page
    assert "C3 was not run" in page  # the reasons are told where the tasks would be
    assert 'id="answers"' not in page


def test_the_ladder_stands_first_and_every_mark_leads_to_its_questions() -> None:
    report = sample_report().model_copy(update={"ladder": ladder()})
    page = Page(render_report(report))
    words = " ".join("".join(page.words).split())
    assert words.index("The ladder: what it knows") < words.index("Tasks: what helps")
    for text in (
        "Of the 2 APIs of lib 2 that matter most",
        "+100 points",
        "none: a reading check",
        "(d, c)",
        "50 %",
        "no task: no task could be made of it",
        "it gained no parameter",
        "4 single questions in 12 s",
    ):
        assert text in words  # fmt: skip
    anchors = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(anchors) == len(set(anchors)) and {"l1", "l2"} <= set(anchors)
    links = {attributes.get("href") or "" for tag, attributes in page.elements if tag == "a"}
    assert {link[1:] for link in links} <= set(anchors)
    assert page.tags().count("svg") == 3


def test_how_alike_new_and_old_apis_are_is_a_table() -> None:
    page = render_report(sample_report().model_copy(update={"ladder": ladder()}))
    rows = re.findall(r"<tr><th scope=\"row\">lib</th>(.*?)</tr>", page)
    assert [re.findall("<td>(.*?)</td>", row) for row in rows[:2]] == [
        ["docstring (log of its length)", "5.00", "4.00", "+0.60, large"],
        ["dots in the name", "2.00", "1.00", "no measure, large"],
    ]


def test_hostile_text_in_the_ladder_changes_no_element() -> None:
    def page_of(hostile: str) -> Page:
        return Page(render_report(sample_report().model_copy(update={"ladder": ladder(hostile=hostile)})))

    assert page_of(HOSTILE).tags() == page_of("").tags()
    assert not any(name.startswith("on") for _, attributes in page_of(HOSTILE).elements for name in attributes)
    assert "{{ 7 * 7 }}" in "".join(page_of(HOSTILE).words)


def test_a_ladder_that_was_not_asked_says_why() -> None:
    empty = ladder().model_copy(
        update={"measures": (), "apis": (), "questions": (), "knowledge": (), "losses": (), "notes": ("nothing new",)}
    )
    page = render_report(sample_report().model_copy(update={"ladder": empty, "samples": (), "tasks": ()}))
    words = " ".join("".join(Page(page).words).split())
    assert "No single question was put to qwen2.5-coder-0.5b about lib 2." in words
    assert "nothing new" in words


def test_a_report_from_before_the_ladder_is_read() -> None:
    former = sample_report().model_dump(mode="json")
    del former["ladder"]
    assert AuditReport.model_validate(former).ladder is None


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
