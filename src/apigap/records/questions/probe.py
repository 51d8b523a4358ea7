"""Records of the novelty probe: questions about an API, a model's answers, and the result."""

from typing import Literal

from apigap.records.base import Record
from apigap.records.candidate import ApiKind

ProbeGroup = Literal["candidate", "known", "invented"]
ProbeQuestion = Literal["existence", "signature"]


class ProbeItem(Record):
    """One name to ask about. `parameters` are its true ones, or those that an invented name has borrowed."""

    api_name: str
    group: ProbeGroup
    kind: ApiKind
    parameters: tuple[str, ...]


class ProbeAnswer(Record):
    """One answered question. `score` grows with knowledge and is None where the answer cannot be read.

    Existence: the log odds of yes against no. Signature: F1 of the parameter names, 0..1. `yes`, `no` are the
    probabilities of both words as the first one, or counts of samples; `unread` counts answers without a meaning.
    """

    api_name: str
    question: ProbeQuestion
    prompt_hash: str
    answers: tuple[str, ...]
    score: float | None
    yes: float | None = None
    no: float | None = None
    unread: int = 0


class ProbeResult(Record):
    """The result of the probe for one API.

    `score` joins both questions in standard deviations of the controls. `novelty` is the probability that the model
    does not know the API, with its interval; None where an answer could not be read or the probe tells nothing.
    """

    item: ProbeItem
    existence: float | None
    signature: float | None
    score: float | None
    novelty: float | None = None
    low: float | None = None
    high: float | None = None


class Separation(Record):
    """The chance that a known control scores above an invented one (0.5: blind), with its interval."""

    auc: float | None
    low: float
    high: float
    known: int
    invented: int


class ProbeReport(Record):
    """All of one library and model. `tells` is false where the controls are not told apart: then no novelty is."""

    library: str
    old_version: str | None
    new_version: str
    model: str
    tells: bool
    verdict: str
    separation: dict[str, Separation]
    unread: dict[str, int]
    left_out: int
    results: tuple[ProbeResult, ...]
