"""What closes a gap: pages for tools that write code, a tuning set, a server; and an experiment's own report."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apigap.analysis.experiment_report import experiment_report
from apigap.exports.gap_export import KnowledgeGap, gap_tasks, read_gap, write_llms, write_tuning_set
from apigap.exports.llms_reader import LlmsPages
from apigap.exports.publishable import tasks_passed_on
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import Exemplar, KnowledgeBundle, Licence
from apigap.records.store import write_records
from apigap.reporting.api_pages import api_pages
from apigap.reporting.render import render_report
from tests.analysis.test_analysis import TASKS, fill
from tests.exports.test_publishable import of_licence
from tests.knowledge.test_conditions import bundle

APIGAP = [sys.executable, "-m", "apigap.cli.main"]
NEEDS = {"lib.api0": "open", "lib.api1": "cured", "lib.api2": "known", "lib.unasked": "unknown"}


def bundle_of(api: str, word: str) -> KnowledgeBundle:
    surface = bundle().surface.model_copy(update={"s_name": api})
    example = Exemplar(code=f"{word}('A b')", status="executed", source="docs")
    return bundle(api_name=api, surface=surface, exemplars=(example,), old_version="1")


BUNDLES = [bundle_of("lib.api0", "zero"), bundle_of("lib.api1", "one"), bundle_of("lib.api2", "two")]
UNASKED = bundle_of("lib.unasked", "fold the sky")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two tasks an API: api0 fails throughout, a signature cures api1, and api2 needs nothing."""
    root = tmp_path / "data"
    write_records(root / "raw" / "lib" / "stage3_tasks.m-x.jsonl", TASKS)
    write_records(root / "raw" / "lib" / "stage2_knowledge.m-x.jsonl", [*BUNDLES, UNASKED])
    fill(root, "baseline", "wwwwpp")
    fill(root, "oracle.s", "ffpppp")
    return root


def test_an_experiment_has_the_report_of_an_audit(data: Path) -> None:
    report = experiment_report(data, "x")
    assert [(c.name, c.title) for c in report.conditions] == [("baseline", "no knowledge"), ("oracle.s", "signature")]
    assert (report.model, len(report.tasks), len(report.samples)) == ("m-x", 6, 12)
    assert report.notes == ("These answers are kept without their prompts: of several cures the first one of the table "
                            "is named.",)  # fmt: skip
    page = render_report(report)
    assert "Of 6 tasks that were asked, m-x passed 2 without" in page
    assert 'id="funnel"' not in page
    assert "<summary>Prompt</summary>" not in page


def test_a_report_needs_a_baseline(tmp_path: Path) -> None:
    write_records(tmp_path / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(tmp_path, "oracle.s", "ff")
    with pytest.raises(UsageError, match=r"no verdicts on its baseline.*--cells baseline --steps run eval"):
        experiment_report(tmp_path, "x")


def test_what_a_model_lacks_comes_first_with_what_cured_it(data: Path, tmp_path: Path) -> None:
    gap = read_gap(data, "x", (), ())
    pages = {page.api_name: page for page in api_pages(gap.bundles, gap.report)}
    assert {name: page.need for name, page in pages.items()} == NEEDS
    assert list(pages) == ["lib.api1", "lib.api0", "lib.unasked", "lib.api2"]
    assert pages["lib.api1"].note == "changed function; signature is enough"
    assert "Parameters:" in pages["lib.api1"].text
    assert "one('A b')" not in pages["lib.api1"].text
    assert "zero('A b')" in pages["lib.api0"].text
    assert write_llms(tmp_path, gap.bundles, gap.report) == {
        "apis": 4, "cured": 1, "open": 1, "unknown": 1, "known": 1,
    }  # fmt: skip
    index, whole = (tmp_path / name for name in ("llms.txt", "llms-full.txt"))
    sections = [line for line in index.read_text().splitlines() if line.startswith(("#", "- "))]
    assert sections == [
        "# lib 2: new and changed APIs",
        "## What m-x cannot use without help",
        "- [lib.api1](apis/lib.api1.md): changed function; signature is enough",
        "- [lib.api0](apis/lib.api0.md): changed function; nothing that was tried is enough",
        "## New and changed APIs",
        "- [lib.unasked](apis/lib.unasked.md): changed function",
        "## Optional",
        "- [lib.api2](apis/lib.api2.md): changed function",
    ]
    assert "two('A b')" not in whole.read_text()
    assert "zero('A b')" in whole.read_text()


def test_a_tuning_set_has_the_tasks_that_the_model_lacks(data: Path, tmp_path: Path) -> None:
    gap = read_gap(data, "x", (), ())
    out = tmp_path / "sft.jsonl"
    counts = write_tuning_set(out, gap.tasks, gap.bundles, "baseline", load_settings().generation)
    assert counts == {"examples": 4, "apis": 2}
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["api_name"] for row in rows} == {"lib.api0", "lib.api1"}
    assert rows[0]["messages"][1] == {"role": "assistant", "content": "```python\ny = x + 1\n```"}
    assert all("Parameters:" not in row["messages"][0]["content"] for row in rows)
    assert gap.report is not None
    assert gap_tasks(TASKS[4:6], gap.report) == []


GOING = [
    ("permissive", "synthesised", "full", True),
    ("copyleft", "written", "baseline", True),
    ("copyleft", "written", "s", False),
    ("copyleft", "synthesised", "baseline", False),
    ("unknown", "synthesised", "baseline", False),
]


@pytest.mark.parametrize(("kind", "author", "condition", "goes"), GOING)
def test_a_task_goes_where_its_bundle_goes(kind: str, author: str, condition: str, goes: bool) -> None:
    task = TASKS[0].model_copy(update={"author": author})
    licensed = of_licence(kind, "X").model_copy(update={"api_name": task.api_name})
    assert tasks_passed_on([task], [licensed], condition, leave_excerpts_out=True) == ([task] if goes else [])
    if goes:
        assert tasks_passed_on([task], [licensed], condition, leave_excerpts_out=False) == [task]
    else:
        with pytest.raises(UsageError, match=r"not to leave this machine.*--leave-excerpts-out"):
            tasks_passed_on([task], [licensed], condition, leave_excerpts_out=False)


def test_without_an_experiment_all_that_is_given_is_told(data: Path, tmp_path: Path) -> None:
    knowledge = data / "raw" / "lib" / "stage2_knowledge.m-x.jsonl"
    assert read_gap(data, None, [knowledge], []) == KnowledgeGap([*BUNDLES, UNASKED], None, [])
    assert write_llms(tmp_path, [UNASKED]) == {"apis": 1, "unknown": 1}
    assert "cannot use" not in (tmp_path / "llms.txt").read_text()
    with pytest.raises(UsageError, match="--experiment NAME, or --knowledge FILE"):
        read_gap(data, None, [], [])


def test_a_page_of_any_name_stays_in_its_folder(tmp_path: Path) -> None:
    write_llms(tmp_path / "out", [bundle(api_name="../../escaped")])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert LlmsPages(tmp_path / "out").read("../../escaped").startswith("# ../../escaped")


def test_pages_are_found_by_what_they_say(tmp_path: Path) -> None:
    write_llms(tmp_path, [*BUNDLES, UNASKED])
    pages = LlmsPages(tmp_path)
    assert pages.find("fold the sky")[0].api_name == "lib.unasked"
    assert [found.api_name for found in pages.find("two", most=1)] == ["lib.api2"]
    assert pages.find("ÿÿÿ") == []
    assert "fold the sky" in pages.read("lib.unasked")
    with pytest.raises(UsageError, match=r"no page on 'lib.api9'; did you mean lib.api"):
        pages.read("lib.api9")


BROKEN = [
    (None, "there is no .*export llms-txt"),
    ("# t\n\n> nothing\n", "links to no page"),
    ("- [lib.f](../secret.md): new\n", "links to ../secret.md, which is no file of that folder"),
    ("- [lib.f](apis/gone.md): new\n", "links to apis/gone.md, which is no file of that folder"),
]


@pytest.mark.parametrize(("index", "told"), BROKEN)
def test_only_pages_of_the_folder_are_served(index: str | None, told: str, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    folder = tmp_path / "llms"
    folder.mkdir()
    if index is not None:
        (folder / "llms.txt").write_text(index)
    with pytest.raises(UsageError, match=told):
        LlmsPages(folder)


def test_a_client_searches_and_reads_over_standard_input_and_output(tmp_path: Path) -> None:
    fastmcp = pytest.importorskip("fastmcp", reason="needs the extra mcp")
    write_llms(tmp_path, [*BUNDLES, UNASKED])
    transport = {"mcpServers": {"apigap": {"command": APIGAP[0], "args": [*APIGAP[1:], "mcp", str(tmp_path)]}}}

    async def use() -> tuple[Any, Any, Any]:
        async with fastmcp.Client(transport) as client:
            found = await client.call_tool("find_api", {"query": "fold the sky", "limit": 1})
            page = await client.call_tool("read_api", {"api_name": "lib.unasked"})
            wrong = await client.call_tool("read_api", {"api_name": "lib.unaskd"}, raise_on_error=False)
            return found, page, wrong

    found, page, wrong = asyncio.run(use())
    assert [row["api_name"] for row in found.structured_content["result"]] == ["lib.unasked"]
    assert page.content[0].text.startswith("# lib.unasked")
    assert (wrong.is_error, "did you mean lib.unasked" in wrong.content[0].text) == (True, True)


def test_the_commands_say_what_they_wrote(data: Path, tmp_path: Path) -> None:
    licence = Licence(kind="permissive", text="MIT", where="METADATA")
    knowledge = data / "raw" / "lib" / "stage2_knowledge.m-x.jsonl"
    write_records(knowledge, [one.model_copy(update={"licence": licence}) for one in (*BUNDLES, UNASKED)])
    told = [
        (["report"], "Of 6 tasks that were asked, m-x passed 2 without knowledge, 4 with signature."),
        (["export", "llms-txt", "--out", str(tmp_path / "llms")], "4 APIs (1 that a page cures, 1 that nothing cured, "
         "1 optional, 1 not asked)"),
        (["export", "sft", "--out", str(tmp_path / "sft.jsonl")], "4 conversations on 2 APIs"),
    ]  # fmt: skip
    for words, text in told:
        command = [*APIGAP, *words, "--experiment", "x", "--data", str(data)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, text in done.stdout) == (0, True), done.stdout + done.stderr
    assert (data / "analysis" / "x" / "answers.html").exists()
    assert "What is quoted: lib (MIT)." in (tmp_path / "llms" / "llms.txt").read_text()
