"""The rows of the tables that an analysis writes. Rates and shares are in 0..1, differences in -1..1."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CellRow:
    """One cell: pass@1 with its interval, what it stands on, and its bounds (see `statistics.CellEstimate`).

    `pass_at_k` and `pass_hat_k` are for `k`, the least number of judged samples of a task; `macro` is the mean of the
    pass@1 of its `libraries`.
    """

    experiment: str
    model: str
    cell: str
    title: str
    tasks: int
    apis: int
    samples: int
    passed: int
    failed: int
    suspect: int
    infra: int
    cut: int
    pass_at_1: float | None
    low: float
    high: float
    lowest: float | None
    highest: float | None
    design_effect: float | None
    k: int
    pass_at_k: float | None
    pass_hat_k: float | None
    libraries: int
    macro: float | None


@dataclass(frozen=True)
class ShareRow:
    """The number of samples of a cell with an outcome; a fail is told by its label."""

    experiment: str
    cell: str
    outcome: str
    samples: int
    share: float


@dataclass(frozen=True)
class GainRow:
    """The gain of `cell` over `against` on shared tasks; `p_holm` is corrected over all rows of its `family`.

    `scope` is all, added or modified. `lowest` and `highest` are the bounds over unclear samples.
    """

    family: str
    experiment: str
    model: str
    scope: str
    cell: str
    against: str
    title: str
    tasks: int
    apis: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    mcnemar: float
    detectable: float | None
    lowest: float
    highest: float


@dataclass(frozen=True)
class InteractionRow:
    """The gain of `cell` over `against` on modified APIs less that on added ones."""

    family: str
    experiment: str
    model: str
    cell: str
    against: str
    modified_apis: int
    added_apis: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float


@dataclass(frozen=True)
class SharedRow:
    """A cell on the tasks that it has verdicts on in every experiment."""

    cell: str
    experiment: str
    model: str
    tasks: int
    pass_at_1: float | None
    low: float
    high: float


@dataclass(frozen=True)
class RankRow:
    """Retrieval by the rank of the task's API among all: the retrieved cell, and the oracle cell on the same tasks."""

    experiment: str
    cell: str
    rank: str
    tasks: int
    retrieved: float | None
    low: float
    high: float
    oracle: float | None


@dataclass(frozen=True)
class BypassRow:
    """The ways past the target in answers that chose another API, by the text of the answer (`bypass_mode`)."""

    experiment: str
    cell: str
    mode: str
    samples: int
    share: float


@dataclass(frozen=True)
class MeasureRow:
    """A measure of an adapted model on one kind of prompt, by `apigap adapt measure`; see `adaptation.measures`."""

    experiment: str
    method: str
    kind: str
    prompts: int
    likelihood: float
    base_likelihood: float
    exact: float
    base_exact: float
    divergence: float
    agreement: float


@dataclass(frozen=True)
class ControlRow:
    """The control tasks, on APIs that every model knows, that `model` (base or adapted) passes; with 95 % interval."""

    experiment: str
    method: str
    model: str
    asked: int
    passed: int
    low: float
    high: float


@dataclass(frozen=True)
class CostRow:
    """The cost of an adaptation: minutes of `processors`, with loading and export, and the most memory of a session.

    `values_reused` are those that an edit took from the cache: their search is not in its minutes.
    """

    experiment: str
    method: str
    examples: int
    minutes: float
    peak_mib: int
    processors: int
    values_reused: int | None


@dataclass(frozen=True)
class FixedRow:
    """Of the samples that fail in `against` with a label: how many pass in `cell`."""

    experiment: str
    cell: str
    against: str
    label: str
    failed: int
    fixed: int
