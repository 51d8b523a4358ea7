"""Whatever a run that is handed in holds, checking it ends with a word on it: nobody who hands in stops a board."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigap.records.manifest import file_hash
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.tasks.starter_files import tasks_path
from apigap.verification.checks import worst
from apigap.verification.contamination import contamination_of
from apigap.verification.manifests import manifest_checks
from apigap.verification.prompts import prompt_check
from apigap.verification.rows import board_rates, row_checks
from apigap.verification.submission import read_submission, submitted
from tests.knowledge.test_conditions import bundle
from tests.verification.conftest import CUTOFF, TASKS, Runs
from tests.verification.tampering import edit, edit_rows

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
FILES = ("answers.manifest.json", "results.manifest.json", "summary.json")


def places(told: Any, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The keys that lead to each value of a JSON object."""
    if not isinstance(told, dict):
        return []
    return [place for key, value in told.items() for place in ((*at, key), *places(value, (*at, key)))]


def checks_of(folder: Path, tasks: dict[str, Task]) -> str:
    """The state of a run by all that can be said without judging again."""
    run = read_submission(folder / "results.jsonl")
    rates = {task: rate for task, rate in board_rates(run.results).items() if task in tasks}
    dated, _ = contamination_of(run.model, tasks, rates, CUTOFF)
    manifests = manifest_checks(run, file_hash(tasks_path(TASKS)))
    return worst([*manifests, *row_checks(run, tasks, 1.0), prompt_check(run, tasks, ()), dated])


def test_what_is_not_touched_is_sound(runs: Runs, tasks: list[Task]) -> None:
    assert checks_of(runs.scored, {task.task_id: task for task in tasks}) == "sound"


@pytest.mark.parametrize("name", FILES)
def test_any_value_anywhere_is_told_of(name: str, runs: Runs, tasks: list[Task]) -> None:
    path = runs.scored / name
    before = path.read_text()
    known = {task.task_id: task for task in tasks}
    every = places(json.loads(before))

    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(every), JSON)
    def put(place: tuple[str, ...], value: Any) -> None:
        told = json.loads(before)
        inner = told
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        path.write_text(json.dumps(told))
        assert checks_of(runs.scored, known) in ("wrong", "unchecked", "sound")

    put()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "null", '{"apigap": 1}', "\x00", '{"pass_at_1": NaN}'])
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_anything_speaks_against_a_run(name: str, text: str, runs: Runs, tasks: list[Task]) -> None:
    (runs.scored / name).write_text(text)
    assert checks_of(runs.scored, {task.task_id: task for task in tasks}) == "wrong"


@pytest.mark.parametrize("condition", ["nothing/at all", "", "s/e", "../../etc/passwd", "full"])
def test_a_condition_that_there_is_not_is_not_sound(condition: str, runs: Runs, tasks: list[Task]) -> None:
    key = lambda row: row.update(key=f"{row['task_id']}/{condition}")  # noqa: E731
    edit_rows(runs.cell / "predictions.jsonl", lambda rows: [key(row) for row in rows])
    run = read_submission(runs.cell / "results.jsonl")
    assert prompt_check(run, {task.task_id: task for task in tasks}, ()).state != "sound"


def as_link(path: Path) -> None:
    """The file lies elsewhere, under another name."""
    elsewhere = path.parent.parent / f"elsewhere-{path.name}"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_link_to_nothing_that_ends(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def as_large(path: Path) -> None:
    """A file of holes, which takes no place on a disk and gigabytes in memory."""
    os.truncate(path, 1 << 40)


def as_other_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\n\xff\n")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "change", [as_link, as_pipe, as_folder, as_link_to_nothing_that_ends, as_large, as_other_text],
    ids=lambda change: change.__name__,
)  # fmt: skip
@pytest.mark.parametrize("name", [*FILES, "answers.jsonl", "results.jsonl"])
def test_what_is_no_plain_file_is_not_read(
    name: str, change: Callable[[Path], None], runs: Runs, tasks: list[Task]
) -> None:
    change(runs.scored / name)
    assert checks_of(runs.scored, {task.task_id: task for task in tasks}) == "wrong"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_else_lies_in_a_folder_harms_nobody(make: Callable[[Path], None], runs: Runs, tasks: list[Task]) -> None:
    make(runs.scored / "aaa.jsonl")
    assert checks_of(runs.scored, {task.task_id: task for task in tasks}) == "sound"
    (runs.scored / "sub").mkdir()
    make(runs.scored / "sub" / "results.jsonl")
    faults = {path.parent.name: read_submission(path).faults for path in submitted([runs.scored])}
    assert (len(faults["scored"]), len(faults["sub"])) == (0, 1)


def test_knowledge_of_any_kind_is_other_knowledge(runs: Runs, tasks: list[Task]) -> None:
    edit_rows(runs.cell / "predictions.jsonl", lambda rows: [r.update(key=f"{r['task_id']}/s") for r in rows])
    edit(runs.cell / "predictions.manifest.json", lambda told: told["made_from"].update(knowledge=[]))
    path = runs.cell.parent / "bundles.jsonl"
    write_records(path, [bundle(api_name=name, library="click") for name in sorted({t.api_name for t in tasks})])
    known = {task.task_id: task for task in tasks}
    found = prompt_check(read_submission(runs.cell / "results.jsonl"), known, [path])
    assert found.state == "unchecked"
    assert "other bundles" in found.told


@pytest.mark.timeout(60)
@pytest.mark.parametrize("prefix", ["gguf/", "", "transformers/", "transformers/gguf/"])
def test_a_file_that_is_handed_in_says_nothing_of_its_model(prefix: str, tmp_path: Path, tasks: list[Task]) -> None:
    (tmp_path / "x.yaml").write_text(
        f"title: x\nbytes: 1\nsha256: '{64 * '0'}'\ncontext: 10\nlicence: mit\ncutoff: 1990-01-01\nsources: []\n"
    )
    known = {task.task_id: task for task in tasks}
    for name in (str(tmp_path / "x.gguf"), "\0.gguf", "~nobody-at-all/x.gguf", f"{9_000 * 'x'}.gguf"):
        check, found = contamination_of(prefix + name, known, dict.fromkeys(known, 1.0), None)
        assert (check.state, found) == ("unchecked", None), name
