"""One sample that is to be judged."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from apigap.records.result import Result

T = TypeVar("T")
A = TypeVar("A")
OnResult = Callable[[Result], None]


@dataclass(frozen=True)
class Item(Generic[T, A]):
    """The `sample`-th answer to a task, as the benchmark has parsed it."""

    task: T
    sample: int
    artifact: A
