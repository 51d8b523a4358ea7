"""Fewer candidates that still stand for all: maximal marginal relevance with caps. Numbers in, positions out.

Carbonell and Goldstein (1998), as the published benchmark applies it to its big libraries: take again and again the
candidate with the greatest `trade_off * relevance - (1 - trade_off) * (greatest likeness to one already taken)`.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from apigap.records.candidate import Candidate
from apigap.records.errors import UsageError

_DECIMALS = 6  # other processors sum in another order: their last bits must not decide
_DOCUMENT_CHARACTERS = 500
_LONG_DOCSTRING = 2000
_EVIDENCE = {"documented": 1.0, "used": 1.0, "__all__": 0.5, "re-export": 0.5, "docstring": 0.25}
_KIND = {"function": 1.0, "class": 1.0, "method": 0.75, "classmethod": 0.75, "staticmethod": 0.75}
_OTHER_KIND = 0.25


def select(
    candidates: Sequence[Candidate],
    vectors: NDArray[np.floating],
    *,
    most: int = 0,
    most_per_change: Mapping[str, int] | None = None,
    trade_off: float = 0.5,
) -> list[Candidate]:
    """At most `most` candidates (0: no cap), and at most `most_per_change[change]` of a change, best first.

    `vectors` has one row of length 1 per candidate (see `text_of`); the candidates are of one library. With
    `trade_off` 1 only `quality` counts, with 0 only that no two are alike. The order of the candidates does not
    matter: ties go to the first name.

    Raises:
        UsageError: when the rows do not fit, or `trade_off` is not in 0..1.
    """
    if len(vectors) != len(candidates):
        raise UsageError(f"{len(vectors)} vectors for {len(candidates)} candidates; embed each candidate once")
    if not 0 <= trade_off <= 1:
        raise UsageError(f"the trade-off {trade_off} is not between 0 (variety) and 1 (quality); 0.5 is usual")
    order = sorted(range(len(candidates)), key=lambda index: _identity(candidates[index]))
    ranked = [candidates[index] for index in order]
    rows = np.asarray(vectors, dtype=np.float64)[order] if order else np.zeros((0, 1))
    return [ranked[index] for index in _taken(ranked, rows, most, most_per_change or {}, trade_off)]


def quality(candidate: Candidate) -> float:
    """The weight of an API: kinds of evidence, length of its docstring (logarithmic, to 2,000), its kind."""
    evidence = sum(_EVIDENCE[kind] for kind in {evidence.kind for evidence in candidate.evidence})
    length = min(len(candidate.docstring or ""), _LONG_DOCSTRING)
    words = 2 * math.log1p(length) / math.log1p(_LONG_DOCSTRING)
    return evidence + words + _KIND.get(candidate.kind, _OTHER_KIND)


def text_of(candidate: Candidate) -> str:
    """The text to embed: the name and the first 500 characters of the docstring, as the published selection does."""
    return f"{candidate.api_name}: {(candidate.docstring or '')[:_DOCUMENT_CHARACTERS]}"


def _taken(
    ranked: Sequence[Candidate], rows: NDArray[np.float64], most: int, per_change: Mapping[str, int], trade_off: float
) -> Iterator[int]:
    relevance = _normalised(np.array([quality(candidate) for candidate in ranked]))
    likeness = np.zeros(len(ranked))
    free = np.ones(len(ranked), dtype=bool)
    taken: Counter[str] = Counter()
    changes = np.array([candidate.change for candidate in ranked])
    for change, cap in per_change.items():
        free &= (changes != change) | (cap > 0)
    while free.any() and (not most or taken.total() < most):
        score = np.round(trade_off * relevance - (1 - trade_off) * likeness, _DECIMALS)
        best = int(np.argmax(np.where(free, score, -np.inf)))
        yield best
        free[best] = False
        change = ranked[best].change
        taken[change] += 1
        if taken[change] >= per_change.get(change, len(ranked)):
            free &= changes != change
        alike = rows @ rows[best]
        likeness = alike if taken.total() == 1 else np.maximum(likeness, alike)


def _normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(values) or np.ptp(values) == 0:
        return np.zeros(len(values))
    return (values - values.min()) / np.ptp(values)


def _identity(candidate: Candidate) -> tuple[str, str, str]:
    """The order in which ties fall; the whole record decides where two share a name."""
    return (candidate.api_name, candidate.change, candidate.to_line())
