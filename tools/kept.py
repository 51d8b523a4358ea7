"""The answers that a study keeps: without prompts, with the tasks they answer, in one archive beside its tables.

An archive is a data folder: what `tar -xf studies/starter/answers.tar.xz -C FOLDER` leaves is read by
`apigap analyze --data FOLDER` and `apigap report --data FOLDER`.
"""

import io
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_bytes, write_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files

ANSWERS = "answers.tar.xz"
RESULTS = "results.jsonl"
TASKS = Path("raw", "stage3_tasks.answered.jsonl")


def pack(folder: Path, archive: Path) -> None:
    """Write the files of `folder` to `archive`; the same files always give the same bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=9) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            with path.open("rb") as content:
                tar.addfile(member, content)
    write_bytes(archive, packed.getvalue())


@contextmanager
def unpacked(archive: Path) -> Iterator[Path]:
    """The files of `archive` in a temporary folder; an empty one where there is no archive."""
    with tempfile.TemporaryDirectory(prefix="apigap-study-") as folder:
        if archive.exists():
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")
        yield Path(folder)


def drop_prompts(path: Path) -> None:
    """Take the prompts out of a finished file: they repeat data that stays where it is. Their hashes stay, so that a
    later run knows what has been asked. An answer that two runs at once have asked for is kept once.
    """
    once = {(one.model_extra or {}).get("key", one.task_id): one for one in load_records(path, Prediction)}
    write_records(path, map(_without_prompt, once.values()))


def keep_tasks(data: Path) -> None:
    """Put the tasks that the results in `data` answer beside them: of the starter benchmark, or kept there before."""
    files = [*starter_files(), *(path for path in [data / TASKS] if path.exists())]
    answered = {result.task_id for path in data.glob(f"results/*/*/{RESULTS}") for result in load_records(path, Result)}
    known = {task.task_id: task for path in files for task in load_records(path, Task)}
    write_records(data / TASKS, [known[task_id] for task_id in sorted(answered)])


def _without_prompt(prediction: Prediction) -> Prediction:
    kept = prediction.model_dump(mode="json")
    return Prediction.model_validate({key: value for key, value in kept.items() if key != "prompt"})
