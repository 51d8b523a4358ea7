"""Runs in several steps on disk, in both of ToolBench's formats."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.toolllm.exported import METHOD, converted_run, runner_tree
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.runs import Run
from apigap.records.names import path_part
from apigap.records.store import write_text


class RunFolder:
    """A folder that gets, for each set, `SET/QUERY_ID_CoT@1.json` per run as ToolBench's runner writes it, and
    `SET.json` with all of them as its evaluation takes them, which `apigap score toolllm --predictions` reads.
    """

    def __init__(self, folder: Path, queries: Sequence[Query]) -> None:
        self._folder = folder
        self._queries = {query.task_id: query for query in queries}
        self._converted: dict[str, dict[str, Any]] = {}

    def keep(self, run: Run) -> None:
        """Write one run; a second one of the same query takes the place of the first.

        Raises:
            InfrastructureError: when the folder cannot be written.
        """
        query = self._queries[run.task_id]
        name = path_part(f"{query.task_id}_{METHOD}@1.json", "a query")
        write_text(
            self._folder / path_part(query.set_name, "a set of queries") / name,
            json.dumps(runner_tree(run, query), indent=1) + "\n",
        )
        kept = self._converted.setdefault(query.set_name, {})
        kept[run.task_id] = converted_run(run, query)
        in_order = {key: kept[key] for key in self._queries if key in kept}
        write_text(self._folder / f"{query.set_name}.json", json.dumps(in_order, indent=1) + "\n")
