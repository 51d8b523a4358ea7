"""Values in the cache: sought once, though two commands want them at the same time."""

import threading
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.cost import Cost  # noqa: E402
from apigap.adaptation.editing.facts import Fact  # noqa: E402
from apigap.adaptation.editing.saved_searches import ValueCache  # noqa: E402
from apigap.adaptation.editing.value_search import ValueSearch  # noqa: E402

FACT = Fact("one", "", "body", "", "body", "answer")


def test_two_commands_that_want_a_value_at_once_seek_it_once(tmp_path: Path) -> None:
    begun, end = threading.Event(), threading.Event()
    found: list[Any] = []

    def slow() -> Any:
        begun.set()
        end.wait(20)
        return torch.ones(3), ValueSearch(key="one", steps=1, loss=0.5, moved=0.1)

    def never() -> Any:
        raise AssertionError("sought again")

    first, second = ValueCache(tmp_path), ValueCache(tmp_path)
    one = threading.Thread(target=lambda: found.append(first.get(FACT, ["model"], slow)))
    other = threading.Thread(target=lambda: found.append(second.get(FACT, ["model"], never)))
    one.start()
    assert begun.wait(20)
    other.start()
    other.join(0.2)
    assert other.is_alive()  # it waits
    end.set()
    one.join(20)
    other.join(20)
    assert [told.key for _, told in found] == ["one", "one"]
    assert all(torch.equal(value, torch.ones(3)) for value, _ in found)
    assert (first.sought, second.sought) == (1, 0)


def test_the_cost_tells_what_no_session_had_to_seek(tmp_path: Path) -> None:
    path = tmp_path / "cost.json"
    first = Cost(path, 4)
    assert "values_reused" not in first.figures
    first.values(3, 2)  # one was known
    first.keep()
    again = Cost(path, 4)
    again.values(1, 0)
    assert again.figures["values_reused"] == 0  # as yet all may be of its own
    again.values(4, 1)
    assert {name: again.figures[name] for name in ("values_sought", "values_reused")} == {
        "values_sought": 3, "values_reused": 1,
    }  # fmt: skip
