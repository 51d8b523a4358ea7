"""The cost of an adaptation over all its sessions: `cost.json`, written anew as the run goes on."""

import json
import os
import resource
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from apigap.records.base import Record, canonical_json
from apigap.records.progress import Progress
from apigap.records.store import write_text

COST = "cost.json"
_PARTS = ("load_seconds", "seconds", "export_seconds")


class CostRecord(Record):
    """The content of `cost.json` that reports show: seconds by part, peak memory of a session, values of an edit."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    examples: int
    load_seconds: float
    seconds: float
    export_seconds: float
    peak_mib: int
    processors: int
    values_sought: int | None = None
    values_reused: int | None = None


class Cost:
    """Seconds by part, summed over `sessions`, and the most memory that one of them had, `peak_mib`.

    Of an edit also how many values were sought, over all sessions, and how many were taken from the cache. A session
    that is killed counts up to its last step.
    """

    def __init__(self, path: Path, examples: int) -> None:
        """Go on with what earlier sessions left at `path`."""
        self._path = path
        self._running: tuple[str, float] | None = None
        before = _read(path)
        self._spent = {part: float(before.get(part, 0.0)) for part in _PARTS}
        self._peak = int(before.get("peak_mib", 0))
        self._sought = int(before.get("values_sought", 0))
        self._counts: dict[str, Any] = {
            "sessions": int(before.get("sessions", 0)) + 1, "examples": examples,
            "processors": len(os.sched_getaffinity(0)),
        }  # fmt: skip

    @property
    def figures(self) -> dict[str, Any]:
        """The figures up to now."""
        spent = dict(self._spent)
        if self._running is not None:
            part, begun = self._running
            spent[part] += time.monotonic() - begun
        peak = max(self._peak, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return {**{part: round(seconds, 1) for part, seconds in spent.items()}, "peak_mib": peak, **self._counts}

    @contextmanager
    def timed(self, part: str) -> Generator[None]:
        """Count what is done inside as `part`."""
        begun = time.monotonic()
        self._running = (part, begun)
        try:
            yield
        finally:
            self._running = None
            self._spent[part] += time.monotonic() - begun
            self.keep()

    def values(self, done: int, sought: int) -> None:
        """Of `done` values this session sought `sought`; what no session of the run sought is `values_reused`."""
        total = self._sought + sought
        self._counts |= {"values_sought": total, "values_reused": max(0, done - total)}

    def keep(self) -> None:
        """Write the figures up to now."""
        write_text(self._path, canonical_json(self.figures) + "\n", sync=False)


@dataclass(frozen=True)
class MeteredProgress:
    """Progress that keeps the figures at each advance, too."""

    progress: Progress
    cost: Cost

    def step(self, title: str) -> Callable[[int, int], None]:
        """Start a step."""
        advance = self.progress.step(title)

        def advanced(done: int, total: int) -> None:
            self.cost.keep()
            advance(done, total)

        return advanced


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return {}
