"""A sentence encoder tuned on query files, and what that is worth on queries of tools that it has not seen."""

from collections.abc import Sequence
from pathlib import Path

from apigap.benchmarks.toolllm.queries import Query, load_queries
from apigap.benchmarks.toolllm.retrieve import TUNING, Corpus, RetrieverScore, search, text_hash
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.store import write_records
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.index import SearcherName
from apigap.retrieval.minilm_folder import minilm_folder
from apigap.retrieval.tuning import Material, Recipe, tune

SCORES = "tuning.jsonl"
TUNED = "tuned"
_BEFORE: tuple[SearcherName, ...] = ("bm25", "dense", "hybrid")
_AFTER: tuple[SearcherName, ...] = ("dense", "hybrid")


def tune_toolllm(
    queries: Sequence[Path], folder: Path, base: str, recipe: Recipe, share: float, progress: Progress
) -> list[RetrieverScore]:
    """Tune `base` on a part of the queries, save it in `folder`, and search for the others before and after.

    `share` of the queries are measured on; they have no tool in common with those that are learned from
    (`split_by_tools`). They are searched for among the APIs of all queries. Scores are kept beside the encoder.

    Raises:
        CorruptRecord: when a file is no query file.
        InfrastructureError: when sentence-transformers is not installed.
        UsageError: when one part has no query, `base` cannot be tuned, or `folder` holds another encoder.
    """
    rows = load_queries(queries)
    learned, measured = split_by_tools(rows, share, recipe.seed)
    if not learned or not measured:
        raise UsageError(f"{len(learned)} queries to learn from and {len(measured)} to measure on; change --share")
    source = _source(base, progress)
    made_from = {
        "queries": [file_hash(path) for path in queries],
        "base": load_embedder(str(source)).describe(),
        "recipe": recipe.model_dump(mode="json"),
        "share": share,
        "tuned_on": sorted(map(text_hash, learned)),
    }
    stage = Stage(folder / TUNING, "toolllm tune", made_from)
    if not stage.complete:
        losses = tune(source, _material(learned), recipe, folder, progress.step("steps"))
        stage.finish({"learned": len(learned), "measured": len(measured), "losses": [round(x, 4) for x in losses]})
    corpus = Corpus.of(rows, measured)
    before = search(measured, corpus, _BEFORE, base, progress)
    after = search(measured, corpus, _AFTER, str(folder.resolve()), progress)
    scores = [*before, *(score.model_copy(update={"embedder": TUNED}) for score in after)]
    write_records(folder / SCORES, scores)
    return scores


def split_by_tools(queries: Sequence[Query], share: float, seed: int = 0) -> tuple[list[Query], list[Query]]:
    """Two parts of the queries; the second holds `share` of them, or a few more.

    Queries that offer a common tool, be it through others, are on the same side: no API of the second part, relevant or
    not, is in the first. Which group goes where is drawn by the hash of its tools and `seed`, whatever their order.
    """
    groups = sorted(_groups(queries), key=lambda group: content_hash([seed, min(query.tools for query in group)]))
    kept: set[str] = set()
    for group in groups:
        if len(kept) >= share * len(queries):
            break
        kept |= {query.task_id for query in group}
    return [q for q in queries if q.task_id not in kept], [q for q in queries if q.task_id in kept]


def _groups(queries: Sequence[Query]) -> list[list[Query]]:
    """The queries that hang together by their tools."""
    above: dict[str, str] = {}

    def root(tool: str) -> str:
        while above.setdefault(tool, tool) != tool:
            above[tool] = tool = above[above[tool]]
        return tool

    for query in queries:
        for api in query.apis:
            above[root(api.tool_name)] = root(query.apis[0].tool_name)
    found: dict[str, list[Query]] = {}
    for query in queries:
        found.setdefault(root(query.apis[0].tool_name), []).append(query)
    return list(found.values())


def _source(base: str, progress: Progress) -> Path | str:
    if base == "lexical":
        raise UsageError("the embedder lexical has nothing to tune; take minilm, a folder or ORGANISATION/NAME")
    return minilm_folder(progress.note) if base == "minilm" else base


def _material(queries: Sequence[Query]) -> Material:
    corpus = Corpus.of(queries)
    return Material([query.question for query in queries], corpus.texts, corpus.relevant)
