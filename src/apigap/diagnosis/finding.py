"""The diagnosis of one failed answer, and its wording."""

import unicodedata
from dataclasses import dataclass

from apigap.records.result import FailureLabel
from apigap.records.run import ExceptionRecord

_LONGEST = 300


@dataclass(frozen=True)
class Diagnosis:
    """`label` is one of the six classes for a fail, None for every other outcome.

    `reason` is one line that a person can check; `evidence` lists the facts that the decision stands on.
    """

    label: FailureLabel | None
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The result of one rule: a label and its reason."""

    label: FailureLabel
    reason: str


def exception_text(exception: ExceptionRecord) -> str:
    """The exception as one line: `TypeError: f() got an unexpected keyword argument 'x'`."""
    return one_line(f"{exception.type}: {exception.message}" if exception.message else exception.type)


def one_line(text: str) -> str:
    """`text` on one line, without control characters, at most 300 characters."""
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text[: 4 * _LONGEST])
    line = " ".join(visible.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
