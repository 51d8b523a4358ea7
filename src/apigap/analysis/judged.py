"""The verdicts of one cell as a comparison needs them, and what they were made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apigap.analysis.task_facts import TaskFacts
from apigap.analysis.verdicts import Verdict, Verdicts
from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.records.columns import read_rows
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import read_manifest
from apigap.statistics import TaskCounts


@dataclass(frozen=True)
class JudgedCell:
    """Verdicts on samples. `made_from` and `asked` are from the manifests of results and predictions.

    They are empty where there is no manifest. `about` has what tasks are about, as far as the results say it.
    """

    path: Path
    verdicts: Verdicts
    evaluators: frozenset[str]
    made_from: Mapping[str, Any]
    asked: Mapping[str, Any]
    about: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def model(self) -> str | None:
        """The model that was asked, where a manifest says it."""
        model = self.asked.get("model") or self.made_from.get("model")
        return str(model.get("model")) if isinstance(model, dict) else None  # pyright: ignore

    def counts(self, facts: Mapping[str, TaskFacts]) -> TaskCounts:
        """Samples per task; `facts` holds every task of the cell."""
        rows = self.verdicts
        size = len(rows.names)
        there = np.flatnonzero(np.bincount(rows.task, minlength=size))

        def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
            return np.bincount(rows.task[chosen], minlength=size)[there].astype(np.int64)

        tasks = tuple(rows.names[place] for place in there.tolist())
        infra, suspect, cut = (count(rows.is_(outcome)) for outcome in ("infra", "suspect", "cut"))
        every = np.ones(len(rows), dtype=np.bool_)
        apis = tuple(facts[task].api_name for task in tasks)
        return TaskCounts(tasks, apis, count(every), count(rows.passed), infra, suspect, cut)


def read_cell(path: Path) -> JudgedCell:
    """The results of a cell's folder, or of a results file, with the manifests beside them.

    Raises:
        UsageError: when there are no results.
        CorruptRecord: for a line that is no result, or two verdicts on one sample.
    """
    file = path / RESULTS if path.is_dir() else path
    if not file.is_file():
        cells = [str(found.parent) for found in sorted(path.glob(f"*/{RESULTS}"))]
        near = f", such as {' or '.join(cells[:2])}" if cells else ""
        raise UsageError(
            f"{file} does not exist; give a results file, or the folder of a cell that has been judged{near}"
        )
    tasks, samples, found = list[str](), list[int](), list[Verdict]()
    evaluators: set[str] = set()
    about: dict[str, str] = {}
    known: dict[Verdict, Verdict] = {}  # a million rows share a dozen verdicts, and the names of their tasks
    for row in read_rows(file):
        verdict = Verdict(row.outcome, row.label)
        tasks.append(intern(row.task_id))
        samples.append(row.sample)
        found.append(known.setdefault(verdict, verdict))
        evaluators.add(row.evaluator)
        if row.about:
            about[tasks[-1]] = row.about
    verdicts = Verdicts.of(tasks, samples, found)
    if twice := verdicts.repeated:
        raise CorruptRecord(f"{file} has two verdicts on task {twice[0]}, sample {twice[1]}; remove one of them")
    if not verdicts:
        raise UsageError(f"{file} holds no result; judge the answers first (apigap score, or apigap run --steps eval)")
    return JudgedCell(
        file,
        verdicts,
        frozenset(evaluators),
        _made_from(file.with_name(f"{file.stem}.manifest.json")),
        _made_from(file.with_name("predictions.manifest.json")),
        about,
    )


def _made_from(path: Path) -> Mapping[str, Any]:
    return read_manifest(path).made_from if path.exists() else {}
