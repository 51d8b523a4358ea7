"""Whole commands of nodes: what they bring and say, and that their files stay in their folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.cluster.commands import Command, Ended, carry_out, put, taken
from apigap.records.errors import InfrastructureError
from tests.cluster.simulated import SimulatedNode, Simulation

SAID = """liba: knowledge: 0/2
apigap: note: liba 1.0 is read as text
liba: knowledge: 2/2, about 1 min left
liba has no source distribution
apigap: the index cannot be reached
  try again
"""


@pytest.mark.parametrize(
    ("code", "said", "mark", "problem", "notes"),
    [
        (3, SAID, "infra", "the index cannot be reached\n  try again", 2),
        (2, "apigap: no such library", "failed", "no such library", 0),
        (-9, "liba: discovery: 0/1\n", "infra", "liba: discovery: 0/1", 0),
        (-9, "", "infra", "it ended with -9 and said nothing", 0),
        (1, "Traceback (most recent call last):\nValueError: x", "infra", "ValueError: x", 2),
        (0, "one note\n", "done", "one note", 1),
    ],
)
def test_what_a_command_said(code: int, said: str, mark: str, problem: str, notes: int) -> None:
    ended = Ended(code=code, output="", said=said)
    assert (ended.mark, ended.problem, len(ended.notes)) == (mark, problem, notes)
    assert not [note for note in ended.notes if note.startswith("apigap: ") or note.endswith("/2")]


def test_a_command_runs_as_anywhere_and_an_error_is_its_own() -> None:
    assert "Usage: apigap discover" in carry_out(Command(words=("discover", "--help")), 1).output
    wrong = carry_out(Command(words=("discover",)), 1)
    assert (wrong.mark, wrong.files) == ("failed", {})
    assert wrong.problem.startswith("name a LIBRARY")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a\0b"])
def test_no_file_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(InfrastructureError, match="leads out of its folder"):
        put({name: "x"}, tmp_path / "inner")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@given(files=st.dictionaries(st.sampled_from(["a", "x/b.jsonl", "x/b.manifest.json", "y/é"]), st.text(max_size=20)))
def test_files_are_those_that_were_sent(files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {name: text.encode("utf-8", "replace").decode() for name, text in files.items()}
    folder = tmp_path_factory.mktemp("files")
    put(files, folder)
    assert taken(folder, "*") == files


def test_one_whose_parent_has_gone_does_not_begin() -> None:
    words = [sys.executable, "-m", "apigap.cluster.bound", str(os.getppid()), "--version"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (143, b"")


@given(nodes=st.integers(1, 4), commands=st.integers(1, 12), dies=st.floats(1.0, 500.0))
def test_commands_go_one_by_one_and_none_is_lost(nodes: int, commands: int, dies: float) -> None:
    made = [SimulatedNode("dies", 60.0, dies), *(SimulatedNode(f"n{number}", 50.0) for number in range(nodes))]
    simulation = Simulation([1] * commands, made, most=1, patience=300.0).run()
    assert sorted(told.piece for told in simulation.told) == list(range(commands))
    assert all(told.line for told in simulation.told)
    assert simulation.largest == 1
