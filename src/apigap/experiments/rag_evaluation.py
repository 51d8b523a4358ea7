"""Does retrieval find what a task needs, and how much of it reaches the prompt? Per condition and searcher."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from apigap.experiments.rag import Retrieval, query_of, retrieve
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.task import Task
from apigap.retrieval.context_assembly import Knowledge
from apigap.retrieval.index import SearcherName
from apigap.retrieval.searcher import Searcher
from apigap.statistics import clustered_wilson


class TaskSearch(Record):
    """The outcome of one search for one task.

    `rank` is the place of the task's API among all APIs of the index, each at its best chunk; None where it was not
    found. `shown` is the share of its text that the prompt holds, in tokens, `control` that which it holds where only
    its own chunks are searched; `left_out` counts chunks for which the prompt had no room.
    """

    task_id: str
    api_name: str
    library: str
    condition: str
    searcher: SearcherName
    rank: int | None
    shown: float
    control: float
    left_out: int


class RetrievalScore(Record):
    """The means over the tasks of one condition and searcher.

    Ranks are those of APIs, not chunks. `in_prompt` is the share of tasks of whose API anything is shown, with a 95 %
    interval clustered by API. `without` counts tasks whose API has nothing to show under the condition: they are in no
    other number. `median_rank` counts what was not found as last. One API is right, so `mrr` (Voorhees 1999) is the
    mean of 1 / rank, and `ndcg_at_k` (Järvelin and Kekäläinen 2002) that of 1 / log2(rank + 1), 0 beyond the first k.
    """

    condition: str
    searcher: SearcherName
    query: str
    k: int
    apis: int
    chunks: int
    tasks: int
    without: int
    hit_at_1: float
    hit_at_k: float
    mrr: float
    ndcg_at_k: float
    median_rank: float
    in_prompt: float
    in_prompt_interval: tuple[float, float]
    shown: float
    control: float
    left_out: int


@dataclass(frozen=True)
class Evaluated:
    """The table, and what it was made of."""

    scores: tuple[RetrievalScore, ...]
    found: tuple[TaskSearch, ...]


def evaluate_retrieval(
    retrieval: Retrieval, tasks: Sequence[Task], conditions: Sequence[str], searchers: Sequence[SearcherName]
) -> Evaluated:
    """Search for every task under every condition by every searcher.

    Raises:
        UsageError: when under a condition no task's API has anything to show.
    """
    scores: list[RetrievalScore] = []
    rows: list[TaskSearch] = []
    step = retrieval.progress.step("searches")
    total = len(conditions) * len(searchers)
    for condition in conditions:
        for name in searchers:
            step(len(scores), total)
            score, found = _evaluate_one(retrieval, tasks, condition, name)
            scores.append(score)
            rows += found
    step(total, total)
    return Evaluated(tuple(scores), tuple(rows))


def _evaluate_one(
    retrieval: Retrieval, tasks: Sequence[Task], condition: str, name: SearcherName
) -> tuple[RetrievalScore, list[TaskSearch]]:
    settings = retrieval.settings
    searcher = retrieval.searcher(condition, name)
    tokens = _tokens(searcher)
    asked = [task for task in tasks if task.api_name in tokens]
    if not asked:
        raise UsageError(
            f"none of the {len(tasks)} tasks is about an API that has something to show under {condition!r}; "
            "give their bundles with --knowledge"
        )
    ranked = searcher.documents([query_of(task, settings.query) for task in asked])
    found = retrieve(searcher, asked, settings)
    control = retrieve(searcher, asked, settings, control=True)
    rows = [
        TaskSearch(
            task_id=task.task_id, api_name=task.api_name, library=task.library, condition=condition, searcher=name,
            rank=apis.index(task.api_name) + 1 if task.api_name in apis else None,
            shown=_share(found[task.task_id], tokens[task.api_name]),
            control=_share(control[task.task_id], tokens[task.api_name]),
            left_out=len(found[task.task_id].left_out),
        )
        for task, apis in zip(asked, ranked, strict=True)
    ]  # fmt: skip
    ranks, k = [row.rank or math.inf for row in rows], settings.k
    in_prompt = clustered_wilson([row.shown > 0 for row in rows], [row.api_name for row in rows])
    score = RetrievalScore(
        condition=condition, searcher=name, query=settings.query, k=k,
        apis=len(tokens), chunks=len(searcher.chunks), tasks=len(asked), without=len(tasks) - len(asked),
        hit_at_1=fmean(rank == 1 for rank in ranks),
        hit_at_k=fmean(rank <= k for rank in ranks),
        mrr=fmean(1 / rank for rank in ranks),
        ndcg_at_k=fmean(1 / math.log2(rank + 1) if rank <= k else 0.0 for rank in ranks),
        median_rank=median(row.rank or len(tokens) for row in rows),
        in_prompt=fmean(row.shown > 0 for row in rows),
        in_prompt_interval=(in_prompt.low, in_prompt.high),
        shown=fmean(row.shown for row in rows),
        control=fmean(row.control for row in rows),
        left_out=sum(row.left_out for row in rows),
    )  # fmt: skip
    return score, rows


def _tokens(searcher: Searcher) -> dict[str, dict[str, int]]:
    """Per document the tokens of each of its chunks, by the chunk's id."""
    tokens: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for chunk in searcher.chunks:
        tokens[chunk.document][chunk.chunk_id] = chunk.tokens
    return dict(tokens)


def _share(knowledge: Knowledge, tokens: Mapping[str, int]) -> float:
    """The share of a document's tokens that are shown."""
    return sum(tokens.get(chunk, 0) for chunk in knowledge.shown) / sum(tokens.values())
