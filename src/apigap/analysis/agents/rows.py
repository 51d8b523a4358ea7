"""Rows of the tables on agents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AgentCurveRow:
    """pass@1 had every agent had to stop at `at` of an `axis` (calls, tokens, seconds, dollars), with 95 %."""

    experiment: str
    cell: str
    title: str
    axis: str
    at: float
    pass_at: float
    low: float
    high: float


@dataclass(frozen=True)
class AgentAreaRow:
    """The mean of a curve from nothing to `up_to`, the most that any agent of the experiment used; 1 at best."""

    experiment: str
    cell: str
    title: str
    axis: str
    up_to: float
    area: float
    low: float
    high: float
    samples: int
    tasks: int
    apis: int


@dataclass(frozen=True)
class AgentWasteRow:
    """Samples that did not pass: where they wasted their budget, and the class of the failure at the end."""

    experiment: str
    cell: str
    title: str
    waste: str
    label: str
    samples: int
    of: int


@dataclass(frozen=True)
class AgentEvidenceRow:
    """The ways samples came to know one API; `after` is the median number of calls up to then, of those found."""

    experiment: str
    cell: str
    title: str
    api: str
    library: str
    state: str
    samples: int
    unaided: int
    found: int
    not_found: int
    passed: int
    after: float | None
    by: str
