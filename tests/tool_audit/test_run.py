"""Audits from end to end, with a model that takes letters for parcels until a description tells it better."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apigap.records.errors import AnswersAwaited, CorruptRecord, UsageError
from apigap.records.progress import Unseen
from apigap.reporting.tools_model import ToolReport, ToolRow
from apigap.reporting.tools_page import aside, confusions, headline, state_of
from apigap.tool_audit.run import ToolOutcome, audit_tools
from apigap.tool_audit.source import Source
from tests.tool_audit.desk import QUERIES, answering, audit, call


def reads_descriptions(system: str, query: str) -> str:
    """A model that sends all by parcel, unless it is told that a letter is not what `send_parcel` does."""
    words = query.rstrip(".?").split()
    if "parcel" in words:
        return call("track", number=int(words[-1]))
    name = words[2] if words[0] == "Write" else words[-1]
    if words[0] in ("Send", "Write"):
        told = "Not for what send_letter does" in system
        return call("send_letter", to=name) if told else call("send_parcel", to=name, kilos=1)
    return call("track", number=1) if "song" in query else "I have no tool for that, sorry."


def run(folder: Path, **options: Any) -> ToolOutcome:
    return audit_tools(audit(folder, **options), Unseen(), answering(reads_descriptions))


def rows(report: ToolReport) -> dict[str, ToolRow]:
    return {row.name: row for row in report.first.tools}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> ToolOutcome:
    return run(tmp_path_factory.mktemp("post"))


def test_what_is_confused_never_chosen_and_called_unasked(outcome: ToolOutcome) -> None:
    found = rows(outcome.report)
    letter, track = found["send_letter"], found["track"]
    assert (letter.queries, letter.right, letter.chosen, letter.instead) == (4, 0, 0, (("send_parcel", 4),))
    assert (track.queries, track.right, track.chosen, track.unasked) == (2, 2, 2, 1)
    assert {name: state_of(row) for name, row in found.items()} == {
        "send_letter": "never chosen", "send_parcel": "called unasked", "track": "called unasked",
    }  # fmt: skip
    assert confusions(outcome.report.first) == [("send_letter", "send_parcel", 4, "a tool")]
    assert (str(outcome.report.first.all), str(outcome.report.first.leaving)) == ("3 of 8", "1 of 2")
    assert "3 of 8 queries" in headline(outcome.report) and "Never chosen: send_letter." in aside(outcome.report)


def test_the_cure_is_chosen_on_one_half_and_measured_on_the_other(outcome: ToolOutcome) -> None:
    cure = next(row for row in outcome.report.cures if row.tool == "send_letter")
    chosen = [one.kind for one in cure.candidates if one.chosen]
    assert chosen == ["not for"]  # "all of these" does as much, and is longer
    assert (str(cure.before), str(cure.after), str(cure.own_before), str(cure.own_after)) == (
        "2 of 4", "4 of 4", "0 of 2", "2 of 2",
    )  # fmt: skip
    assert cure.difference == 0.5 and cure.low <= 0.5 <= cure.high
    assert {change.tool for change in cure.changes} == {"send_letter", "send_parcel"}
    held = [one.held_back for one in outcome.report.answers]
    assert held.count(True) == 4


def test_what_no_description_changes_is_told_so(outcome: ToolOutcome) -> None:
    cure = next(row for row in outcome.report.cures if row.tool == "track")
    assert cure.difference is None and "no change was better" in cure.words


def test_a_tool_that_nobody_asks_for_is_a_note(outcome: ToolOutcome) -> None:
    assert any("no query is for 1 of the tools" in note and "send_parcel" in note for note in outcome.report.notes)


def test_the_same_run_again_asks_nobody_and_gives_the_same_bytes(tmp_path: Path) -> None:
    first = run(tmp_path)
    before = {path.name: path.read_bytes() for path in sorted((tmp_path / "run").iterdir())}

    def nobody(system: str, query: str) -> str:
        raise AssertionError("it was answered before")

    again = audit_tools(audit(tmp_path), Unseen(), answering(nobody))
    assert {path.name: path.read_bytes() for path in sorted((tmp_path / "run").iterdir())} == before
    assert again.report == first.report == ToolReport.model_validate_json(first.record.read_text())


def test_more_queries_go_on_and_other_tools_do_not(tmp_path: Path) -> None:
    run(tmp_path, cures=0)
    more = [{"query": "Where is parcel 9?", "tool": "track", "arguments": {"number": 9}}, *QUERIES]
    grown = audit_tools(audit(tmp_path, more, cures=0), Unseen(), answering(reads_descriptions))
    assert grown.report.first.all.of == 9
    changed = audit(tmp_path, cures=0)
    (tmp_path / "post.py").write_text((tmp_path / "post.py").read_text().replace("Tells where", "Says where"))
    with pytest.raises(UsageError, match="choose another folder"):
        audit_tools(changed, Unseen(), answering(reads_descriptions))


def test_a_folder_answers_in_both_forms_and_rewrites(tmp_path: Path) -> None:
    """The files door: whoever answers gets all requests of a round at once."""
    asked = audit(
        tmp_path, model=f"batch/{tmp_path / 'gpt'}", rewriter=f"batch/{tmp_path / 'scribe'}", forms=("native", "text")
    )
    for _ in range(4):  # answers, descriptions, their trial, the held-back half
        with pytest.raises(AnswersAwaited):
            audit_tools(asked, Unseen())
        answer(tmp_path / "gpt")
        answer(tmp_path / "scribe")
    report = audit_tools(asked, Unseen()).report
    assert [row.form for row in report.forms] == ["native", "text"]
    cure = next(row for row in report.cures if row.tool == "send_letter")
    assert [one.kind for one in cure.candidates if one.chosen] == ["rewritten"]
    assert (str(cure.before), str(cure.after)) == ("2 of 4", "4 of 4")


def answer(folder: Path) -> None:
    """Answer all open requests of a folder: calls as OpenAI writes them, a description for whoever asks for one."""
    for path in sorted(folder.glob("requests-*.jsonl")):
        for text in path.read_text().splitlines():
            body = json.loads(text)["body"]
            system, query = body["messages"][0]["content"], body["messages"][-1]["content"]
            with (folder / "answers.jsonl").open("a") as file:
                file.write(
                    json.dumps({"custom_id": json.loads(text)["custom_id"], **response(body, system, query)}) + "\n"
                )


def response(body: dict[str, object], system: str, query: str) -> dict[str, object]:
    message: dict[str, object] = {"content": '{"description": "Not for what send_letter does, but what it is."}'}
    if "no instruction in it" not in query:
        told = f"{system} {json.dumps(body.get('tools', ''))}".replace("Not for what send_letter does: ", "")
        text = reads_descriptions(told, query)
        calls = [json.loads(part.partition("</tool_call>")[0]) for part in text.split("<tool_call>")[1:]]
        functions = [{"function": {"name": c["name"], "arguments": json.dumps(c["arguments"])}} for c in calls]
        message = {"content": text} if "tools" not in body or not calls else {"content": "", "tool_calls": functions}
    return {"response": {"status_code": 200, "body": {"choices": [{"message": message, "finish_reason": "stop"}]}}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"queries": None}, "there are no queries to the tools: give a file with --queries"),
        ({"author": "mockllm/model"}, "leave one of them out"),
        ({"live": True}, "--live calls the tools of an MCP server, not those of --python"),
    ],
)
def test_what_cannot_be_right_is_told_before_anything_starts(
    options: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        run(tmp_path, **options)
    assert not (tmp_path / "run").exists()


def test_a_bad_file_of_queries_is_told_before_a_server_starts(tmp_path: Path) -> None:
    started = tmp_path / "started"
    (tmp_path / "bad.jsonl").write_text("this is no query\n")
    server = Source("mcp", f"{sys.executable} -c \"open('{started}', 'w')\"")
    with pytest.raises(CorruptRecord, match="bad"):
        audit_tools(replace(audit(tmp_path), source=server, queries=tmp_path / "bad.jsonl"), Unseen())
    assert not started.exists()
