"""The study of audits: what is kept of a run comes to the same figures as the run's own report."""

import json
from pathlib import Path

import pytest
from tools.study import ROOT, SUMMARY
from tools.tool_audit.keep import ANSWERS, CURES, keep_run, keep_server
from tools.tool_audit.make_study import HEAD
from tools.tool_audit.page import study_page
from tools.tool_audit.study import SERVERS, summarise_study

from apigap.records.progress import Unseen
from apigap.reporting.tools_model import CureRow, Share
from apigap.reporting.tools_page import points
from apigap.tool_audit.run import ToolOutcome, audit_tools
from tests.tool_audit.desk import answering, audit
from tests.tool_audit.test_run import reads_descriptions

ABOUT = {"package": "post 1.0", "command": "post", "mcp": "2", "asked": "today", "remark": ""}
KEPT = ROOT / "studies" / "tools"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[ToolOutcome, Path]:
    """A finished run of the post office, and the folder that keeps what a study needs of it."""
    run, folder = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("kept")
    asked = audit(run)
    outcome = audit_tools(asked, Unseen(), answering(reads_descriptions))
    assert asked.queries is not None
    keep_server(asked.source.toolset(), asked.queries, "post", folder)
    keep_run(asked.out, folder / "post-mock")
    (folder / SERVERS).write_text(json.dumps({"post": ABOUT}))
    return outcome, folder


def test_kept_answers_come_to_the_figures_of_the_report(kept: tuple[ToolOutcome, Path]) -> None:
    outcome, folder = kept
    told = json.loads(outcome.record.read_text())
    (run,) = summarise_study(folder)["post"]["runs"]
    for row in told["forms"]:
        for tool in row["tools"]:
            tool.update(description="", refused=[])
    assert json.loads(json.dumps(run["forms"])) == told["forms"]
    for found, row in zip(json.loads(json.dumps(run["cures"])), told["cures"], strict=True):
        same = found.keys() - {"words", "changes", "description"}
        assert {name: found[name] for name in same} == {name: row[name] for name in same}


def test_no_prompt_and_no_word_of_the_server_is_kept(kept: tuple[ToolOutcome, Path]) -> None:
    _, folder = kept
    text = "".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())
    assert all(words not in text for words in ("Sends something", "Tells where", "The name of who", '"prompt"'))
    assert '"kilos"' in (folder / "post.tools.json").read_text()
    assert {path.name for path in (folder / "post-mock").iterdir()} == {ANSWERS, CURES}


def test_the_page_has_tools_and_changes(kept: tuple[ToolOutcome, Path]) -> None:
    page = study_page(summarise_study(kept[1]))
    assert "| `send_letter` | 0 of 4 | 0 | 0 | send_parcel 4 | " in page
    assert "| not for: 1 to 3 of 4 (others: parameters 1, example 1, all of these 3) |" in page
    assert "| 2 of 4 | 4 of 4 | 0 of 2 | 2 of 2 | +50 points, 95 % interval " in page
    assert "none is better than 1 of 4" in page


def test_the_kept_page_is_what_the_kept_answers_come_to() -> None:
    summary = summarise_study(KEPT)
    assert json.loads((KEPT / SUMMARY).read_text(encoding="utf-8")) == json.loads(json.dumps(summary))
    assert (ROOT / "docs" / "tools-study.md").read_text(encoding="utf-8") == HEAD + study_page(summary)
    assert {"time", "sqlite", "git"} <= summary.keys() and all(told["runs"] for told in summary.values())


def test_what_the_page_on_audits_tells_of_them_follows_too() -> None:
    summary = summarise_study(KEPT)
    runs = {f"{name} {run['model'][-4:]}": run for name, told in summary.items() for run in told["runs"]}
    small = [Share(**runs[f"{name} 0.5b"]["forms"][0]["leaving"]) for name in ("time", "sqlite", "git")]
    alone = Share(right=sum(one.right for one in small), of=sum(one.of for one in small))
    served, large = runs["time 0.5b"]["served"], runs["sqlite 1.5b"]["forms"][0]
    cure = CureRow.model_validate({**runs["time 0.5b"]["cures"][0], "candidates": ()}, extra="ignore")
    reader = next(tool for tool in large["tools"] if tool["name"] == "read_query")
    told = " ".join((ROOT / "docs" / "tools.md").read_text(encoding="utf-8").split())
    assert f"refuses {served['refused']} of {sum(served.values())} calls" in told
    assert f"1.5B has {Share(**large['all'])} right" in told
    assert (reader["queries"] - reader["right"], reader["queries"]) == (6, 8) and "six of eight questions" in told
    assert f"leaves {alone} such queries alone, 1.5B {Share(**large['leaving'])}" in told
    assert f"{cure.after} in the place of {cure.before.right} (" in told
    assert f"{cure.own_after} in the place of {cure.own_before.right}" in told
    again = CureRow.model_validate({**runs["clock 0.5b"]["cures"][0], "candidates": ()}, extra="ignore")
    assert again.cures
    assert f"takes {again.after.of} held-back queries from {again.before.right} to {again.after.right} right" in told
    assert f"({points(again)}, p = {again.p_value:.3f})" in told
    assert f"for the tool from {again.own_before.right} to {again.own_after}" in told
