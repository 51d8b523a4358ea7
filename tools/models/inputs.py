"""What the tiny commands work on: seven new APIs of flask 3.1.3, their tasks and questions, and answers that fail."""

import os
import subprocess
import sys
from pathlib import Path

from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from tools.models.role_list import RELEASES

_AUTHORED = "flask.cli."
"""Two of the APIs are for authors and rewriters, whose answers are long."""
_STEPS = (
    ("discover", *RELEASES, "--out", "all.jsonl"),
    ("extract", "--candidates", "all.jsonl", "--out", "knowledge.jsonl"),
    (
        "generate", "--candidates", "all.jsonl", "--knowledge", "knowledge.jsonl", "--set", "tasks.worth_asking=false",
        "--out", "tasks.jsonl",
    ),
    ("items", *RELEASES, "--most", "2", "--out", "items.jsonl"),
)  # fmt: skip


def make_inputs(folder: Path) -> None:
    """Make the files, once; no model is asked."""
    if (folder / "wrong.jsonl").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for words in _STEPS:
        subprocess.run([program("apigap"), *words], cwd=folder, check=True)
    found = (folder / "all.jsonl").read_text("utf-8").splitlines(keepends=True)
    write_text(folder / "candidates.jsonl", "".join(line for line in found if f'"api_name":"{_AUTHORED}' in line))
    tasks = load_records(folder / "tasks.jsonl", Task)[:2]
    wrong = [Prediction(task_id=task.task_id, samples=("```python\nraise ValueError('x')\n```",)) for task in tasks]
    write_records(folder / "wrong.jsonl", wrong)


def program(name: str) -> str:
    """The path of a command of this environment."""
    return os.fspath(Path(sys.executable).with_name(name))
