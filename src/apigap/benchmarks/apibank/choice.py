"""The choice of tasks that a model is asked about, by level and kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from apigap.benchmarks.apibank.dialogues import Level, Task

T = TypeVar("T")


@dataclass(frozen=True)
class Selection:
    """Tasks of these levels, calls or replies or both, and at most `limit` of each kind and level (0: all)."""

    levels: tuple[Level, ...] = ("level-1", "level-2", "level-3")
    calls: bool = True
    replies: bool = True
    limit: int = 0

    def of(self, tasks: Sequence[Task]) -> list[Task]:
        """The chosen ones of a level; with a limit they are spread evenly over the files."""
        chosen: list[Task] = []
        for wanted, is_call in ((self.calls, True), (self.replies, False)):
            kind = [task for task in tasks if task.is_call == is_call] if wanted else []
            chosen += spread(kind, self.limit)
        order = {task.task_id: place for place, task in enumerate(tasks)}
        return sorted(chosen, key=lambda task: order[task.task_id])


def spread(tasks: Sequence[T], limit: int) -> list[T]:
    """At most `limit` of them (0: all), at even distances."""
    if not limit or limit >= len(tasks):
        return list(tasks)
    return [tasks[place * len(tasks) // limit] for place in range(limit)]
