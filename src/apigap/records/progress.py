"""The progress of a long run, as a person sees it; the command line draws it."""

from collections.abc import Callable
from typing import Protocol

Advance = Callable[[int, int], None]


class Progress(Protocol):
    """Shows the steps of a run."""

    def step(self, title: str) -> Advance:
        """Start a step; call what it returns with (done, total) as the step goes on."""
        ...

    def note(self, text: str) -> None:
        """Tell one thing that happened."""
        ...


class Unseen:
    """Progress of what is over before anybody would look."""

    def step(self, title: str) -> Advance:
        """A step that is not shown."""
        del title
        return lambda done, total: None

    def note(self, text: str) -> None:
        """Leave it out."""
        del text
