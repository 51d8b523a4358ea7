"""Calls at a session: results, what they change, and that sessions do not share their databases."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.benchmarks.apibank.api_search import FALLBACK
from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.user_session import POOLS, Change, ServedData, as_json, plain
from apigap.records.errors import CorruptRecord, UsageError

SERVED = ServedData(Path("own"))
RELEASED = ServedData(Path("own"), mode="released")
REMINDER = {"token": "t0k3npaulin", "content": "tune the violin", "time": "2023-05-09 18:00:00"}


def test_what_a_call_changes_is_told_row_by_row() -> None:
    session = SERVED.user_session("level-1-2")
    added = session.call("AddReminder", REMINDER)
    assert (added.error, added.result and added.result["output"]) == (None, "success")
    row = {"content": "tune the violin", "time": "2023-05-09 18:00:00", "username": "paulin"}
    (change,) = added.changes
    assert (change.database, change.before, change.after) == ("Reminder", None, row)
    moved = session.call("ModifyReminder", {**REMINDER, "time": "2023-05-10 18:00:00"})
    assert moved.changes == (Change("Reminder", change.row, row, {**row, "time": "2023-05-10 18:00:00"}),)
    gone = session.call("DeleteReminder", {**REMINDER, "time": "2023-05-10 18:00:00"})
    assert [(one.row, one.after) for one in gone.changes] == [(change.row, None)]
    assert session.call("QueryReminder", REMINDER).changes == ()


def test_a_call_that_only_asks_changes_nothing_and_opens_no_row() -> None:
    session = SERVED.user_session("level-1-2")
    asked = session.call("GetUserToken", {"username": "miriam", "password": "kestrel-42"})
    assert (asked.result or {})["output"] == {"token": "t0k3nmiriam"}
    assert asked.changes == ()


def test_desks_do_not_share_their_databases() -> None:
    one, other = SERVED.user_session("level-1-2"), SERVED.user_session("level-1-2")
    before = other.rows("AddReminder")
    assert one.call("AddReminder", REMINDER).changes
    assert other.rows("AddReminder") == before != one.rows("AddReminder")


def test_a_search_finds_what_was_never_recorded_and_says_so() -> None:
    for pool in POOLS:
        session = SERVED.user_session(pool)
        found = session.call("ToolSearcher", {"keywords": "calculator for a formula"})
        assert (found.result or {})["output"]["name"] == "Calculator"
        assert found.notes == (FALLBACK,)
        assert session.call("Calculator", {"formula": "1 + 2"}).notes == ()
    recorded = SERVED.user_session("level-1-2").call("ToolSearcher", {"keywords": "set a reminder"})
    assert recorded.error is None and recorded.notes == ()


def test_a_search_that_finds_nothing_says_what_to_do() -> None:
    found = SERVED.user_session("level-1-2").call("ToolSearcher", {"keywords": "qqqq zzzz"})
    assert found.error and "in other words" in found.error.message
    released = RELEASED.user_session("level-1-2").call("ToolSearcher", {"keywords": "calculator for a formula"})
    assert (released.result or {})["exception"] == "replay miss" and released.error is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner),
)


@given(VALUES)
def test_everything_becomes_json_that_a_browser_reads(value: Any) -> None:
    text = as_json(value)
    assert json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON")) == json.loads(
        as_json(plain(value))
    )
    assert text.isascii()


def test_what_is_endless_is_cut() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert "..." in as_json(endless)
    assert json.loads(as_json(math.inf)) == "inf"


@settings(max_examples=30, deadline=None)
@given(served=st.sampled_from([SERVED, RELEASED]), pool=st.sampled_from(list(POOLS)), data=st.data())
def test_no_argument_breaks_a_desk(served: ServedData, pool: Pool, data: st.DataObject) -> None:
    session = served.user_session(pool)
    api = data.draw(st.sampled_from(list(session.registry.apis.values())))
    called = session.call(api.name, {given.name: data.draw(VALUES) for given in api.inputs})
    assert called.result is not None or called.error is not None
    json.loads(as_json([called.result, [vars(change) for change in called.changes]]))


def test_missing_data_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorruptRecord, match="--data"):
        ServedData(tmp_path)
    with pytest.raises(UsageError, match="bing"):
        ServedData(Path("own"), "bing")
