"""The verdicts of one cell as a comparison needs them, and what they were made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from apigap.analysis.task_facts import TaskFacts
from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.records.columns import read_rows
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import read_manifest
from apigap.records.result import WITHOUT_VERDICT, FailureLabel, Outcome
from apigap.statistics import TaskCounts, count_by_task


class Verdict(NamedTuple):
    """One sample's outcome, and the label of a fail."""

    outcome: Outcome
    label: FailureLabel | None

    @property
    def judged(self) -> bool:
        """False where the infrastructure stood in the way or the answer was cut: no verdict, and never a fail."""
        return self.outcome not in WITHOUT_VERDICT

    @property
    def passed(self) -> bool:
        """True for a pass; a suspect is none."""
        return self.outcome == "pass"

    @property
    def clear(self) -> bool:
        """True for a pass or a fail."""
        return self.outcome in ("pass", "fail")

    @property
    def words(self) -> str:
        """`pass`, the label of a fail, `suspect`, `infra` or `cut`."""
        return self.label or self.outcome


@dataclass(frozen=True)
class JudgedCell:
    """Verdicts by (task_id, sample). `made_from` and `asked` are from the manifests of results and predictions.

    They are empty where there is no manifest. `about` has what tasks are about, as far as the results say it.
    """

    path: Path
    verdicts: Mapping[tuple[str, int], Verdict]
    evaluators: frozenset[str]
    made_from: Mapping[str, Any]
    asked: Mapping[str, Any]
    about: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def task_ids(self) -> frozenset[str]:
        """The tasks that have a sample."""
        return frozenset(task_id for task_id, _ in self.verdicts)

    @property
    def model(self) -> str | None:
        """The model that was asked, where a manifest says it."""
        model = self.asked.get("model") or self.made_from.get("model")
        return str(model.get("model")) if isinstance(model, dict) else None  # pyright: ignore

    def counts(self, facts: Mapping[str, TaskFacts]) -> TaskCounts:
        """Samples per task; `facts` holds every task of the cell."""
        rows = sorted(self.verdicts.items())
        tasks = [task_id for (task_id, _), _ in rows]
        return count_by_task(tasks, [facts[task_id].api_name for task_id in tasks], [v.outcome for _, v in rows])


def read_cell(path: Path) -> JudgedCell:
    """The results of a cell's folder, or of a results file, with the manifests beside them.

    Raises:
        UsageError: when there are no results.
        CorruptRecord: for a line that is no result, or two verdicts on one sample.
    """
    file = path / RESULTS if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"{file} does not exist; give a results file, or the folder of a cell that has been judged")
    verdicts: dict[tuple[str, int], Verdict] = {}
    evaluators: set[str] = set()
    about: dict[str, str] = {}
    known: dict[Verdict, Verdict] = {}  # a million rows share a dozen verdicts, and the names of their tasks
    for row in read_rows(file):
        key = (intern(row.task_id), row.sample)
        if key in verdicts:
            raise CorruptRecord(f"{file} has two verdicts on task {key[0]}, sample {key[1]}; remove one of them")
        verdict = Verdict(row.outcome, row.label)
        verdicts[key] = known.setdefault(verdict, verdict)
        evaluators.add(row.evaluator)
        if row.about:
            about[key[0]] = row.about
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
