"""Search for APIs among all that query files offer: how well each searcher ranks the relevant ones."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.retriever import Corpus, ndcg, recall
from apigap.pipeline.progress import Progress
from apigap.records.base import Record
from apigap.retrieval.embedder import Embedder, load_embedder
from apigap.retrieval.index import SearcherName
from apigap.retrieval.kept_vectors import KeptVectors
from apigap.retrieval.rankers import DenseRanker, FusedRanker, LexicalRanker, Ranker, Ranking

NDCG_AT = (1, 3, 5)
RECALL_AT = (5, 10)


class RetrieverScore(Record):
    """Means over the queries of one set by one searcher, by the k of NDCG@k and recall@k."""

    set: str
    searcher: SearcherName
    queries: int
    documents: int
    ndcg: dict[int, float]
    recall: dict[int, float]


def retrieve_toolllm(
    queries: Sequence[Path], searchers: Sequence[SearcherName], embedder: str, progress: Progress
) -> list[RetrieverScore]:
    """Search for every query among the APIs of all files, by every searcher; scores per set and over all.

    A document is one text: an encoder sees its beginning, as far as it reads.

    Raises:
        CorruptRecord: when a file is no query file.
        InfrastructureError: when a part of retrieval is not installed.
    """
    rows = ToolLlm.load(*queries)
    corpus = Corpus.of(rows)
    scores: list[RetrieverScore] = []
    dense = _dense(corpus, embedder, progress) if set(searchers) - {"bm25"} else None
    step = progress.step("searches")
    for number, name in enumerate(searchers):
        step(number, len(searchers))
        rankings = _ranker(name, corpus, dense).rank([query.question for query in rows])
        scores += _scores(name, rows, corpus, rankings)
    step(len(searchers), len(searchers))
    return scores


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
    name: SearcherName, rows: Sequence[Query], corpus: Corpus, rankings: Sequence[Ranking]
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
            set=one, searcher=name, queries=len(chosen), documents=len(corpus.texts),
            ndcg={k: float(np.mean([row[1][k] for row in chosen])) for k in NDCG_AT},
            recall={k: float(np.mean([row[2][k] for row in chosen])) for k in RECALL_AT},
        )
        for one in sets
        if (chosen := [row for row in measured if one in (row[0], "all")])
    ]  # fmt: skip
