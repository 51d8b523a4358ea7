"""The novel-API benchmark as an adapter: load, prompt, parse, score, gold, probes."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.diagnosis import diagnose
from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.execution.evidence import Former
from apigap.execution.judge import Verdict, evaluator_hash
from apigap.execution.trials import Trial
from apigap.execution.verdicts import VerdictCache, judge_once
from apigap.knowledge.conditions import render
from apigap.models.extraction import Extraction, extract_code
from apigap.models.prompts import Prompt, build_prompt
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.tasks.outline import outline


@dataclass(frozen=True)
class Home:
    """Where the tasks of one release run: its environment and the modules to load before the fork.

    `former` is where the version before runs, for further evidence; without it that evidence is not taken.
    """

    environment: Environment
    preload: tuple[str, ...]
    former: Former | None = None


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


def beginning(task: Task) -> str:
    """How an answer to `task` begins: its code block, and the outline's own words up to the first `...`.

    It says nothing that the description does not; small models repeat the context otherwise. Where the answer needs
    an import first, only the block is opened.
    """
    leaf = task.api_name.rpartition(".")[2]
    first = ast.parse(task.masked_region).body[0]
    if isinstance(first, (ast.Import, ast.ImportFrom)):
        return "```python\n"
    return f"```python\n{outline([task.masked_region], leaf).partition('...')[0].rstrip()}"


class NovelApi:
    """The adapter for one condition.

    `homes` maps (library, version) to where its tasks run, `bundles` an API's name to its knowledge; with
    `verdicts` an answer that has been judged before is not run again.
    """

    def __init__(
        self,
        engine: Engine,
        homes: Mapping[tuple[str, str], Home],
        bundles: Mapping[str, KnowledgeBundle],
        settings: GenerationSettings,
        condition: str = "baseline",
        verdicts: VerdictCache | None = None,
    ) -> None:
        self._engine = engine
        self._homes = homes
        self._bundles = bundles
        self._settings = settings
        self.condition = condition
        self._verdicts = verdicts

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

    def applies(self, task: Task) -> bool:
        """False where the condition has nothing to show for the task's API."""
        return self.condition == "baseline" or bool(self._knowledge(task))

    def prompt(self, task: Task) -> tuple[Message, ...]:
        """What the model is asked.

        Raises:
            UsageError: when there is no knowledge to show under this condition (see `applies`).
        """
        return self._messages(task, self._prompt(task))

    def request(self, task: Task, name: str, samples: int, temperature: float, seed: int) -> GenerationRequest:
        """The prompt as a request with the key `task_id/name`; see `prompt`."""
        prompt = self._prompt(task)
        return GenerationRequest(
            key=f"{task.task_id}/{name}",
            prompt=self._messages(task, prompt),
            samples=samples,
            temperature=temperature,
            seed=seed,
            shared=prompt.shared,
        )

    def _messages(self, task: Task, prompt: Prompt) -> tuple[Message, ...]:
        asked = Message(role="user", content=prompt.text)
        if not self._settings.begin_answer:
            return (asked,)
        return (asked, Message(role="assistant", content=beginning(task)))

    def _prompt(self, task: Task) -> Prompt:
        knowledge = self._knowledge(task)
        if knowledge == "":
            raise UsageError(f"condition {self.condition} is empty for {task.api_name}; leave the task out of it")
        return build_prompt(
            self._settings.layout,
            context_code=task.context_code,
            description=task.description,
            knowledge=knowledge,
            library=task.library,
            version=task.version,
        )

    def parse(self, response: str, task: Task | None = None) -> Extraction:
        """The code in a response; never raises."""
        return extract_code(response, task.context_code if task else "")

    def score(self, task: Task, artifact: Extraction) -> Result:
        """The verdict on one answer."""
        return self.score_all([Item(task, 0, artifact)])[0]

    def score_all(
        self, items: Sequence[Item], on_result: Callable[[Result], None] = lambda result: None
    ) -> list[Result]:
        """The verdicts on many answers, in order; `on_result` is called for each as it is ready."""
        results: dict[int, Result] = {}
        for key, places in self._by_home(items).items():
            home = self._homes[key]
            trials = [Trial(task=items[place].task, code=items[place].artifact.code) for place in places]

            def ready(number: int, verdict: Verdict, places: Sequence[int] = places) -> None:
                place = places[number]
                results[place] = result_of(items[place], verdict)
                on_result(results[place])

            judge_once(
                self._verdicts, self._engine, home.environment, trials,
                preload=home.preload, former=home.former, on_result=ready,
            )  # fmt: skip
        return [results[place] for place in range(len(items))]

    def gold(self, task: Task) -> str:
        """A response that must pass."""
        return f"```python\n{task.masked_region}\n```"

    def probes(self, task: Task) -> list[tuple[str, float]]:
        """Responses with the score that each must get: the reference passes, doing nothing and leaving early fail."""
        leaving = "```python\nimport sys\nsys.exit(0)\n```"
        return [(self.gold(task), 1.0), ("", 0.0), ("```python\npass\n```", 0.0), (leaving, 0.0)]

    def _knowledge(self, task: Task) -> str | None:
        if self.condition == "baseline":
            return None
        bundle = self._bundles.get(task.api_name)
        return render(bundle, self.condition) if bundle else ""

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


def result_of(item: Item, verdict: Verdict) -> Result:
    """The record of a verdict, with the failure's label where it is a fail."""
    finding = diagnose(item.task, item.artifact.code, verdict) if verdict.outcome == "fail" else None
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
