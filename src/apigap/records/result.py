"""Evaluation: answers of a model, and the verdict on each."""

from itertools import accumulate
from typing import Any, Literal, Self, get_args

from pydantic import ConfigDict, field_validator

from apigap.records.base import Record
from apigap.records.errors import UsageError

Outcome = Literal["pass", "fail", "infra", "suspect", "cut"]
WITHOUT_VERDICT: frozenset[Outcome] = frozenset({"infra", "cut"})
"""Outcomes that are in no denominator: the machine stood in the way, or the answer was ended before it was whole."""
FailureLabel = Literal["WrongAPISelection", "WrongImport", "WrongSyntax", "WrongParam", "WrongShapeDtype", "WrongLogic"]
FAILURE_LABELS: tuple[FailureLabel, ...] = get_args(FailureLabel)


class Prediction(Record):
    """Raw response texts to one task, whose id may be written as a number; any further key is kept as it came."""

    model_config = ConfigDict(frozen=True, extra="allow")

    task_id: str
    samples: tuple[str, ...]

    @field_validator("task_id", mode="before")
    @classmethod
    def _of_a_number(cls, value: object) -> object:
        """Queries have numbers as ids, and programs write them as such."""
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @property
    def endings(self) -> tuple[str, ...]:
        """The `StopReason` of each sample; `stop` where the file does not say."""
        told: Any = (self.model_extra or {}).get("stop_reasons")
        if not isinstance(told, (list, tuple)) or len(told) != len(self.samples):  # pyright: ignore[reportUnknownArgumentType]
            return ("stop",) * len(self.samples)
        return tuple(map(str, told))  # pyright: ignore[reportUnknownArgumentType]


MAX_JUDGED = 20_000
"""Characters of ASCII kept of an answer; others count for as many as they take in JSON."""


class Judged(Record):
    """The part of an answer that was judged: extracted code, or calls as JSON. `cut` counts characters left out."""

    text: str
    cut: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """`text`, of which as much is kept as `MAX_JUDGED` allows."""
        sizes = accumulate(1 if sign < "\x80" else 6 if sign < "\U00010000" else 12 for sign in text[:MAX_JUDGED])
        kept = sum(size <= MAX_JUDGED for size in sizes)
        return cls(text=text[:kept], cut=len(text) - kept)

    def __str__(self) -> str:
        """The text, with a mark at its end where it was cut."""
        return f"{self.text}\n... ({self.cut} more characters)" if self.cut else self.text


class Result(Record):
    """The verdict on one sample.

    `outcome` is `infra` where the machine stood in the way, `cut` where something else than the model ended the answer
    before it was whole (`detail` says in `ended` what). `score` is 1.0 for a pass and the share of scenario
    observations that hold otherwise, for reading only. `label` is one of the six classes for a fail and null for
    everything else. `evaluator` is the hash of the code that judged; results of different evaluators are never mixed.
    `judged` is the part of the answer that the verdict is about, `about` the API, dialogue or tools of the task:
    samples about the same are no independent observations. `part` names the part of the benchmark. Results of earlier
    versions have none of these three.
    """

    task_id: str
    sample: int
    outcome: Outcome
    passed: bool
    score: float
    label: FailureLabel | None
    detail: dict[str, Any]
    evaluator: str
    seconds: float
    judged: Judged | None = None
    about: str = ""
    part: str = ""

    @property
    def has_verdict(self) -> bool:
        """False where nothing can be said of the answer: it is neither a pass nor a fail."""
        return self.outcome not in WITHOUT_VERDICT

    @property
    def judged_text(self) -> str:
        """The code or calls that were judged.

        Raises:
            UsageError: when the result was made by a version that did not keep them.
        """
        if self.judged is None:
            raise UsageError(
                f"the verdict on task {self.task_id} was stored without the code that it is about, by an earlier "
                "version; remove the results file with its manifest, and score the predictions again"
            )
        return str(self.judged)


class VerdictRow(Record):
    """The columns of a `Result` that statistics are made of; the rest of its line is left where it is."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str
    sample: int
    outcome: Outcome
    passed: bool
    score: float
    label: FailureLabel | None
    evaluator: str
    seconds: float
    about: str = ""
    part: str = ""
