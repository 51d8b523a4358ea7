"""Readings of synthesised tasks that are kept, and the page that is made of them."""

import json
from pathlib import Path

import pytest
from tools.knowledge import readings
from tools.knowledge.make_synthesised_page import Told, keep
from tools.knowledge.reading_sheet import Of, Reading
from tools.knowledge.readings import Yielded, kappa, kept_readings, readings_table, share, yields_table
from tools.knowledge.synthesised_page import page_of

from apigap.gates.record import GateRecord
from apigap.records.errors import UsageError
from apigap.records.store import load_records, write_records
from tests.tools.test_reading_sheet import of

TASKS = [of("lib", api) for api in "abcd"]
ROWS = [Yielded(library="lib", old="1", new="2", apis=10, used=8, before=1, now=4)]


def reading(number: int, reader: str, reason: Of | None = None) -> Reading:
    why = f"its {reason} is wrong" if reason else ""
    return Reading(
        id=TASKS[number].task_id, reader=reader, date="2026-11-27", fit=reason is None, of=reason, why=why
    )  # fmt: skip


READ = {
    "one": {r.id: r for r in (reading(0, "one"), reading(1, "one"), reading(2, "one", "data"), reading(3, "one"))},
    "two": {r.id: r for r in (reading(0, "two"), reading(1, "two", "new"), reading(2, "two", "new"))},
}


def test_shares_have_intervals() -> None:
    assert share(6, 8) == "6 of 8 (75 %, 41 to 93)"
    assert share(0, 0) == "none"
    assert "4 of 10 (40 %, 17 to 69)" in yields_table(ROWS)


def test_what_all_readers_and_what_one_found_fit() -> None:
    table = readings_table(TASKS, READ)
    assert "| one | 3 of 4 (75 %, 30 to 95) | data 1 |" in table
    assert "| two | 1 of 3 (33 %, 6 to 79) | new 2 |" in table
    assert "| all of them | 1 of 3" in table
    assert "| at least one | 2 of 3" in table
    assert kappa(READ).endswith("kappa is 0.40.")


def test_the_page_says_what_is_shown_and_what_is_not() -> None:
    unread = page_of(TASKS, {}, ROWS, {})
    assert "Nobody has read them" in unread
    assert "**85 of 100 is not shown.**" in unread
    page = page_of(TASKS, READ, ROWS, {})
    assert "**is not shown**: 1 of 3" in page
    assert "| `lib.c` | one | data | its data is wrong |" in page
    many = [of("lib", f"api_{number}") for number in range(100)]
    fit = {one.task_id: reading(0, "one").model_copy(update={"id": one.task_id}) for one in many}
    assert "is reached: 100 of 100" in page_of(many, {"one": fit, "two": fit}, ROWS, {})


def gate(number: int, fit: bool) -> GateRecord:
    told = (None, {}) if fit else ("new: sorted", {"of": "new"})
    return GateRecord.of(TASKS[number], "reading", "passed" if fit else "failed", told[0], dict(told[1]))


def test_what_a_model_as_reader_keeps_is_measured_by_what_others_say_of_it() -> None:
    """Task d has one reading alone, so it is left out; of what is kept one reader finds all fit, the other half."""
    records = {TASKS[n].task_id: gate(n, fit) for n, fit in enumerate((True, True, False, True))}
    page = page_of(TASKS, READ, ROWS, records)
    assert "| all | 3 | 2 | 2 of 2 (100 %, 34 to 100) | 1 of 2 (50 %, 9 to 91) | 1 of 2" in page
    assert "of 1 libraries, 2 are fit to one and 1 to the other: fewer than 85 of 100." in page
    assert "Of the 1 that it refused 0 were fit to both; its reasons: new 1." in page
    records[TASKS[1].task_id] = gate(1, fit=False)
    assert "1 are fit to one and 1 to the other: at least 85 of 100." in page_of(TASKS, READ, ROWS, records)


def test_readings_are_kept_once_each_and_only_of_kept_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "FOLDER", tmp_path)
    answers = tmp_path / "answers.jsonl"
    for fit in (False, True):
        answers.write_text(json.dumps({"id": TASKS[0].task_id, "fit": fit, "of": None, "why": ""}) + "\n\n", "utf-8")
        keep(answers, Told("one", "2026-11-27", 1), tmp_path)
    assert [one.fit for one in load_records(tmp_path / "readings.jsonl", Reading)] == [True]
    assert list(kept_readings(TASKS)["one"]) == [TASKS[0].task_id]
    write_records(tmp_path / "readings.jsonl", [reading(3, "one")])
    with pytest.raises(UsageError, match="no kept task"):
        kept_readings(TASKS[:2])
