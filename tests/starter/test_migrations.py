"""`apigap generate --retired`: tasks of code that a release broke, and what it says where there can be none."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.records.retired import Retirement
from apigap.records.store import write_records
from apigap.tasks.task_files import load_tasks


def gone(old: str, new: str | None, **more: object) -> Retirement:
    return Retirement.model_validate(
        {"kind": "removed", "library": "numpy", "old_version": "1.26.4", "new_version": "2.4.4", "old_name": old,
         "api_kind": "function", "replacement": new, **more}
    )  # fmt: skip


def generate(*words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("apigap")), "generate", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


WRONG = [
    ([], ["--retired", "F"], "say with --out where to write"),
    ([], ["numpy", "--retired", "F", "--out", "O"], "--retired says which release it is"),
    ([], ["--retired", "F", "--author", "mockllm/model", "--out", "O"], "asks no model"),
    ([], ["--retired", "F", "--out", "O"], "0 pairs of releases"),
    ([gone("numpy.a", None), gone("numpy.b", None, old_version="1.25.0")], ["--retired", "F", "--out", "O"], "2 pairs"),
    ([gone("numpy.a", None, old_version=None)], ["--retired", "F", "--out", "O"], "names no old release"),
    ([gone("numpy.a", None)], ["--retired", "G", "--out", "O"], "G does not exist"),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("rows", "words", "told"), WRONG, ids=[row[2] for row in WRONG])
def test_wrong_usage_is_told(tmp_path: Path, rows: list[Retirement], words: list[str], told: str) -> None:
    paths = {name: str(tmp_path / name) for name in "FGO"}
    write_records(tmp_path / "F", rows)
    ended = generate(*(paths.get(word, word) for word in words))
    assert ended.returncode == 2
    assert told in ended.stderr


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_code_that_numpy_2_broke(tmp_path: Path) -> None:
    names = {"numpy.in1d": "numpy.isin", "numpy.trapz": "numpy.trapezoid", "numpy.who": None}
    write_records(tmp_path / "F", [gone(old, new) for old, new in names.items()])
    ended = generate("--retired", str(tmp_path / "F"), "--out", str(tmp_path / "O"), "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["taken_away"] == 3
    assert told["dropped"] == ["numpy.who: how it is written now is not known"]
    tasks = load_tasks(tmp_path / "O")
    assert [task.api_name for task in tasks] == ["numpy.isin", "numpy.trapezoid"]
    for task in tasks:
        assert task.before is not None and "With numpy 1.26.4 this did it" in task.description
        assert len(task.harness.scenarios) > 2
