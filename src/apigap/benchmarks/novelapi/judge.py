"""Verdicts on answers to tasks on new APIs, each with the class of its failure."""

from collections.abc import Callable, Sequence

from apigap.benchmarks.code_verdicts import code_result, places_by
from apigap.benchmarks.task_environment import Home, Homes
from apigap.diagnosis import diagnose
from apigap.evaluation.item import Item
from apigap.models.extraction import Extraction
from apigap.records.errors import UsageError
from apigap.records.result import Result
from apigap.records.run import CallRecord
from apigap.records.sources import CodeIdentity
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache, judge_once
from apigap.sandbox.verdict.evaluator import NOT_DECIDING, PROGRAMS
from apigap.sandbox.verdict.judge import OnVerdict, Verdict
from apigap.sandbox.verdict.trials import Trial

EVALUATOR = CodeIdentity((__name__, *PROGRAMS), NOT_DECIDING)
CodeItem = Item[Task, Extraction]


def evaluator_hash() -> str:
    """The hash of all code that decides on a verdict, its label, and what it is about."""
    return EVALUATOR.digest


class NovelApiJudge:
    """Judges extracted code in the sandboxes of `engine`.

    `homes` says where tasks run: where they cannot, every answer is without a verdict (`infra`). With `verdicts` an
    answer that has been judged before is not run again.
    """

    def __init__(self, engine: Engine, homes: Homes, verdicts: VerdictCache | None = None) -> None:
        self._engine = engine
        self._homes = homes
        self._verdicts = verdicts
        self._references: dict[str, tuple[CallRecord, ...]] = {}

    def score_all(
        self, items: Sequence[CodeItem], on_result: Callable[[Result], None] = lambda result: None
    ) -> list[Result]:
        """The verdicts on many answers, in order; `on_result` is called for each as it is ready.

        Why a call of the API failed the task is told by comparing it with the reference's, which is run for the first
        such answer to a task: these results come last.
        """
        results: dict[int, Result] = {}

        def tell(place: int, verdict: Verdict) -> None:
            results[place] = result_of(items[place], verdict, self._references.get(items[place].task.task_id, ()))
            on_result(results[place])

        for key, places in self._by_home(items).items():
            waiting: dict[int, Verdict] = {}

            def ready(
                number: int, verdict: Verdict, places: Sequence[int] = places, waiting: dict[int, Verdict] = waiting
            ) -> None:
                if _is_to_be_compared(verdict) and items[places[number]].task.task_id not in self._references:
                    waiting[places[number]] = verdict
                else:
                    tell(places[number], verdict)

            home = self._homes[key]
            if isinstance(home, str):
                for place in places:
                    tell(place, Verdict("infra", 0.0, {"phase": "start", "reason": home}, (), None))
                continue
            self._judge(home, [_trial(items[place]) for place in places], ready)
            self._run_references(home, [items[place].task for place in waiting])
            for place, verdict in waiting.items():
                tell(place, verdict)
        return [results[place] for place in range(len(items))]

    def _judge(self, home: Home, trials: Sequence[Trial], ready: OnVerdict) -> None:
        judge_once(self._verdicts, self._engine, home.environment, trials, preload=home.preload, on_result=ready)

    def _run_references(self, home: Home, tasks: Sequence[Task]) -> None:
        """Find the reference's own calls of the API, once for every task."""
        distinct = list({task.task_id: task for task in tasks}.values())

        def found(number: int, verdict: Verdict) -> None:
            self._references[distinct[number].task_id] = verdict.recorded.calls if verdict.recorded else ()

        self._judge(home, [Trial(task=task, code=task.masked_region) for task in distinct], found)

    def _by_home(self, items: Sequence[CodeItem]) -> dict[tuple[str, str], list[int]]:
        groups = places_by(items, lambda task: (task.library, task.version))
        missing = [key for key in groups if key not in self._homes]
        if missing:
            library, version = missing[0]
            raise UsageError(
                f"no environment for {library} {version}; make it with: apigap envs create {library}=={version}"
            )
        return groups


def _trial(item: CodeItem) -> Trial:
    return Trial(task=item.task, code=item.artifact.code)


def _is_to_be_compared(verdict: Verdict) -> bool:
    """True if the answer failed and had called the API itself: then its arguments say why."""
    calls = verdict.recorded.calls if verdict.recorded else ()
    return verdict.outcome == "fail" and any(call.caller == "candidate" for call in calls)


def result_of(item: CodeItem, verdict: Verdict, reference_calls: Sequence[CallRecord] = ()) -> Result:
    """The record of a verdict, with the failure's label where it is a fail.

    `reference_calls` are the API's calls in a recorded run of the reference, see `diagnose`.
    """
    failed = verdict.outcome == "fail"
    finding = diagnose(item.task, item.artifact.code, verdict, reference_calls) if failed else None
    return code_result(item, verdict, finding, evaluator_hash())
