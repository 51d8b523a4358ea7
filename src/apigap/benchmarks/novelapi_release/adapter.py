"""The public NovelAPIBench release as an adapter: parse, score, gold, probes, and what its tests do not see."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from apigap.benchmarks.task_environment import Home
from apigap.diagnosis import diagnose
from apigap.models.extraction import Extraction, extract_code
from apigap.records.errors import UsageError
from apigap.records.release import ExpectedCalls, ReleaseTask
from apigap.records.result import Result
from apigap.records.task import Harness, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.task_supplied_test.expected_calls import says_nothing
from apigap.sandbox.task_supplied_test.judge import SelfTestTrial, judge_self_tests
from apigap.sandbox.task_supplied_test.program import SelfTest, assigned
from apigap.sandbox.verdict.judge import Verdict, evaluator_hash


@dataclass(frozen=True)
class ReleaseItem:
    """One sample to score: the extracted answer to a task."""

    task: ReleaseTask
    sample: int
    artifact: Extraction


@dataclass(frozen=True)
class Probe:
    """An answer that a task's scorer is tried with.

    `expected` is the score it must get, None where the task decides; `weakness` says what it means for the task when
    its own test passes.
    """

    response: str
    expected: float | None
    weakness: str | None = None


class NovelApiRelease:
    """Scores answers to the release's tasks. `homes` maps a library to where its tasks run."""

    def __init__(self, engine: Engine, homes: Mapping[str, Home], expected: Mapping[str, ExpectedCalls]) -> None:
        self._engine = engine
        self._homes = homes
        self._expected = expected

    def parse(self, response: str, task: ReleaseTask | None = None) -> Extraction:
        """The code in a response; never raises."""
        return extract_code(response, task.context_code if task else "")

    def score(self, task: ReleaseTask, artifact: Extraction) -> Result:
        """The verdict on one answer."""
        return self.score_all([ReleaseItem(task, 0, artifact)])[0]

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
            judge_self_tests(self._engine, home.environment, trials, preload=home.preload, on_result=ready)
        return [results[index] for index in range(len(items))]

    def gold(self, task: ReleaseTask) -> str:
        """A response that must pass: what stood in the answer's place or, where the release says so, all of it."""
        return f"```python\n{self._reference(task)}\n```"

    def probes(self, task: ReleaseTask) -> list[Probe]:
        """Responses with the score that each must get; see `Probe` for what else they tell."""
        reference = self._reference(task)
        lost = "\n".join(f"{name} = None" for name in sorted(assigned(reference)))
        probes = [
            Probe(self.gold(task), 1.0),
            Probe("", 0.0),
            Probe("```python\npass\n```", 0.0, "its test passes although nothing was written"),
            Probe("```python\nimport sys\nsys.exit(0)\n```", 0.0),
            Probe("```python\nimport os\nos._exit(0)\n```", 0.0),
        ]
        return [*probes, *([Probe(f"```python\n{reference}\n{lost}\n```", None, LOST)] if lost else [])]

    def says_nothing(self, task: ReleaseTask) -> bool:
        """Whether the task's expected calls would be satisfied by any call of its target."""
        known = self._expected.get(task.task_id)
        return known is not None and known.status == "ok" and says_nothing(known.expected)

    def _reference(self, task: ReleaseTask) -> str:
        known = self._expected.get(task.task_id)
        whole = not task.masked_region.strip() or (known and known.reference_source == "reference_solution")
        return task.reference_solution if whole else task.masked_region

    def _trial(self, item: ReleaseItem) -> SelfTestTrial:
        task, known = item.task, self._expected.get(item.task.task_id)
        test = SelfTest(
            target=task.api_name,
            setup=task.test_harness.setup_code,
            context=task.context_code,
            test=task.test_harness.execution_test,
            reference=task.masked_region or task.reference_solution,
        )
        return SelfTestTrial(test, item.artifact.code, known.expected if known and known.status == "ok" else ())

    def _by_library(self, items: Sequence[ReleaseItem]) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            groups.setdefault(item.task.library, []).append(index)
        missing = next((library for library in groups if library not in self._homes), None)
        if missing is not None:
            raise UsageError(f"no version of {missing} is given; say which with --versions {missing}==VERSION")
        return groups


LOST = "its test passes although every result of the reference was lost: it tests the library, not the answer"


def _result(item: ReleaseItem, verdict: Verdict) -> Result:
    """The record of a verdict, with the failure's label where it is a fail."""
    detail = {**verdict.detail, "extraction": item.artifact.rule}
    finding = None
    if verdict.outcome == "fail":
        # An error inside the test says that the values are wrong, not how: the diagnosis goes by the answer's runs.
        runs = tuple(run.model_copy(update={"errors": {}}) for run in verdict.runs)
        recorded = verdict.recorded.model_copy(update={"errors": {}}) if verdict.recorded else None
        finding = diagnose(_as_task(item.task), item.artifact.code, replace(verdict, runs=runs, recorded=recorded))
        detail = {**detail, "why": finding.reason, "evidence": finding.evidence}
    return Result(
        task_id=item.task.task_id,
        sample=item.sample,
        outcome=verdict.outcome,
        passed=verdict.outcome == "pass",
        score=verdict.score,
        label=finding.label if finding else None,
        detail=detail,
        evaluator=evaluator_hash(),
        seconds=round(sum(run.seconds for run in verdict.runs), 3),
    )


def _as_task(task: ReleaseTask) -> Task:
    """What the diagnosis reads of a task."""
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
