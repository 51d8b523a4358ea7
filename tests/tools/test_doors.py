"""The table of roles and doors: what a command's end means, what is counted, and the page of what ran."""

import json
from pathlib import Path

import pytest
from tools.models.cells import Cell, Kind, kind_of, run_cell, sentence
from tools.models.door_list import DOORS, Door
from tools.models.doors import KEPT
from tools.models.doors_page import page
from tools.models.llama_server import ROOT
from tools.models.role_list import ROLES, Role, answered, lines

from apigap.records.store import load_records
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving

BY_NAME = {door.name: door for door in DOORS}
ROLE_OF = {role.name: role for role in ROLES}

ENDS: list[tuple[str, int, str, Kind]] = [
    ("answers", 0, "answers: 3, in answers.jsonl", "ran"),
    ("likelihoods", 2, "apigap: MODEL does not tell how likely a given text is", "refused"),
    ("answers", 3, "apigap: nothing answers at http://x", "refused"),
    ("answers", 1, "Traceback (most recent call last):\nValueError: x", "failed"),
    ("answers", 3, "Traceback (most recent call last):\nValueError: x", "failed"),
    ("agents", 1, "0 of 1 dialogues: the minutes are over", "ran"),
    ("agents", 1, "Traceback (most recent call last):\nValueError: x", "failed"),
    ("answers", 124, "it took longer than 900 s", "failed"),
    ("inspect", 0, "Log: logs/x.eval", "ran"),
    ("inspect", 0, "ConnectionError: no route\nTask interrupted (no samples)", "failed"),
    (
        "tools",
        0,
        "ModelUnavailable: x takes no tools; describe them in the prompt\ninstead\nTask interrupted",
        "refused",
    ),
    (
        "inspect",
        0,
        "ConnectionError: HTTPSConnectionPool(host='openaipublic.x', \nport=443): y\nTask interrupted",
        "refused",
    ),
    ("tools", 1, "Traceback\nValueError: Model API batch of model 'batch/q' not recognized.", "refused"),
]


@pytest.mark.parametrize(("role", "code", "told", "kind"), ENDS)
def test_a_refusal_is_told_from_a_failure(role: str, code: int, told: str, kind: Kind) -> None:
    assert kind_of(ROLE_OF[role], code, told) == kind


def test_the_last_sentence_is_the_one_that_was_said() -> None:
    assert sentence("answers: 1/2\napigap: it stopped\n\n") == "apigap: it stopped"
    assert sentence("") == ""


def test_commands_name_the_model_of_the_door() -> None:
    for role in ROLES:
        for door in DOORS:
            words = door.words(role.words)
            assert ("--mock-llm" in words) != any(word.endswith(door.model) for word in words)
            assert not any("{" in word for word in words)


def test_records_and_empty_answers_are_counted(tmp_path: Path) -> None:
    rows = [{"task_id": "a", "samples": ["x", " "]}, {"task_id": "b", "samples": ["y"]}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert answered("a.jsonl")(tmp_path) == "3 answers, 1 empty"
    assert lines("*.jsonl", "calls")(tmp_path) == "2 calls" and lines("b*", "calls")(tmp_path) == "0 calls"


ONE = ("--limit", "1", "--level", "1", "--kind", "calls")
ASK = Role(
    "t", "t", ("apigap", "predict", "apibank", *ONE, "-m", "{model}", "--out", "a.jsonl"), answered("a.jsonl")
)  # fmt: skip


def test_a_command_runs_through_a_door_of_a_server(tmp_path: Path) -> None:
    with serving(Scripted({}, said("[A()]"))) as server:
        variables = {"LOCAL_BASE_URL": "{server}/v1", "LOCAL_API_KEY": KEY}
        door = Door("openai-api", f"openai-api/local/{MODEL}", variables)
        cell = run_cell(ASK, door, tmp_path / "t" / "one", server.address.removesuffix("/v1"))
    assert (cell.kind, cell.came_out, cell.rounds) == ("ran", "1 answers", 1)
    dead = run_cell(ASK, door, tmp_path / "t" / "two", "http://127.0.0.1:1")
    assert (dead.kind, dead.exit_code) == ("refused", 3) and "nothing answers" in dead.said


def test_files_are_answered_and_the_command_goes_on(tmp_path: Path) -> None:
    with serving(Scripted({}, said("[A()]"), any_key=True)) as server:
        door = Door("batch", f"batch/queue/{MODEL}")
        cell = run_cell(ASK, door, tmp_path / "t" / "one", server.address.removesuffix("/v1"))
    assert (cell.kind, cell.came_out, cell.rounds) == ("ran", "1 answers", 2)
    assert server.asked == {"": 1}


def test_the_page_is_that_of_what_is_kept() -> None:
    cells = load_records(KEPT, Cell)
    assert page(cells) == (ROOT / "docs" / "doors.md").read_text("utf-8")
    assert {(cell.role, cell.door) for cell in cells} == {(role.name, door.name) for role in ROLES for door in DOORS}
    assert not [cell for cell in cells if cell.kind == "failed"]
