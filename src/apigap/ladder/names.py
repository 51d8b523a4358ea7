"""The names that a library has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """The names that a library has: last parts that are `taken`, and a look-up of whole names."""

    taken: set[str]
    exists: Callable[[Sequence[str]], set[str]]
