"""The novel-API benchmark as an adapter: load, prompt, parse, score, gold, probes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.diagnosis import diagnose
from apigap.models.extraction import Extraction, extract_code
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Result
from apigap.records.run import CallRecord
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.cache import VerdictCache, judge_once
from apigap.sandbox.verdict.judge import OnVerdict, Verdict, evaluator_hash
from apigap.sandbox.verdict.trials import Trial


@dataclass(frozen=True)
class Home:
    """Where the tasks of one release run: its environment and the modules to load before the fork."""

    environment: Environment
    preload: tuple[str, ...]


Homes = Mapping[tuple[str, str], Home | str]
"""By (library, version) where its tasks run, or why they cannot run here."""


@dataclass(frozen=True)
class Item:
    """One sample to score: the extracted answer to a task."""

    task: Task
    sample: int
    artifact: Extraction


def warm_names(modules: Sequence[str], api_names: Iterable[str]) -> tuple[str, ...]:
    """What to load before the fork: the top-level `modules` and what holds or is each API; at most 400 names.

    A method's class is enough, so the last segment is left out where two come before it.
    """
    holders = {name.rpartition(".")[0] if name.count(".") > 1 else name for name in api_names}
    return (*modules, *sorted(holders - set(modules))[:400])


class NovelApi(Prompter):
    """The adapter for one condition.

    `homes` says where tasks run: where they cannot, every answer is without a verdict (`infra`). `bundles` has the
    knowledge by API; with `verdicts` an answer that has been judged before is not run again. `room` bounds a prompt,
    see `Prompter`.
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
        super().__init__(settings, condition, from_bundles(bundles, condition), room)
        self._engine = engine
        self._homes = homes
        self._verdicts = verdicts
        self._references: dict[str, tuple[CallRecord, ...]] = {}

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

    def parse(self, response: str, task: Task | None = None) -> Extraction:
        """The code in a response; never raises."""
        return extract_code(response, task.context_code if task else "")

    def score(self, task: Task, artifact: Extraction) -> Result:
        """The verdict on one answer."""
        return self.score_all([Item(task, 0, artifact)])[0]

    def score_all(
        self, items: Sequence[Item], on_result: Callable[[Result], None] = lambda result: None
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

    def gold(self, task: Task) -> str:
        """A response that must pass."""
        return f"```python\n{task.masked_region}\n```"

    def probes(self, task: Task) -> list[tuple[str, float]]:
        """Responses with the score that each must get: the reference passes, doing nothing and leaving early fail."""
        leaving = "```python\nimport sys\nsys.exit(0)\n```"
        return [(self.gold(task), 1.0), ("", 0.0), ("```python\npass\n```", 0.0), (leaving, 0.0)]

    def _by_home(self, items: Sequence[Item]) -> dict[tuple[str, str], list[int]]:
        groups: dict[tuple[str, str], list[int]] = {}
        for index, item in enumerate(items):
            groups.setdefault((item.task.library, item.task.version), []).append(index)
        missing = [key for key in groups if key not in self._homes]
        if missing:
            library, version = missing[0]
            raise UsageError(
                f"no environment for {library} {version}; make it with: apigap envs create {library}=={version}"
            )
        return groups


def _trial(item: Item) -> Trial:
    return Trial(task=item.task, code=item.artifact.code)


def _is_to_be_compared(verdict: Verdict) -> bool:
    """Whether the answer failed and had called the API itself: then its arguments say why."""
    calls = verdict.recorded.calls if verdict.recorded else ()
    return verdict.outcome == "fail" and any(call.caller == "candidate" for call in calls)


def result_of(item: Item, verdict: Verdict, reference_calls: Sequence[CallRecord] = ()) -> Result:
    """The record of a verdict, with the failure's label where it is a fail.

    `reference_calls` are the API's calls in a recorded run of the reference, see `diagnose`.
    """
    failed = verdict.outcome == "fail"
    finding = diagnose(item.task, item.artifact.code, verdict, reference_calls) if failed else None
    detail = {**verdict.detail, "extraction": item.artifact.rule}
    if finding is not None:
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
