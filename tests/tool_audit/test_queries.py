"""Files of queries: what a line may say, what is refused with which words, and how they are halved."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.calls.names import Names
from apigap.benchmarks.calls.reading import read_answer
from apigap.benchmarks.calls.verdict import verdict
from apigap.records.errors import ApigapError, CorruptRecord, UsageError
from apigap.tool_audit.queries import NOTHING, SEVERAL, halves, read_queries
from apigap.tool_audit.toolset import Toolset, python_toolset
from tests.tool_audit.desk import MODULE, QUERIES, call


@pytest.fixture
def post(tmp_path: Path) -> Toolset:
    (tmp_path / "post.py").write_text(MODULE)
    return python_toolset(str(tmp_path / "post.py"))


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "queries.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_lines_become_queries(post: Toolset, tmp_path: Path) -> None:
    both = {"query": "Both!", "calls": [{"tool": "track", "arguments": {"number": 1}}, {"tool": "send_letter"}]}
    found = read_queries(written(tmp_path, *QUERIES, both), post)
    assert [query.category for query in found] == [
        *["send_letter"] * 4, *["track"] * 2, NOTHING, NOTHING, SEVERAL,
    ]  # fmt: skip
    assert found[-1].expected[1].arguments == {
        "to": {"any_value": True, "optional": False}, "express": {"any_value": True, "optional": True},
    }  # fmt: skip
    assert len({query.task_id for query in found}) == 9


@pytest.mark.parametrize(
    ("row", "kind", "message"),
    [
        ({"query": "Hello", "tool": "send_leter"}, UsageError, "query 1: post has no tool 'send_leter'.*send_letter"),
        (
            {"query": "Hi", "tool": "track", "arguments": {"n": 1}},
            UsageError,
            "track has no argument 'n'; it has number",
        ),
        ({"query": "Hi"}, CorruptRecord, "say which call is right"),
        ({"query": "Hi", "tool": None, "arguments": {}}, CorruptRecord, "`arguments` are those of `tool`"),
        ({"tool": "track"}, CorruptRecord, "give what the user says"),
        ({"query": "Hi", "tool": "track", "answer": 1}, CorruptRecord, "answer"),
        ({"query": "Hi", "tool": "track", "id": "a/b"}, CorruptRecord, "has a slash"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(
    row: dict[str, Any], kind: type[ApigapError], message: str, post: Toolset, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=message):
        read_queries(written(tmp_path, row), post)


def test_a_query_that_is_there_twice_is_told(post: Toolset, tmp_path: Path) -> None:
    with pytest.raises(CorruptRecord, match="query 2: it is there twice"):
        read_queries(written(tmp_path, QUERIES[0], QUERIES[0]), post)


def test_an_empty_file_says_how_a_line_looks(post: Toolset, tmp_path: Path) -> None:
    with pytest.raises(CorruptRecord, match=r'holds no query; give a file with --queries.*"query": "What time'):
        read_queries(written(tmp_path), post)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (call("track", number=5), None),
        (call("track", number="5"), "wrong type"),
        (call("track"), "missing argument"),
        (call("track", number=5, fast=True), "unknown argument"),
        (call("send_letter", to="Ana"), "wrong API"),
        ("I have sent it.", "no call"),
    ],
)
def test_without_arguments_the_schema_alone_decides(
    answer: str, fault: str | None, post: Toolset, tmp_path: Path
) -> None:
    (query,) = read_queries(written(tmp_path, {"query": "Where is it?", "tool": "track"}), post)
    reading = read_answer(answer, Names(query.schemas).spellings)
    assert verdict(query, reading).detail["fault"] == fault


def test_every_second_query_of_a_tool_is_held_back(post: Toolset, tmp_path: Path) -> None:
    choosing, held = halves(read_queries(written(tmp_path, *QUERIES), post))
    assert [query.category for query in choosing] == [query.category for query in held]
    assert not {query.task_id for query in choosing} & {query.task_id for query in held}
