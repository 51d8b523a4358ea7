"""ToolBench's search for APIs: the corpus, what is relevant to a query, and the published measure of a ranking."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apigap.benchmarks.toolllm.queries import Api, Query

Scores = NDArray[np.float64]
Relevant = NDArray[np.bool_]


@dataclass(frozen=True)
class Corpus:
    """The distinct API documents of some queries; `relevant` are the numbers of those that each query needs."""

    texts: tuple[str, ...]
    relevant: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, queries: Sequence[Query], asked: Sequence[Query] | None = None) -> "Corpus":
        """The corpus of all that `queries` offer, with what is relevant to those that are `asked`, by default to all.

        An API that is described in two ways is two documents.
        """
        numbers: dict[str, int] = {}
        for query in queries:
            for api in query.apis:
                numbers.setdefault(document_text(api), len(numbers))
        relevant = [
            frozenset(numbers[document_text(api)] for api in query.apis if api.pair in query.labels)
            for query in (queries if asked is None else asked)
        ]
        return cls(tuple(numbers), tuple(relevant))


def document_text(api: Api) -> str:
    """The searched text of an API: category, tool, name, description; parameters and response schema as JSON."""
    parts = [api.category_name, api.tool_name, api.api_name, " ".join((api.api_description or "").split())]
    for parameters in (api.required_parameters, api.optional_parameters):
        parts.append(json.dumps([parameter.model_dump() for parameter in parameters], ensure_ascii=False))
    if api.template_response is not None:
        parts.append(json.dumps(api.template_response, ensure_ascii=False))
    return "\n".join(part for part in parts if part not in ("", "[]"))


def ndcg(scores: Scores, relevant: Relevant, k: int) -> float:
    """Normalised discounted cumulative gain of the first `k`, gains 0 and 1, discount log2(place + 1).

    Documents of one score share the mean of their places, as in McSherry and Najork (2008). 0 where none is relevant.
    """
    discounts = 1 / np.log2(np.arange(2, k + 2))
    ideal = float(discounts[: int(relevant.sum())].sum())
    return _gained(scores, relevant, discounts) / ideal if ideal else 0.0


def recall(scores: Scores, relevant: Relevant, k: int) -> float:
    """The share of the relevant documents among the first `k`; those of one score share the mean of their places."""
    wanted = int(relevant.sum())
    return _gained(scores, relevant, np.ones(k)) / wanted if wanted else 0.0


def _gained(scores: Scores, relevant: Relevant, weights: Scores) -> float:
    """The weights of the places of relevant documents, in the mean over all orders that the scores allow."""
    _, group, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    shares = np.bincount(group, weights=relevant, minlength=len(sizes)) / sizes
    gained, place = 0.0, 0
    for share, size in zip(shares, sizes, strict=True):
        if place >= len(weights):
            break
        gained += float(share * weights[place : place + size].sum())
        place += int(size)
    return gained
