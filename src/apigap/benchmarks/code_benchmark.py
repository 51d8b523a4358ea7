"""Common ground of the benchmarks whose answers are code that runs in a sandbox."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from apigap.benchmarks.code_verdicts import CodeTask
from apigap.cluster.engines import engine_of
from apigap.evaluation.benchmark import Benchmark
from apigap.evaluation.item import Item
from apigap.evaluation.options import JUDGING, Options
from apigap.evaluation.predictions import Answers
from apigap.models.extraction import Extraction, extract_code
from apigap.records.configuration import EngineName, Settings
from apigap.records.names import first_of
from apigap.records.progress import Unseen
from apigap.records.result import Result
from apigap.sandbox.engine import Engine

T = TypeVar("T", bound=CodeTask)


class MachineOptions(Options):
    """The machine that runs answers."""

    workers: Annotated[int | None, Field(ge=1, description="Programs at a time; default: 2."), JUDGING] = None
    cold: Annotated[bool, Field(description="A new interpreter for every program; same verdicts."), JUDGING] = False
    unsafe_local: Annotated[
        bool, Field(description="Run generated code WITHOUT isolation; every result is marked."), JUDGING
    ] = False

    engine: Annotated[EngineName | None, Field(description="Where programs run; default: local."), JUDGING] = None
    address: Annotated[
        str | None,
        Field(description="The Ray cluster's HOST:PORT; default: the one that Ray finds, else this machine."),
        JUDGING,
    ] = None

    def sandboxes(self, settings: Settings) -> Engine:
        """The engine that these options and `settings` ask for."""
        given = {"workers": self.workers, "engine": self.engine, "address": self.address}
        chosen = {name: value for name, value in given.items() if value is not None}
        execution = settings.execution.model_copy(update=chosen)
        return engine_of(execution, self.unsafe_local, self.cold, settings.packages)


class CodeBenchmark(Benchmark[T, Extraction]):
    """A benchmark whose options are `MachineOptions`, with more of its own."""

    judges_at_once = True

    def parse(self, response: str, task: T) -> Extraction:
        """The code in a response; never raises."""
        return extract_code(response, task.context_code)

    def score(self, task: T, artifact: Extraction, sample: int = 0) -> Result:
        """The verdict on one answer, in a sandbox that is made for it."""
        results: list[Result] = []
        with self.judging([task], Unseen()) as judging:
            judging.judge([Item(task, sample, artifact)], results.append)
        return results[0]

    def engine(self) -> Engine:
        """The engine that the settings and the options ask for."""
        machine: MachineOptions = self.options
        return machine.sandboxes(self.settings)


def unanswered(tasks: Sequence[CodeTask], answers: Answers, answered_only: bool) -> tuple[str, ...]:
    """The ids of the tasks without any answer; none where only the answered ones count."""
    answered = {prediction.task_id for prediction in answers.predictions if prediction.samples}
    return () if answered_only else tuple(task.task_id for task in tasks if task.task_id not in answered)


def unanswered_note(missing: Sequence[str]) -> list[str]:
    """A line on tasks that are `missing`, where there are any."""
    if not missing:
        return []
    return [f"{len(missing)} more tasks have no answer and are not in pass@1: {first_of(missing)}"]
