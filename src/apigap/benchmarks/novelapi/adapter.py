"""Prompts and verdicts for one condition of the novel-API benchmark, as runs and gates use them."""

from collections.abc import Mapping
from pathlib import Path

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.task_environment import Homes
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import CorruptRecord
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache


class NovelApi(Prompter, NovelApiJudge):
    """The prompts of one condition and a judge of their answers.

    `bundles` has the knowledge by API; `room` bounds a prompt, see `Prompter`; for the rest see `NovelApiJudge`.
    """

    def __init__(
        self,
        engine: Engine,
        homes: Homes,
        bundles: Mapping[str, KnowledgeBundle],
        settings: GenerationSettings,
        condition: str = "baseline",
        verdicts: VerdictCache | None = None,
        room: int | None = None,
    ) -> None:
        Prompter.__init__(self, settings, condition, from_bundles(bundles, condition), room)
        NovelApiJudge.__init__(self, engine, homes, verdicts)

    @staticmethod
    def load(source: Path) -> list[Task]:
        """The tasks of a file.

        Raises:
            CorruptRecord: for an empty file, a line that is no task, a task without an observation, or one twice.
        """
        tasks = load_records(source, Task)
        if not tasks:
            raise CorruptRecord(f"{source} holds no task")
        seen: set[str] = set()
        for task in tasks:
            if task.task_id in seen:
                raise CorruptRecord(f"{source} holds task {task.task_id} twice")
            seen.add(task.task_id)
            if not all(scenario.observations for scenario in task.harness.scenarios):
                raise CorruptRecord(f"{source}: task {task.task_id} observes nothing, so nothing could fail it")
        return tasks
