"""Which tasks teach, and what the others ask: the same API, another API, another library."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.store import write_records
from apigap.records.task import Task

NAMES = ("train", "same_api", "new_api", "new_library")


@dataclass(frozen=True)
class Splits:
    """`train` teaches. `same_api` are other tasks on the APIs of `train`; in `new_api` none of its APIs is asked, in
    `new_library` none of its libraries either. Every task is in one of the four.
    """

    train: tuple[Task, ...]
    same_api: tuple[Task, ...]
    new_api: tuple[Task, ...]
    new_library: tuple[Task, ...]

    def write(self, folder: Path) -> dict[str, int]:
        """Each as a tasks file in `folder`; how many tasks each has."""
        for name in NAMES:
            write_records(folder / f"{name}.jsonl", getattr(self, name))
        return {name: len(getattr(self, name)) for name in NAMES}


def split(tasks: Sequence[Task], seed: int, new_library: float = 0.2, new_api: float = 0.2) -> Splits:
    """Divide tasks: a share of libraries, then of the APIs of the rest, is kept from training.

    Of an API that is trained on, one task teaches and the others ask. What an API or a library is for depends on its
    name and the seed alone.

    Raises:
        UsageError: when one of the parts would be empty.
    """
    libraries = _first_share(sorted({task.library for task in tasks}), seed, new_library)
    rest = [task for task in tasks if task.library not in libraries]
    apis = _first_share(sorted({task.api_name for task in rest}), seed, new_api)
    train: dict[str, Task] = {}
    same: list[Task] = []
    for task in sorted((task for task in rest if task.api_name not in apis), key=lambda task: task.task_id):
        if task.api_name in train:
            same.append(task)
        else:
            train[task.api_name] = task
    found = Splits(
        tuple(sorted(train.values(), key=_order)),
        tuple(sorted(same, key=_order)),
        tuple(sorted((task for task in rest if task.api_name in apis), key=_order)),
        tuple(sorted((task for task in tasks if task.library in libraries), key=_order)),
    )
    empty = [name for name in NAMES if not getattr(found, name)]
    if empty:
        raise UsageError(
            f"the split {empty[0]} would be empty: {len(tasks)} tasks on {len({t.api_name for t in tasks})} APIs of "
            f"{len({t.library for t in tasks})} libraries are too few; give more tasks, or another share"
        )
    return found


def _first_share(names: Sequence[str], seed: int, share: float) -> frozenset[str]:
    ordered = sorted(names, key=lambda name: hashlib.sha256(f"{seed}\0{name}".encode()).digest())
    return frozenset(ordered[: round(share * len(names))])


def _order(task: Task) -> tuple[str, str, str]:
    return task.library.lower(), task.api_name, task.task_id
