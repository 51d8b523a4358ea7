"""A task of any benchmark, and one sample of an answer that is to be judged."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from apigap.records.result import Result

T = TypeVar("T")
A = TypeVar("A")
OnResult = Callable[[Result], None]


class BenchmarkTask(Protocol):
    """A task of any benchmark."""

    @property
    def task_id(self) -> str:
        """The id, unique among the benchmark's tasks."""
        ...

    @property
    def api_name(self) -> str:
        """The API, dialogue or tools that the task is about: those about the same are no independent observations."""
        ...


@dataclass(frozen=True)
class Item(Generic[T, A]):
    """The `sample`-th answer to a task, as the benchmark has parsed it; `ended` says what ended it (`StopReason`)."""

    task: T
    sample: int
    artifact: A
    ended: str = "stop"
