"""Queries to learn from and queries to measure on, so that nothing of the ones is in the others."""

from collections.abc import Sequence

from apigap.benchmarks.toolllm.queries import Query
from apigap.records.base import content_hash


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
