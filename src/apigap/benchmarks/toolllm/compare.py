"""Two models' choices of APIs compared query by query."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.score import read_answers, score_answers
from apigap.evaluation.paired_gain import PairedGain, corrected, paired_gain
from apigap.records.errors import UsageError
from apigap.records.result import Result

Metric = Literal["recall", "f1", "exact"]
ALL = "all"


@dataclass(frozen=True)
class SelectionGain(PairedGain):
    """What the second answers gain over the first on the queries of a set that both have answered.

    Means are over queries, each the mean over its samples; clusters are queries that offer the same tools.
    """

    set_name: str
    metric: Metric


def compare_toolllm(queries: Sequence[Path], before: Path, after: Path) -> list[SelectionGain]:
    """Score two predictions files and compare them per set, and over all sets where there are several.

    Raises:
        CorruptRecord: when a file does not hold what it must, see `load_queries` and `read_answers`.
        UsageError: when the files share no query.
    """
    rows = ToolLlm.load(*queries)
    first, second = (_scores(rows, path) for path in (before, after))
    shared = [query for query in rows if query.task_id in first and query.task_id in second]
    if not shared:
        raise UsageError(f"{before} and {after} answer no query that is the same; ask both for the same")
    sets = {name: [q for q in shared if q.set_name == name] for name in dict.fromkeys(q.set_name for q in shared)}
    if len(sets) > 1:
        sets[ALL] = shared
    return corrected(
        [_gain(name, metric, chosen, first, second) for name, chosen in sets.items() for metric in get_args(Metric)]
    )


def _scores(queries: Sequence[Query], path: Path) -> dict[str, list[Result]]:
    results: dict[str, list[Result]] = {}
    for result in score_answers(queries, read_answers(path, queries).predictions):
        results.setdefault(result.task_id, []).append(result)
    return results


def _gain(
    name: str,
    metric: Metric,
    queries: Sequence[Query],
    first: dict[str, list[Result]],
    second: dict[str, list[Result]],
) -> SelectionGain:
    before, after = (
        [fmean(float(result.detail[metric]) for result in side[query.task_id]) for query in queries]
        for side in (first, second)
    )
    found = paired_gain(before, after, [query.tools for query in queries], smoothed=metric == "exact")
    return SelectionGain(found.before, found.after, found.difference, found.adjusted, name, metric)
