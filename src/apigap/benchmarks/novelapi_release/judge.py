"""Verdicts on answers to the public NovelAPIBench release, each with the class of its failure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from apigap.benchmarks.code_verdicts import code_result, places_by
from apigap.benchmarks.task_environment import Home
from apigap.diagnosis import diagnose
from apigap.evaluation.item import Item
from apigap.models.extraction import Extraction
from apigap.records.errors import UsageError
from apigap.records.release import ExpectedCalls, ReleaseTask
from apigap.records.result import Result
from apigap.records.sources import CodeIdentity
from apigap.records.task import Harness, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.task_supplied_test.judge import (
    SuppliedTestTrial,
    judge_supplied_tests,
)
from apigap.sandbox.task_supplied_test.program import SelfTest
from apigap.sandbox.verdict.evaluator import NOT_DECIDING, PROGRAMS
from apigap.sandbox.verdict.judge import Verdict

EVALUATOR = CodeIdentity((__name__, *PROGRAMS), NOT_DECIDING)
ReleaseItem = Item[ReleaseTask, Extraction]


class ReleaseJudge:
    """Judges answers to the release's tasks. `homes` maps a library to where its tasks run."""

    def __init__(self, engine: Engine, homes: Mapping[str, Home], expected: Mapping[str, ExpectedCalls]) -> None:
        self._engine = engine
        self._homes = homes
        self._expected = expected

    def score_all(
        self, items: Sequence[ReleaseItem], on_result: Callable[[Result], None] = lambda result: None
    ) -> list[Result]:
        """The verdicts on many answers, in order; `on_result` is called for each as it is ready."""
        results: dict[int, Result] = {}
        for library, indices in self._by_library(items).items():

            def ready(place: int, verdict: Verdict, indices: Sequence[int] = indices) -> None:
                results[indices[place]] = _result(items[indices[place]], verdict)
                on_result(results[indices[place]])

            home = self._homes[library]
            trials = [self._trial(items[index]) for index in indices]
            judge_supplied_tests(self._engine, home.environment, trials, preload=home.preload, on_result=ready)
        return [results[index] for index in range(len(items))]

    def _trial(self, item: ReleaseItem) -> SuppliedTestTrial:
        task, known = item.task, self._expected.get(item.task.task_id)
        test = SelfTest(
            target=task.api_name,
            setup=task.test_harness.setup_code,
            context=task.context_code,
            test=task.test_harness.execution_test,
            reference=task.masked_region or task.reference_solution,
        )
        return SuppliedTestTrial(test, item.artifact.code, known.expected if known and known.status == "ok" else ())

    def _by_library(self, items: Sequence[ReleaseItem]) -> dict[str, list[int]]:
        groups = places_by(items, lambda task: task.library)
        missing = next((library for library in groups if library not in self._homes), None)
        if missing is not None:
            raise UsageError(f"no version of {missing} is given; say which with --versions {missing}==VERSION")
        return groups


def reference(task: ReleaseTask, known: ExpectedCalls | None) -> str:
    """The code that stood in the answer's place or, where the release says so, all of the solution."""
    whole = not task.masked_region.strip() or (known and known.reference_source == "reference_solution")
    return task.reference_solution if whole else task.masked_region


def _result(item: ReleaseItem, verdict: Verdict) -> Result:
    """The record of a verdict, with the failure's label where it is a fail."""
    finding = None
    if verdict.outcome == "fail":
        # An error inside the test says that the values are wrong, not how: the diagnosis goes by the answer's runs.
        runs = tuple(run.model_copy(update={"errors": {}}) for run in verdict.runs)
        recorded = verdict.recorded.model_copy(update={"errors": {}}) if verdict.recorded else None
        finding = diagnose(_as_task(item.task), item.artifact.code, replace(verdict, runs=runs, recorded=recorded))
    return code_result(item, verdict, finding, EVALUATOR.digest)


def _as_task(task: ReleaseTask) -> Task:
    """A task as the diagnosis reads it."""
    return Task(
        api_name=task.api_name,
        library=task.library,
        version=task.version or "",
        old_version=None,
        domain=task.domain,
        change="added",
        difficulty=task.difficulty,
        description=task.description,
        context_code=task.context_code,
        masked_region=task.masked_region,
        reference_solution=task.reference_solution,
        harness=Harness(layers=(), scenarios=(), spy=Spy(target=task.api_name)),
        author="NovelAPIBench",
    )
