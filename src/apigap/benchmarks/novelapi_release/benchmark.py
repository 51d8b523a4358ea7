"""The public NovelAPIBench release: tasks that bring their own tests, run in the process of the answer."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, FilePath

from apigap.benchmarks.code_benchmark import CodeBenchmark, MachineOptions, unanswered, unanswered_note
from apigap.benchmarks.novelapi_release.files import EXPECTED, load_expected, load_tasks, select
from apigap.benchmarks.novelapi_release.judge import EVALUATOR, ReleaseJudge, reference
from apigap.benchmarks.novelapi_release.versions import Pin, pins_for
from apigap.benchmarks.task_environment import Home, warm_names
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.evaluation.benchmark import Judging, Probe
from apigap.evaluation.options import JUDGING
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.evaluation.summary import PassRates, summarise
from apigap.models.extraction import Extraction
from apigap.models.prompts import build_prompt
from apigap.models.request import GenerationRequest
from apigap.packages.workshop import environment_store
from apigap.records.base import Json, content_hash
from apigap.records.manifest import file_hash
from apigap.records.progress import Progress
from apigap.records.release import ExpectedCalls, ReleaseTask
from apigap.records.result import Result
from apigap.sandbox.engine import Engine
from apigap.sandbox.task_supplied_test.expected_calls import says_nothing
from apigap.sandbox.task_supplied_test.judge import IN_PROCESS
from apigap.sandbox.task_supplied_test.program import assigned

UNWRITTEN = "its test passes although nothing was written"
LOST = "its test passes although every result of the reference was lost: it tests the library, not the answer"
VAGUE = "its expected calls hold for any call of the target"


class ReleaseOptions(MachineOptions):
    """The release's files, the versions of its libraries, and the machine that judges."""

    tasks: Annotated[
        FilePath,
        Field(description="A tasks file of the release (tasks.jsonl); expected calls are those that lie beside it."),
    ]
    versions: Annotated[
        tuple[str, ...],
        Field(description="library==version, or the folder of the release's library configurations; may be repeated."),
        JUDGING,
    ] = ()
    instance: Annotated[FilePath | None, Field(description="Only the tasks whose ids this file lists.")] = None


class ReleaseSummary(PassRates):
    """The rates of the answered tasks; each test ran in the process of the answer, which could forge it (`trust`)."""

    trust: str
    expected_calls: dict[str, int]
    missing: tuple[str, ...]

    def notes(self) -> list[str]:
        """The rates, what is missing, and how far the tests can be trusted."""
        lines = [*super().notes(), *unanswered_note(self.missing)]
        return [*lines, f"trust: {self.trust} (each test ran in the process of the answer, which could forge it)"]


@dataclass(frozen=True)
class _Tasks:
    """All tasks by id, the chosen among them, the expected calls by task."""

    every: dict[str, ReleaseTask]
    chosen: dict[str, ReleaseTask]
    expected: dict[str, ExpectedCalls]


class NovelApiRelease(CodeBenchmark[ReleaseTask]):
    """The release's tasks, judged by their own tests and by the calls that their references made."""

    name = "novelapi-release"
    title = "The public NovelAPIBench release"
    options_type = ReleaseOptions
    options: ReleaseOptions
    counts_cut = True
    evaluator = EVALUATOR

    @cached_property
    def _read(self) -> _Tasks:
        every = load_tasks(self.options.tasks)
        beside = self.options.tasks.with_name(EXPECTED)
        expected = load_expected(beside, every) if beside.exists() else {}
        return _Tasks(every, select(every, self.options.instance), expected)

    def load(self) -> list[ReleaseTask]:
        """The tasks of the instance, or all."""
        return list(self._read.chosen.values())

    def prompt(self, task: ReleaseTask, room: int | None = None) -> GenerationRequest:
        """The task without knowledge."""
        prompt = build_prompt(
            self.settings.generation.layout,
            context_code=task.context_code,
            description=task.description,
            knowledge=None,
            library=task.library,
            version=task.version or "",
        )
        return GenerationRequest(
            key=f"{task.task_id}/baseline", prompt=prompt.messages(), shared=prompt.shared, tools=prompt.tools
        )

    def predictions(self, path: Path, tasks: Sequence[ReleaseTask]) -> Answers:
        """Predictions; those for tasks outside of the instance are left out."""
        return read_predictions(path, {task.task_id for task in tasks}, self._read.every)

    @contextmanager
    def judging(
        self, tasks: Sequence[ReleaseTask], progress: Progress, *, anew: bool = False
    ) -> Generator[Judging[ReleaseTask, Extraction]]:
        """Sandboxes with the libraries in their versions.

        Raises:
            UsageError: when the version of a library is not known.
            EnvironmentFailure: when one cannot be installed.
        """
        pins = pins_for(tasks, self.options.versions)
        with self.engine() as engine:
            homes = _homes(tasks, pins, engine)
            judge = ReleaseJudge(engine, homes, self._read.expected)
            locks = {library: homes[library].environment.lock for library in sorted(homes)}
            yield Judging(judge.score_all, {"environments": locks, **engine.terms})

    def asked_with(self) -> Mapping[str, Json]:
        """The tasks and the prompt's layout."""
        return {"tasks": file_hash(self.options.tasks), "layout": self.settings.generation.layout}

    def judged_with(self) -> Mapping[str, Json]:
        """The tasks, which of them, and the expected calls."""
        beside = self.options.tasks.with_name(EXPECTED)
        return {
            "tasks": file_hash(self.options.tasks),
            "instance": content_hash(sorted(self._read.chosen)),
            "expected calls": file_hash(beside) if self._read.expected else None,
        }

    def gold(self, task: ReleaseTask) -> str:
        """A response that must pass."""
        return f"```python\n{self._reference(task)}\n```"

    def _reference(self, task: ReleaseTask) -> str:
        return reference(task, self._read.expected.get(task.task_id))

    def probes(self, task: ReleaseTask) -> list[Probe]:
        """The reference passes; nothing and an early end do not; a test that passes without results is weak."""
        whole = self._reference(task)
        lost = "\n".join(f"{name} = None" for name in sorted(assigned(whole)))
        return [
            Probe(self.gold(task), True),
            Probe("", False),
            Probe("```python\npass\n```", False, weakness=UNWRITTEN, shows=_test_passed),
            Probe("```python\nimport sys\nsys.exit(0)\n```", False),
            Probe("```python\nimport os\nos._exit(0)\n```", False),
            *([Probe(f"```python\n{whole}\n{lost}\n```", None, None, LOST, _test_passed)] if lost else []),
        ]

    def weaknesses(self, task: ReleaseTask) -> list[str]:
        """Expected calls that any call of the target would satisfy."""
        known = self._read.expected.get(task.task_id)
        return [VAGUE] if known is not None and known.status == "ok" and says_nothing(known.expected) else []

    def summarise(
        self, tasks: Sequence[ReleaseTask], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> ReleaseSummary:
        """The rates of the answered tasks."""
        compared: Counter[str] = Counter()
        for result in results:
            compared.update(result.detail.get("expected calls", {}))
        return ReleaseSummary(
            **dict(summarise(results, tasks)),
            trust=IN_PROCESS,
            expected_calls=dict(sorted(compared.items())),
            missing=unanswered(tasks, answers, answered_only),
        )


def _test_passed(result: Result) -> bool:
    return result.detail.get("test") == "passed"


def _homes(tasks: Sequence[ReleaseTask], pins: Mapping[str, Pin], engine: Engine) -> dict[str, Home]:
    homes: dict[str, Home] = {}
    for library, pin in sorted(pins.items()):
        environment = environment_at(pin.package, pin.version, environment_store(engine))
        names = [task.api_name for task in tasks if task.library == library]
        homes[library] = Home(
            environment, warm_names(modules_of(environment.library, environment.site_packages).tops, names)
        )
    return homes
