"""Stated differences between groups of scores, and what guessing gives: what summaries and reports share."""

from apigap.records.base import Record


class Stated(Record):
    """A difference over pairs with its 95 % interval and two-sided p-value; where there is none, `reason` says why.

    The pairs are `families` pieces of news, each of which counts once.
    """

    estimate: float | None
    low: float | None
    high: float | None
    p_value: float | None
    pairs: int
    families: int
    reason: str | None

    def __str__(self) -> str:
        if self.estimate is None or self.low is None or self.high is None:
            return self.reason or "-"
        return f"{self.estimate:.2f} ({self.low:.2f} to {self.high:.2f})"


class Guessing(Record):
    """A measure's means over the twins of new APIs and of controls, which is what guessing gives.

    `known` is new APIs minus their twins, `control_known` controls minus theirs; `known_gap` is how much more the
    latter is.
    """

    twins: float | None
    control_twins: float | None
    known: Stated
    control_known: Stated
    known_gap: Stated
