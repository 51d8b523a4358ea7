"""Search for APIs among all that query files offer: how well each searcher ranks the relevant ones."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apigap.benchmarks.toolllm.queries import Api, Query, load_queries
from apigap.records.base import Record, content_hash
from apigap.records.errors import UsageError
from apigap.records.manifest import read_manifest
from apigap.records.progress import Progress
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.index import SearcherName
from apigap.retrieval.kept_vectors import KeptVectors
from apigap.retrieval.rankers import DenseRanker, FusedRanker, LexicalRanker, Ranker, Ranking

NDCG_AT = (1, 3, 5)
RECALL_AT = (5, 10)
TUNING = "tuning.manifest.json"
"""Beside an encoder that was tuned here: what on."""
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


class RetrieverScore(Record):
    """Means over the queries of one set by one searcher, by the k of NDCG@k and recall@k.

    `embedder` is what the searcher's vectors are of; empty where it has none.
    """

    set: str
    searcher: SearcherName
    embedder: str = ""
    queries: int
    documents: int
    ndcg: dict[int, float]
    recall: dict[int, float]


def retrieve_toolllm(
    queries: Sequence[Path], searchers: Sequence[SearcherName], embedder: str, progress: Progress
) -> list[RetrieverScore]:
    """Search for every query among the APIs of all files, by every searcher; scores per set and over all.

    A document is one text: an encoder sees its beginning, as far as it reads. Queries that the encoder was tuned on are
    searched in, but not for.

    Raises:
        CorruptRecord: when a file is no query file.
        InfrastructureError: when a part of retrieval is not installed.
        UsageError: when the encoder was tuned on every query.
    """
    rows = load_queries(queries)
    known = tuned_on(Path(embedder))
    asked = [query for query in rows if text_hash(query) not in known]
    if not asked:
        raise UsageError(f"{embedder} was tuned on all of these queries; search for others")
    if len(asked) < len(rows):
        progress.note(f"{len(rows) - len(asked)} of {len(rows)} queries are left out: {embedder} was tuned on them")
    return search(asked, Corpus.of(rows, asked), searchers, embedder, progress)


def search(
    asked: Sequence[Query], corpus: Corpus, searchers: Sequence[SearcherName], embedder: str, progress: Progress
) -> list[RetrieverScore]:
    """Search for each query in `asked` among the documents of `corpus`, whose `relevant` are theirs."""
    scores: list[RetrieverScore] = []
    dense = _dense(corpus, embedder, progress) if set(searchers) - {"bm25"} else None
    step = progress.step("searches")
    for number, name in enumerate(searchers):
        step(number, len(searchers))
        rankings = _ranker(name, corpus, dense).rank([query.question for query in asked])
        scores += _scores(name, "" if name == "bm25" else embedder, asked, corpus, rankings)
    step(len(searchers), len(searchers))
    return scores


def text_hash(query: Query) -> str:
    """The identity of a query, whatever file it is in: splits give one id to several."""
    return content_hash(query.question)


def tuned_on(folder: Path) -> frozenset[str]:
    """The queries that the encoder in `folder` was tuned on, as its manifest says, by `text_hash`; else none."""
    path = folder / TUNING
    return frozenset(read_manifest(path).made_from.get("tuned_on", ())) if path.is_file() else frozenset()


def _ranker(name: SearcherName, corpus: Corpus, dense: Ranker | None) -> Ranker:
    if name == "dense":
        assert dense is not None
        return dense
    lexical = LexicalRanker(corpus.texts)
    return lexical if name == "bm25" or dense is None else FusedRanker([dense, lexical])


def _dense(corpus: Corpus, name: str, progress: Progress) -> DenseRanker:
    found: Embedder = load_embedder(name, progress.note)
    embedder = found if name == "lexical" else KeptVectors(found, progress.step(f"texts embedded by {name}"))
    return DenseRanker.over(corpus.texts, embedder)


def _scores(
    name: SearcherName, embedder: str, rows: Sequence[Query], corpus: Corpus, rankings: Sequence[Ranking]
) -> list[RetrieverScore]:
    measured: list[tuple[str, dict[int, float], dict[int, float]]] = []
    for query, wanted, ranking in zip(rows, corpus.relevant, rankings, strict=True):
        scores = np.zeros(len(corpus.texts))
        scores[ranking.numbers[: ranking.found]] = ranking.scores[: ranking.found]
        if ranking.found < len(scores):  # what was not found is last, whatever scores the others have
            scores[ranking.numbers[ranking.found :]] = -np.inf
        relevant = np.isin(np.arange(len(scores)), sorted(wanted))
        gains = {k: ndcg(scores, relevant, k) for k in NDCG_AT}
        measured.append((query.set_name, gains, {k: recall(scores, relevant, k) for k in RECALL_AT}))
    sets = [*dict.fromkeys(query.set_name for query in rows), "all"]
    return [
        RetrieverScore(
            set=one, searcher=name, embedder=embedder, queries=len(chosen), documents=len(corpus.texts),
            ndcg={k: float(np.mean([row[1][k] for row in chosen])) for k in NDCG_AT},
            recall={k: float(np.mean([row[2][k] for row in chosen])) for k in RECALL_AT},
        )
        for one in sets
        if (chosen := [row for row in measured if one in (row[0], "all")])
    ]  # fmt: skip


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
