"""Queries that the five agents write with a user's tools, under the names that the tools have."""

from pathlib import Path

import pytest

from apigap.apibank_generator.records import Dialogue, Exchange, Step, Verdict
from apigap.models import transcripts
from apigap.records.progress import Unseen
from apigap.tool_audit import written
from apigap.tool_audit.queries import queries_of
from apigap.tool_audit.source import Source
from apigap.tool_audit.written import queries_in, written_queries
from tests.apibank_generator.obliging import Obliging

LIBRARY = Path(__file__).parents[1] / "apibank_generator" / "library.yaml"


def test_dialogues_become_queries_to_the_tools_by_their_own_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "Generator", Obliging)
    monkeypatch.setattr(written, "try_model", lambda *_: None)
    source = Source("openapi", str(LIBRARY))
    toolset = source.toolset()
    found = written_queries(source.seeds(), toolset, "obliging/model", 12, tmp_path, Unseen())
    queries = queries_of(found, toolset, "here")
    called = {call.name for query in queries for call in query.expected}
    assert len(queries) >= 12 and called <= toolset.schemas.keys()
    assert "add-book" in called  # which the agents know as AddBook
    assert all(query.messages[-1].role == "user" for query in queries)


def test_an_exchange_knows_what_was_said_before_it() -> None:
    source = Source("openapi", str(LIBRARY))
    tools = {tool.name: tool for tool in source.seeds().tools}
    search = Step(api="searchBooks", arguments={"title": "Emma", "page_size": 5})
    exchanges = (Exchange(user="Hello", reply="Hello!"), Exchange(user="Find Emma.", steps=(search,), reply="Found."))
    done = Dialogue(
        id="d1", ability="call", domain="Books", offered=("searchBooks",), exchanges=exchanges,
        verdict=Verdict(accepted=True, by="tester"),
    )  # fmt: skip
    (query,) = queries_in(done, tools, source.toolset())
    assert [message.content for message in query.messages] == ["Hello", "Hello!", "Find Emma."]
    assert query.calls[0].arguments == {"title": "Emma", "page[size]": 5}  # which the agents know as page_size
