"""Changes in a library that a project uses: through a real MCP client, by the command, and in words."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from apigap.projects.answers import ProjectAnswers
from apigap.projects.changes import Changes
from apigap.projects.told import summary
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.retired import HabitUsage, Retirement
from tests.cli.test_discover_table import candidate
from tests.knowledge.test_conditions import bundle

APIGAP = [sys.executable, "-m", "apigap.cli.main"]
LOCK = 'version = 1\n[[package]]\nname = "packaging"\nversion = "25.0"\n'
GONE = Retirement(
    kind="renamed", library="lib", old_version="1", new_version="2", old_name="lib.slug", api_kind="function",
    replacement="lib.slugify", advice="Use slugify.",
    usage=HabitUsage(old="lib.slug('A')", source="docs", now="AttributeError: slug", new="lib.slugify('A')"),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "uv.lock").write_text(LOCK)
    return tmp_path


@pytest.mark.network
@pytest.mark.sandbox
def test_a_client_asks_what_changed_in_the_project_here(folder: Path) -> None:
    fastmcp = pytest.importorskip("fastmcp", reason="needs the extra mcp")
    server = {
        "command": APIGAP[0], "args": [*APIGAP[1:], "mcp", "--cutoff", "2024-12-01"], "cwd": str(folder),
        "env": dict(os.environ),
    }  # fmt: skip

    async def use() -> dict[str, Any]:
        async with fastmcp.Client({"mcpServers": {"apigap": server}}) as client:

            async def call(tool: str, **given: str) -> Any:
                found = await client.call_tool(tool, given, raise_on_error=False)
                return found.structured_content["result"] if not found.is_error else found.content[0].text

            return {
                "tools": sorted(tool.name for tool in await client.list_tools()),
                "libraries": await call("project_libraries"),
                "changed": await call("what_changed", library="packaging"),
                "page": await call("read_change", library="packaging", name="packaging.tags.android_platforms",
                                   known_version="24.2"),
                "same": await call("what_changed", library="packaging", known_version="25.0"),
                "stranger": await call("what_changed", library="packagin"),
                "wrong": await call("read_change", library="packaging", name="packaging.tags.android_platform"),
            }  # fmt: skip

    found = asyncio.run(use())
    assert found["tools"] == ["project_libraries", "read_change", "what_changed"]
    assert found["libraries"] == [{"name": "packaging", "version": "25.0", "told_by": "uv.lock"}]
    assert "# packaging: 24.2 -> 25.0" in found["changed"]
    assert "(uv.lock); 24.2 is the release that you know (the newest one before 2024-12-01)" in found["changed"]
    assert "- `packaging.tags.android_platforms`: new function; 1 example that ran" in found["changed"]
    assert "Its examples ran in packaging 25.0." in found["page"]
    assert "android_platforms(" in found["page"]
    assert "Nothing public changed" in found["same"]
    assert "did you mean packaging?" in found["stranger"]
    assert "did you mean packaging.tags.android_platforms" in found["wrong"]
    told = [*APIGAP, "changes", "packaging", "--project", str(folder), "--old", "24.2", "--json"]
    data = json.loads(subprocess.run(told, capture_output=True, text=True, check=True).stdout)
    assert (data["new"], data["told_by"]) == ("25.0", "uv.lock")
    assert {row["api_name"]: row["examples"] for row in data["changed"]}["packaging.tags.android_platforms"] == 1


CHANGES = Changes("lib", "1", "2", [candidate("slugify", 0.9)], [GONE], [bundle()])


def test_what_is_gone_comes_first_and_words_choose() -> None:
    text = summary(CHANGES, "as you say", "uv.lock")
    assert text.index("`lib.slug`: renamed after 1; write `lib.slugify` instead.") < text.index("- `lib.slugify`: new")
    assert "- `lib.slugify`" in summary(CHANGES, "", "", about="the SLUGIFY of")
    assert "No name that holds a word of 'xyz' changed" in summary(CHANGES, "", "", about="xyz")
    assert "and 1 more: ask again" in summary(Changes("lib", "1", "2", (), [GONE, GONE]), "", "", most=1)
    page = CHANGES.page("lib.slug")
    assert "Before:\n```python\nlib.slug('A')\n```\nIn 2: AttributeError: slug" in page
    assert page.endswith("Now:\n```python\nlib.slugify('A')\n```\n")


def test_a_comparison_that_takes_long_is_waited_for_by_asking_again(folder: Path) -> None:
    done = threading.Event()

    def compare(library: str, old: str, new: str) -> Changes:
        assert done.wait(20)
        return CHANGES

    answers = ProjectAnswers(folder, compare, wait=0.01)
    assert "packaging 24.2 and 25.0 are being compared" in answers.what_changed("packaging", "24.2", None)
    done.set()
    answers.wait = 20
    assert "lib.slugify" in answers.what_changed("packaging", "24.2", None)


def test_a_comparison_that_failed_is_tried_again(folder: Path) -> None:
    tries: list[str] = []

    def compare(library: str, old: str, new: str) -> Changes:
        tries.append(old)
        if len(tries) == 1:
            raise InfrastructureError("the index is away")
        return CHANGES

    answers = ProjectAnswers(folder, compare)
    with pytest.raises(InfrastructureError, match="is away"):
        answers.what_changed("packaging", "24.2", None)
    assert "lib.slugify" in answers.what_changed("packaging", "24.2", None)
    assert answers.read_change("packaging", "lib.slug", "24.2", None).startswith("# lib.slug\n")
    assert tries == ["24.2", "24.2"]


def test_everybody_who_waits_is_told_why_a_comparison_failed(folder: Path) -> None:
    waiting = threading.Barrier(3)

    def compare(*_: str) -> Changes:
        time.sleep(0.2)
        raise UsageError("no such release")

    answers = ProjectAnswers(folder, compare)

    def ask(_: int) -> str:
        waiting.wait()
        with pytest.raises(UsageError) as error:
            answers.what_changed("packaging", "24.2", None)
        return str(error.value)

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(ask, range(3))) == 3 * ["no such release"]


def test_a_comparison_that_ran_into_a_time_limit_is_no_slow_one(folder: Path) -> None:
    outcomes: list[Changes | Exception] = [TimeoutError("the index is silent"), CHANGES]

    def compare(*_: str) -> Changes:
        found = outcomes.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    answers = ProjectAnswers(folder, compare)
    with pytest.raises(TimeoutError, match="silent"):
        answers.what_changed("packaging", "24.2", None)
    assert "lib.slugify" in answers.what_changed("packaging", "24.2", None)


def test_whoever_knows_no_release_is_asked_for_it(folder: Path) -> None:
    answers = ProjectAnswers(folder, lambda *_: CHANGES)
    with pytest.raises(UsageError, match="which release of packaging do you know"):
        answers.what_changed("packaging", None, None)
    with pytest.raises(UsageError, match="'last year' is no day"):
        answers.what_changed("packaging", None, "last year")


@pytest.mark.network
@pytest.mark.parametrize(("until", "old"), [("2024-12", "24.2"), ("2024-06-30", "24.1")])
def test_a_day_picks_the_release_that_was_known(until: str, old: str, folder: Path) -> None:
    asked = ProjectAnswers(folder, lambda *_: CHANGES, date(2020, 1, 1)).asked("packaging", None, until)
    assert (asked.old, asked.new) == (old, "25.0")
    with pytest.raises(UsageError, match="had no stable release before 2000-01-01"):
        ProjectAnswers(folder, lambda *_: CHANGES).asked("packaging", None, "2000-01-01")
