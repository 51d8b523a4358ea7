"""The judge of an experiment's cells: environments at hand, the memory of verdicts, and what a verdict hangs on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi.cells import score_cell
from apigap.benchmarks.novelapi.judge import CodeItem, NovelApiJudge, evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.gates.provenance import execution_in_force
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache


class CellJudge:
    """Judges the answers of cells to `tasks` or some of them; their environments are made first.

    Raises:
        EnvironmentFailure: when no library of the tasks can be installed.
    """

    def __init__(self, tasks: Sequence[Task], settings: Settings, engine: Engine, progress: Progress) -> None:
        self._engine = engine
        self._progress = progress
        self._homes = homes_at_hand(tasks, engine, progress)
        self._verdicts = VerdictCache(engine) if settings.execution.cache else None
        self.made_from: dict[str, Any] = {
            "execution": execution_in_force(settings.execution, engine),
            "evaluator": evaluator_hash(),
            "environments": locks_of(self._homes),
        }

    def score(self, tasks: Sequence[Task], folder: Path, model: str) -> list[Result]:
        """The verdicts on the answers of `model` to `tasks` in the folder of a cell; see `score_cell`."""
        return score_cell(self._judge(), tasks, folder, self.made_from, self._progress, model)

    def verdicts(self, items: Sequence[CodeItem]) -> list[Result]:
        """The verdicts on single answers, in order; nothing is written."""
        return self._judge().score_all(items)

    def _judge(self) -> NovelApiJudge:
        return NovelApiJudge(self._engine, self._homes, self._verdicts)
