"""Known-API controls: tasks on APIs that every model knows, put to it as C2 puts new ones.

A model that fails these too fails C2's tasks for another reason than novelty: it does not follow the prompt, or cannot
write such code at all.
"""

from pathlib import Path

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.evaluation.model_pool import Models
from apigap.gates.judged_answers import judge_answers
from apigap.records.base import Record
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.statistics import clustered_wilson

CONTROLS = Path(__file__).parent.parent / "controls"
LEAST_RATE = 0.5


class ControlReport(Record):
    """The control tasks that a model passes greedily, with the 95 % interval; `failed` are the APIs of the others."""

    asked: int
    passed: int
    low: float
    high: float
    failed: tuple[str, ...]

    def __str__(self) -> str:
        """One line for people."""
        if not self.asked:
            return "no answer to a control task has a verdict: they were cut, or could not be judged"
        summary = f"the model passes {self.passed} of {self.asked} control tasks, on APIs that it must know"
        if self.passed >= LEAST_RATE * self.asked:
            return summary
        return f"{summary}: what it fails says little of novelty (it fails {', '.join(self.failed[:3])})"


def control_tasks() -> list[Task]:
    """The control tasks, by library."""
    return [task for path in sorted(CONTROLS.glob("*.jsonl")) for task in load_records(path, Task)]


def ask_controls(
    model: str, settings: Settings, engine: Engine, models: Models, progress: Progress, answers: Path
) -> ControlReport:
    """Put the control tasks to `model`, once and greedily; the answers are kept in `answers`.

    Raises:
        EnvironmentFailure: when a library of the controls cannot be installed.
        ModelUnavailable: when the model cannot be asked.
    """
    tasks = control_tasks()
    verdicts = VerdictCache(engine) if settings.execution.cache else None
    judge = NovelApiJudge(engine, homes_of(tasks, engine), verdicts)
    prompter = Prompter(settings.generation, "baseline", from_bundles({}, "baseline"))
    requests = [prompter.request(task, "baseline", 1, 0.0, settings.generation.seed) for task in tasks]
    title = f"known-API controls: {len(tasks)} tasks"
    results = judge_answers(judge, tasks, requests, models.ask(model), answers, progress, title)
    judged = [result for result in results if result.has_verdict]
    apis = {task.task_id: task.api_name for task in tasks}
    interval = clustered_wilson([result.passed for result in judged], [apis[result.task_id] for result in judged])
    failed = tuple(apis[result.task_id] for result in judged if not result.passed)
    report = ControlReport(
        asked=len(judged),
        passed=len(judged) - len(failed),
        low=round(interval.low, 4),
        high=round(interval.high, 4),
        failed=failed,
    )
    progress.note(str(report))
    return report
