"""Reading the public NovelAPIBench release: a folder as it is published (`data/benchmark/`), or single files of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.release import (
    ExpectedCalls,
    NoveltyRecord,
    ReleaseBundle,
    ReleaseRecord,
    ReleaseTask,
    ValidityRecord,
)
from apigap.records.store import read_bytes

R = TypeVar("R", bound=ReleaseRecord)
TASKS, BUNDLES, EXPECTED = "tasks.jsonl", "bundles.jsonl", "expected_calls.jsonl"


@dataclass(frozen=True)
class Release:
    """A release that was read. Maps keep the order of their files; what the folder does not hold is empty.

    `tasks` and `expected` go by task id, `bundles` by API name, `instances` (task ids in their order) by model,
    `validity` is the first filter, `novelty` the second and `solvability` the third, the latter two by model.
    """

    tasks: dict[str, ReleaseTask]
    bundles: dict[str, ReleaseBundle] = field(default_factory=dict[str, ReleaseBundle])
    expected: dict[str, ExpectedCalls] = field(default_factory=dict[str, ExpectedCalls])
    instances: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    validity: dict[str, ValidityRecord] = field(default_factory=dict[str, ValidityRecord])
    novelty: dict[str, dict[str, NoveltyRecord]] = field(default_factory=dict[str, dict[str, NoveltyRecord]])
    solvability: dict[str, dict[str, ValidityRecord]] = field(default_factory=dict[str, dict[str, ValidityRecord]])


def load_release(folder: Path) -> Release:
    """Everything that `folder` holds under the published names; only `tasks.jsonl` must be there.

    Raises:
        CorruptRecord: for a line that is no such record, naming file, line and field; for a record twice; for an
            instance, a filter or an expected call of a task that `tasks.jsonl` does not hold.
    """
    tasks = load_tasks(folder / TASKS)
    expected = folder / EXPECTED
    return Release(
        tasks=tasks,
        bundles=_read(folder / BUNDLES, ReleaseBundle, "api_name") if (folder / BUNDLES).exists() else {},
        expected=load_expected(expected, tasks) if expected.exists() else {},
        instances={
            path.stem: tuple(load_instance(path, tasks)) for path in sorted((folder / "instances").glob("*.txt"))
        },
        validity=_filters(folder / "filters" / "c1.jsonl", ValidityRecord, tasks),
        novelty={p.stem: _filters(p, NoveltyRecord, tasks) for p in _models(folder / "filters" / "c2")},
        solvability={p.stem: _filters(p, ValidityRecord, tasks) for p in _models(folder / "filters" / "c3")},
    )


def is_release(path: Path) -> bool:
    """True if the first line of a tasks file is one of the release's tasks: its harness brings a test as text."""
    for _, line in _lines(path):
        try:
            row = json.loads(line)
        except ValueError:
            return False
        harness = cast("dict[str, Any]", row).get("test_harness") if isinstance(row, dict) else None
        return isinstance(harness, dict) and "execution_test" in harness
    return False


def load_tasks(path: Path) -> dict[str, ReleaseTask]:
    """The tasks of a file by their id; see `load_release` for what it refuses."""
    return _read(path, ReleaseTask)


def load_expected(path: Path, tasks: dict[str, ReleaseTask]) -> dict[str, ExpectedCalls]:
    """The recorded calls of the references, by task id; those of other tasks are left out."""
    found = _read(path, ExpectedCalls)
    return {task_id: record for task_id, record in found.items() if task_id in tasks}


def load_instance(path: Path, tasks: dict[str, ReleaseTask]) -> list[str]:
    """The task ids of an instance file, one a line, in their order.

    Raises:
        CorruptRecord: for an id twice, or one that `tasks` does not hold.
    """
    ids: list[str] = []
    for number, line in _lines(path):
        task_id = line.decode("utf-8", "replace").strip()
        if task_id in ids:
            raise CorruptRecord(f"{path}:{number} names task {task_id} a second time; remove one of the two lines")
        if task_id not in tasks:
            raise CorruptRecord(f"{path}:{number} names task {task_id}, which the tasks file does not hold")
        ids.append(task_id)
    if not ids:
        raise CorruptRecord(f"{path} names no task")
    return ids


def select(tasks: dict[str, ReleaseTask], instance: Path | None) -> dict[str, ReleaseTask]:
    """The tasks of an instance in its order, or all.

    Raises:
        UsageError: when there is no such file.
    """
    if instance is None:
        return tasks
    if not instance.is_file():
        raise UsageError(f"{instance} is no file; --instance takes a text file of task ids, one a line")
    return {task_id: tasks[task_id] for task_id in load_instance(instance, tasks)}


def _filters(path: Path, kind: type[R], tasks: dict[str, ReleaseTask]) -> dict[str, R]:
    if not path.exists():
        return {}
    found = _read(path, kind)
    unknown = next((task_id for task_id in found if task_id not in tasks), None)
    if unknown is not None:
        raise CorruptRecord(f"{path} is about task {unknown}, which {TASKS} does not hold")
    return found


def _models(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.jsonl") if ".completions" not in path.name)


def _read(path: Path, kind: type[R], key: str = "task_id") -> dict[str, R]:
    """The records of a file by the text in their field `key`."""
    found: dict[str, R] = {}
    for number, line in _lines(path):
        try:
            record = kind.model_validate_json(line)
        except ValidationError as error:
            raise CorruptRecord(f"{path}:{number} is not a {kind.__name__}: {_problem(error, line)}") from error
        name: str = getattr(record, key)
        if name in found:
            raise CorruptRecord(f"{path}:{number} holds {name} a second time; remove one of the two lines")
        found[name] = record
    if not found:
        raise CorruptRecord(f"{path} holds no {kind.__name__}")
    return found


def _problem(error: ValidationError, line: bytes) -> str:
    """The first field that is wrong, and whose it is."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{_whose(line)}{where}: {first['msg']}" if where else first["msg"]


def _whose(line: bytes) -> str:
    try:
        row = json.loads(line)
    except ValueError:
        return ""
    task_id = cast("dict[str, Any]", row).get("task_id") if isinstance(row, dict) else None
    return f"task {task_id}, " if isinstance(task_id, str) else ""


def _lines(path: Path) -> Iterable[tuple[int, bytes]]:
    lines = enumerate(read_bytes(path).split(b"\n"), start=1)
    return [(number, line) for number, line in lines if line.strip()]
