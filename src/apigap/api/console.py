"""Progress of a run on standard error: bars on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

from apigap.api.terminal import drawn_on, visible
from apigap.api.time_left import TimeLeft
from apigap.records.secrets import hidden


class Console:
    """Progress bars on a terminal, one line per step elsewhere. Use it as a context manager."""

    def __init__(self) -> None:
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._console = RichConsole(file=drawn_on(sys.stderr), highlight=False)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )

    def step(self, title: str) -> Callable[[int, int], None]:
        """Start a step of the run."""
        if self._console.is_terminal:
            task, left = self._bars.add_task(visible(title), total=None, left=""), TimeLeft()

            def draw(done: int, total: int) -> None:
                self._bars.update(task, completed=done, total=total, left=left(done, total), visible=total > 0)

            return draw
        return _Lines(title)

    def note(self, text: str) -> None:
        """Print one line."""
        self._console.print(visible(hidden(text)), markup=False, soft_wrap=True)

    def __enter__(self) -> "Console":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()


class _Lines:
    """A step's progress where there is no terminal: a line at its start, at most one every ten seconds, and its end.

    A step that has nothing to do has no line.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.last = 0.0
        self.shown = -1
        self.left = TimeLeft()

    def __call__(self, done: int, total: int) -> None:
        now, left = time.monotonic(), self.left(done, total)
        if total and done != self.shown and (self.shown < 0 or done >= total or now - self.last >= 10):
            self.last, self.shown = now, done
            print(f"{self.title}: {done}/{total}{', ' if left else ''}{left}", file=sys.stderr, flush=True)
