"""What others have written cannot steer the terminal on which it is shown."""

import io
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.api.terminal import Visible, visible
from apigap.records.result import Judged, Result
from apigap.records.store import write_records
from tests.auditing.conftest import APIGAP
from tests.records.test_task import make_task

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\u2066\r\x08"
STEERS = "\x1b\x07\u009b\u202e\u2066\r\x08"


@given(st.text())
def test_nothing_steers_and_nothing_else_changes(text: str) -> None:
    shown = visible(text)
    assert not set(shown) & set(STEERS)
    assert visible(shown) == shown
    assert [c for c in shown if c in "\n\t"] == [c for c in text if c in "\n\t"]
    if text.isprintable():
        assert shown == text


def test_a_stream_shows_what_is_printed() -> None:
    raw = io.StringIO()
    print(f"a{HOSTILE}b", file=Visible(raw))
    assert raw.getvalue() == "a\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\u202e\\u2066\\r\\x08b\n"


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_suspect_answers_are_shown_and_not_obeyed(tmp_path: Path, form: list[str]) -> None:
    task = make_task()
    told = Result(
        task_id=task.task_id, sample=0, outcome="suspect", passed=False, score=0.0, label=None,
        detail={"reason": f"called{HOSTILE}", "dependence": {}}, evaluator="e", seconds=0.0,
        judged=Judged(text=f"x = 1  # {HOSTILE}"),
    )  # fmt: skip
    write_records(tmp_path / "t", [task])
    write_records(tmp_path / "r", [told])
    files = [part for name in ("tasks", "results") for part in (f"--{name}", str(tmp_path / name[0]))]
    ended = subprocess.run([*APIGAP, "suspects", *files, *form], capture_output=True, timeout=600, check=True)
    shown = ended.stdout.decode() + ended.stderr.decode()
    assert "owned" in shown
    assert not set(shown) & set(STEERS)


def test_an_error_shows_a_name_as_it_is() -> None:
    ended = subprocess.run([*APIGAP, "versions", HOSTILE], capture_output=True, timeout=600, check=False)
    assert ended.returncode in (2, 3)
    assert not set((ended.stdout + ended.stderr).decode()) & set(STEERS)
