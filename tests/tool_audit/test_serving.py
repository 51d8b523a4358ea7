"""Results of calls: at a real server, from what that left, and by schemas alone."""

import shlex
import sys
from pathlib import Path

import pytest

from apigap.apibank_generator.seeds.mcp_server import McpServer
from apigap.benchmarks.calls.names import Names
from apigap.benchmarks.calls.reading import read_answer
from apigap.benchmarks.calls.verdict import verdict
from apigap.records.progress import Unseen
from apigap.records.store import load_records
from apigap.tool_audit.asking import Judged
from apigap.tool_audit.queries import AuditQuery, queries_of
from apigap.tool_audit.serving import ServedCall, by_recording, by_schema, calls_of, live
from apigap.tool_audit.toolset import Toolset, mcp_toolset, python_toolset
from tests.tool_audit.desk import MODULE, call

SERVER = """
import sys
from pathlib import Path
from fastmcp import FastMCP

mcp = FastMCP("Post")

@mcp.tool
def track(number: int) -> str:
    with Path(sys.argv[1]).open("a") as log:
        log.write(f"{number}\\n")
    if number > 9:
        raise ValueError("there is no such parcel")
    return f"parcel {number} is in Graz"

mcp.run(show_banner=False)
"""


def judged(toolset: Toolset, *answers: str) -> list[Judged]:
    (query,) = queries_of([AuditQuery(query="Where is it?", tool="track")], toolset, "here")
    spellings = Names(query.schemas).spellings
    return [Judged(query, answer, verdict(query, read_answer(answer, spellings))) for answer in answers]


def test_calls_are_made_once_and_can_be_replayed(tmp_path: Path) -> None:
    pytest.importorskip("fastmcp")
    program, log = tmp_path / "server.py", tmp_path / "log"
    program.write_text(SERVER)
    server = McpServer(shlex.join([sys.executable, str(program), str(log)]), seconds=60)
    answers = judged(
        mcp_toolset(server),
        call("track", number=7),
        call("track", number=12),
        call("track", number=7),
        call("fly", n=1),
    )
    assert not log.exists()  # tools are listed, never called
    served = live(answers, server, tmp_path / "calls.jsonl", Unseen())
    assert live(answers, server, tmp_path / "calls.jsonl", Unseen()) == served
    assert log.read_text().split() == ["7", "12"]  # once each, the second run asks nobody
    assert [one.outcome for one in served.of(answers[0])] == ["taken"] and served.of(answers[3]) == []
    assert "parcel 7 is in Graz" in served.of(answers[0])[0].result
    assert "there is no such parcel" in next(iter(served.refused(answers)["track"]))
    again = by_recording(answers, tmp_path / "calls.jsonl")
    assert again.calls == served.calls and len(load_records(tmp_path / "calls.jsonl", ServedCall)) == 2
    unknown = judged(mcp_toolset(server), call("track", number=1))
    assert [one.outcome for one in by_recording(unknown, tmp_path / "calls.jsonl").of(unknown[0])] == ["not recorded"]


def test_a_schema_refuses_what_it_does_not_allow(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text(MODULE)
    answers = judged(python_toolset(str(tmp_path / "post.py")), call("track", number=7), call("track", number="seven"))
    served = by_schema(answers, python_toolset(str(tmp_path / "post.py")))
    assert [one.outcome for answer in answers for one in served.of(answer)] == ["taken", "refused"]
    assert [call.name for answer in answers for call in calls_of(answer)] == ["track", "track"]
