"""The judge's finding on one answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apigap.records.result import Outcome
from apigap.records.run import RunRecord


@dataclass(frozen=True)
class Verdict:
    """The judge's finding.

    `score` is 1.0 for a pass, otherwise the share of observations that hold, for reading only. `runs` are the
    runs in the order of the task's scenarios, `recorded` the watched one (None where a limit or a forgery has already
    decided; it is one of `runs` where it is right in every respect); both are empty when nothing was run.
    `detail` holds phase, exception, calls, differences (path, kind, expected and observed as text), limit, reason,
    the isolation's name and, for right values, the further evidence.
    """

    outcome: Outcome
    score: float
    detail: dict[str, Any]
    runs: tuple[RunRecord, ...]
    recorded: RunRecord | None


OnVerdict = Callable[[int, Verdict], None]
