"""Splits of tasks: those that teach, and others on the same API, another API, another library."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.store import write_records
from apigap.records.task import Task

NAMES = ("train", "same_api", "new_api", "new_library")


@dataclass(frozen=True)
class Splits:
    """`train` teaches. `same_api` are other tasks on the APIs of `train`; in `new_api` none of its APIs is asked, in
    `new_library` none of its libraries either. No task is in two of the four.
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


def split(tasks: Sequence[Task], seed: int, new_library: float = 0.2, new_api: float = 0.2, most: int = 0) -> Splits:
    """Divide tasks: a share of libraries, then of the APIs of the rest, is kept from training.

    Of an API that is trained on, one task teaches and the others ask. What an API or a library is for depends on its
    name and the seed alone. At most `most` APIs (0: all) are trained on: those first that have another task, which can
    ask, the libraries in turn. Tasks on APIs that are left over, and new APIs of libraries of which none is trained on,
    are in no part.

    Raises:
        UsageError: when one of the parts would be empty.
    """
    libraries = _first_share(sorted({task.library for task in tasks}), seed, new_library)
    rest = [task for task in tasks if task.library not in libraries]
    apis = _first_share(sorted({task.api_name for task in rest}), seed, new_api)
    train, same = _taught([task for task in rest if task.api_name not in apis], seed, most)
    near = {task.library for task in train}
    found = Splits(
        tuple(sorted(train, key=_order)),
        tuple(sorted(same, key=_order)),
        tuple(sorted((task for task in rest if task.api_name in apis and task.library in near), key=_order)),
        tuple(sorted((task for task in tasks if task.library in libraries), key=_order)),
    )
    empty = [name for name in NAMES if not getattr(found, name)]
    if empty:
        raise UsageError(
            f"the split {empty[0]} would be empty: {len(tasks)} tasks on {len({t.api_name for t in tasks})} APIs of "
            f"{len({t.library for t in tasks})} libraries are too few; give more tasks, or another share"
        )
    return found


def _taught(tasks: Sequence[Task], seed: int, most: int) -> tuple[list[Task], list[Task]]:
    """The one task of each API that teaches, and the others on the same APIs; of `most` APIs (0: of all)."""
    by_api: dict[str, list[Task]] = {}
    for task in sorted(tasks, key=lambda task: task.task_id):
        by_api.setdefault(task.api_name, []).append(task)
    kept = _first_apis(by_api, seed)[: most or None]
    return [by_api[api][0] for api in kept], [task for api in kept for task in by_api[api][1:]]


def _first_apis(by_api: Mapping[str, Sequence[Task]], seed: int) -> list[str]:
    """The APIs in the order in which they are taken: with a second task, then without, each time by library in turn."""
    places: Counter[tuple[bool, str]] = Counter()
    ranked: list[tuple[tuple[bool, int, bytes], str]] = []
    for api in sorted(by_api, key=lambda api: _draw(seed, api)):
        alone, library = len(by_api[api]) == 1, by_api[api][0].library
        places[alone, library] += 1
        ranked.append(((alone, places[alone, library], _draw(seed, api)), api))
    return [api for _, api in sorted(ranked)]


def _first_share(names: Sequence[str], seed: int, share: float) -> frozenset[str]:
    ordered = sorted(names, key=lambda name: _draw(seed, name))
    return frozenset(ordered[: round(share * len(names))])


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()


def _order(task: Task) -> tuple[str, str, str]:
    return task.library.lower(), task.api_name, task.task_id
