"""The archives of studies: same files, same bytes; answers without prompts; every task beside its answers."""

import os
from pathlib import Path

import pytest
from tools.kept import ANSWERS, RESULTS, TASKS, drop_prompts, keep_tasks, pack, unpacked

from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files

STUDIES = Path(__file__).parents[2] / "studies"
STARTER = load_records(starter_files()[0], Task)
FORMER = STARTER[1].model_copy(update={"task_id": "", "author": "somebody else"})


def judged(task_id: str) -> Result:
    return Result(
        task_id=task_id,
        sample=0,
        outcome="pass",
        passed=True,
        score=1.0,
        evaluator="e",
        seconds=0.0,
        detail={},
        label=None,
    )


def test_the_same_files_give_the_same_bytes_and_come_back(tmp_path: Path) -> None:
    folder, archive = tmp_path / "run", tmp_path / ANSWERS
    write_records(folder / "results" / "x" / RESULTS, [judged("t")])
    (folder / "a.txt").write_text("ä\n")
    pack(folder, archive)
    before = archive.read_bytes()
    os.utime(folder / "a.txt", (1, 1))
    (folder / "a.txt").chmod(0o600)
    pack(folder, archive)
    assert archive.read_bytes() == before
    with unpacked(archive) as there:
        files = sorted(path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file())
        assert files == ["a.txt", f"results/x/{RESULTS}"]
        assert (there / "a.txt").read_text() == "ä\n"
    assert not there.exists()


def test_no_archive_is_an_empty_study(tmp_path: Path) -> None:
    with unpacked(tmp_path / ANSWERS) as there:
        assert list(there.iterdir()) == []


def test_prompts_go_and_their_hashes_stay(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    line = {"task_id": "t", "samples": ["a"], "prompt": "long", "prompt_hash": "h", "key": "t/s"}
    write_records(path, [Prediction.model_validate(line)] * 2)
    drop_prompts(path)
    (kept,) = load_records(path, Prediction)
    assert (kept.samples, kept.model_extra) == (("a",), {"prompt_hash": "h", "key": "t/s"})


def test_a_task_that_was_changed_since_stays_as_it_was_answered(tmp_path: Path) -> None:
    former = Task.model_validate(FORMER.model_dump())
    write_records(tmp_path / TASKS, [former])
    write_records(
        tmp_path / "results" / "x" / "baseline" / RESULTS, [judged(STARTER[0].task_id), judged(former.task_id)]
    )
    keep_tasks(tmp_path)
    assert {task.task_id for task in load_records(tmp_path / TASKS, Task)} == {STARTER[0].task_id, former.task_id}


@pytest.mark.parametrize(("study", "data"), [("starter", "."), ("adaptation", "data")])
def test_every_kept_verdict_has_its_answer_and_its_task(study: str, data: str) -> None:
    with unpacked(STUDIES / study / ANSWERS) as folder:
        tasks = {task.task_id for task in load_records(folder / data / TASKS, Task)}
        cells = sorted((folder / data).glob(f"results/*/*/{RESULTS}"))
        assert len(cells) >= 28
        for path in cells:
            answers = {one.task_id for one in load_records(path.with_name("predictions.jsonl"), Prediction)}
            assert {one.task_id for one in load_records(path, Result)} <= answers & tasks


def test_studies_hold_what_a_reader_uses_and_no_transcripts_by_the_hundred() -> None:
    assert sum(path.is_file() for path in STUDIES.rglob("*")) <= 100
