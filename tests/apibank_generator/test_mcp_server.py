"""MCP servers that a command starts: no shell, no variables of the caller's, and nobody waits for a dead one."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from apigap.apibank_generator.seeds.mcp_server import McpServer, list_tools
from apigap.records.errors import InfrastructureError, UsageError

pytest.importorskip("fastmcp")

TELLS_ITS_VARIABLES = """
import os
from fastmcp import FastMCP

mcp = FastMCP("Teller")

@mcp.tool(description=" ".join(sorted(os.environ)))
def tell(word: str) -> str:
    raise AssertionError("tools are listed, never called")

mcp.run(show_banner=False)
"""


def command(folder: Path, program: str) -> str:
    path = folder / "a server.py"
    path.write_text(program)
    return shlex.join([sys.executable, str(path)])


def test_a_command_gets_no_variable_that_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    started = command(tmp_path, TELLS_ITS_VARIABLES)
    found = list_tools(McpServer(started, seconds=60, environment={"NAMED": "yes"}))
    variables = found.tools[0].description.split()
    assert (found.name, [tool.name for tool in found.tools]) == ("Teller", ["tell"])
    assert "NAMED" in variables and "PATH" in variables and "OPENAI_API_KEY" not in variables


def test_a_server_that_hangs_is_told_in_time(tmp_path: Path) -> None:
    started = command(tmp_path, "import sys, time\nprint('warming up', file=sys.stderr, flush=True)\ntime.sleep(60)")
    began = time.monotonic()
    with pytest.raises(
        InfrastructureError, match=r"did not answer within 1\.5 s; its last words: warming up.*--seconds"
    ):
        list_tools(McpServer(started, seconds=1.5))
    assert time.monotonic() - began < 10


def test_a_server_that_ends_tells_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="its last words: no database"):
        list_tools(McpServer(command(tmp_path, "raise SystemExit('no database')"), seconds=30))


@pytest.mark.parametrize("source", ["touch-nothing; touch {mark}", "$(touch {mark})", "'", ""])
def test_nothing_is_given_to_a_shell(source: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(UsageError, match="no command"):
        list_tools(McpServer(source.format(mark=mark)))
    assert not mark.exists()
