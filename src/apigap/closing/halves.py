"""Tasks in two halves for each API: those by which a text is chosen, and those by which it is measured."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from apigap.records.task import Task


class Halves(NamedTuple):
    """No task is in both. An API with one task has it in either."""

    choosing: tuple[Task, ...]
    held: tuple[Task, ...]


def halves_of(tasks: Iterable[Task], seed: int) -> Halves:
    """The tasks of each API divided by hash; of an odd number the one that is left goes to either half by hash too.

    The division of an API hangs on its own tasks and the seed alone.
    """
    apis: defaultdict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        apis[task.api_name].append(task)
    choosing: list[Task] = []
    held: list[Task] = []
    for name, own in sorted(apis.items()):
        ordered = sorted(own, key=lambda task: _hash(seed, task.task_id))
        cut = (len(ordered) + _hash(seed, name) % 2) // 2
        choosing += ordered[:cut]
        held += ordered[cut:]
    return Halves(tuple(choosing), tuple(held))


def _hash(seed: int, word: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}\0{word}".encode()).digest()[:8], "big")
