"""The novel-API benchmark: code on APIs that are new to a model, judged by what it does in a sandbox."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, FilePath

from apigap.benchmarks.code_benchmark import CodeBenchmark, unanswered, unanswered_note
from apigap.benchmarks.novelapi.judge import EVALUATOR, NovelApiJudge
from apigap.benchmarks.novelapi.judging import Judge, JudgeSummary, judge_file, opinions_path
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.benchmarks.novelapi_release.benchmark import NovelApiRelease, ReleaseOptions
from apigap.benchmarks.novelapi_release.files import is_release
from apigap.evaluation.benchmark import Benchmark, Judging, Probe
from apigap.evaluation.model_pool import prompts_in_force
from apigap.evaluation.options import ASKING, Only
from apigap.evaluation.predictions import Answers
from apigap.evaluation.summary import CellSummary, Summary, summarise_cell
from apigap.knowledge.bundle_files import read_bundles
from apigap.models.extraction import Extraction
from apigap.models.request import GenerationRequest
from apigap.records.base import Json, content_hash
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import file_hash
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_choice import spread, younger_than
from apigap.tasks.task_files import load_tasks

SCORING = Only(("score",))


class NovelApiOptions(ReleaseOptions):
    """The tasks, the knowledge that is shown with them, and the machine that judges."""

    tasks: Annotated[
        Path,
        Field(
            description="A tasks file (stages 3 and 4); `starter`, `starter/EDITION` or `starter/LIBRARY`; or the "
            "NovelAPIBench release's tasks."
        ),
    ] = Path("starter")
    condition: Annotated[
        str, Field(description="Knowledge that prompts show: baseline (none), s_name, s, e, ..., full."), ASKING
    ] = "baseline"
    knowledge: Annotated[
        tuple[FilePath, ...],
        Field(description="Files of bundles (stage 2); may be repeated; default: the starter's."),
        ASKING,
    ] = ()
    since: Annotated[
        str | None, Field(description="A day (YYYY-MM-DD): only tasks on what first appeared then or later."), ASKING
    ] = None
    layout: Annotated[
        str | None, Field(description="The prompt's: instructed, published, chat, or a template file."), ASKING
    ] = None
    judge: Annotated[
        str | None, Field(description="A model to ask why answers failed; results stay as they are."), SCORING
    ] = None
    replay: Annotated[
        FilePath | None,
        Field(description="Transcripts of an earlier run, which are replayed: no model is asked."),
        SCORING,
    ] = None


class NovelApiSummary(CellSummary):
    """The rates of the answered tasks, the `missing` ones, and the rate with these as failed."""

    missing: tuple[str, ...]
    pass_at_1_of_all: float | None
    judge: JudgeSummary | None = None

    def notes(self) -> list[str]:
        """The rates, what is missing, and what a judge said."""
        lines = super().notes()
        lines += unanswered_note(self.missing)
        if self.missing and self.pass_at_1_of_all is not None:
            lines.append(f"with these as failed: {self.pass_at_1_of_all:.1%}")
        return [*lines, *([str(self.judge)] if self.judge else [])]


class NovelApi(CodeBenchmark[Task]):
    """Tasks on new APIs, asked under one condition; an answer passes whose observations are the reference's."""

    name = "novelapi"
    title = "Code on APIs that are new to a model"
    options_type = NovelApiOptions
    options: NovelApiOptions
    counts_cut = True
    evaluator = EVALUATOR

    def __init__(self, options: NovelApiOptions, settings: Settings) -> None:
        if options.layout is not None:
            generation = settings.generation.model_copy(update={"layout": options.layout})
            settings = settings.model_copy(update={"generation": type(generation)(**dict(generation))})
        super().__init__(options, settings)
        self._path = tasks_path(options.tasks)
        self._asked_judge = _judge(options, settings.generation.max_tokens)

    @classmethod
    def of(cls, options: NovelApiOptions, settings: Settings) -> Benchmark[Any, Any]:
        """Tasks of our own, or those of the public release, which bring other tests.

        Raises:
            UsageError: for options of the other kind of tasks.
        """
        path = tasks_path(options.tasks)
        if is_release(path):
            if options.judge is not None:
                raise UsageError("--judge reads tasks of our own; those of the release have no observations")
            own = {name: getattr(options, name) for name in ReleaseOptions.model_fields}
            return NovelApiRelease(ReleaseOptions(**own), settings)
        if options.versions or options.instance is not None:
            raise UsageError(
                f"{path} does not hold tasks of the NovelAPIBench release, so it takes neither --versions nor "
                "--instance"
            )
        return cls(options, settings)

    def load(self) -> list[Task]:
        """The tasks of the file; see `load_tasks`."""
        return load_tasks(self._path)

    def select(self, tasks: Sequence[Task], limit: int) -> list[Task]:
        """Tasks that the condition has something to show for, as young as asked for, spread over libraries and APIs.

        Those come first whose bundle has all components: to them every condition applies.
        """
        prompter = self._prompter(None)
        chosen = [task for task in younger_than(tasks, self.options.since) if prompter.applies(task)]
        whole = {name for name, bundle in self._bundles.items() if bundle.is_whole}
        return sorted(spread(chosen), key=lambda task: task.api_name not in whole)[:limit] if limit else chosen

    @cached_property
    def _bundles(self) -> dict[str, KnowledgeBundle]:
        if self.options.condition == "baseline":
            return {}
        return {bundle.api_name: bundle for bundle in read_bundles(self.options.knowledge, self.load())}

    def _prompter(self, room: int | None) -> Prompter:
        condition = self.options.condition
        return Prompter(self.settings.generation, condition, from_bundles(self._bundles, condition), room)

    def prompt(self, task: Task, room: int | None = None) -> GenerationRequest:
        """The task with the condition's knowledge, which ends at the last line that fits in `room`."""
        return self._prompter(room).request(task, self.options.condition, 1, 0.0, 0)

    @contextmanager
    def judging(
        self, tasks: Sequence[Task], progress: Progress, *, anew: bool = False
    ) -> Generator[Judging[Task, Extraction]]:
        """Sandboxes with the libraries of the tasks.

        Verdicts are taken from memory, but not `anew`, nor by a cold engine, which is asked for to check the warm one.

        Raises:
            EnvironmentFailure: when no library can be installed.
        """
        with self.engine() as engine:
            homes = homes_at_hand(tasks, engine, progress)
            kept = VerdictCache(engine) if self.settings.execution.cache and not anew and not engine.cold else None
            judge = NovelApiJudge(engine, homes, kept)
            yield Judging(judge.score_all, engine.terms, {"environments": locks_of(homes)})

    def asked_with(self) -> Mapping[str, Json]:
        """The condition, its knowledge and the settings of prompts."""
        return {
            "condition": self.options.condition,
            "knowledge": content_hash(sorted(bundle.to_line() for bundle in self._bundles.values())),
            "generation": prompts_in_force(self.settings.generation),
        }

    def judged_with(self) -> Mapping[str, Json]:
        """The tasks."""
        return {"tasks": file_hash(self._path)}

    def gold(self, task: Task) -> str:
        """A response that must pass."""
        return f"```python\n{task.masked_region}\n```"

    def probes(self, task: Task) -> list[Probe]:
        """The reference passes, nothing, doing nothing and leaving early fail."""
        leaving = "```python\nimport sys\nsys.exit(0)\n```"
        nothing = (Probe(response, False) for response in ("", "```python\npass\n```", leaving))
        return [Probe(self.gold(task), True), *nothing]

    def summarise(
        self, tasks: Sequence[Task], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> NovelApiSummary:
        """The rates of the answered tasks, and with the others as failed."""
        missing = unanswered(tasks, answers, answered_only)
        rates = summarise_cell(results, tasks, answers.predictions)
        every = rates.n_judged + len(missing)
        of_all = (rates.pass_at_1 or 0.0) * rates.n_judged / every if every else None
        return NovelApiSummary(**dict(rates), missing=missing, pass_at_1_of_all=of_all)

    def try_reviewer(self, results: Path, progress: Progress) -> None:
        """Ask the judge, where one is named, for one word; not where its opinions are all there."""
        if self._asked_judge and not opinions_path(results).exists():
            self._asked_judge.be_tried(progress)

    def review(self, summary: Summary, results: Path) -> Summary:
        """The opinions of a judge on the failures, where one is named."""
        if self._asked_judge is None:
            return summary
        return summary.model_copy(update={"judge": judge_file(self.load(), results, self._asked_judge)})


def _judge(options: NovelApiOptions, max_tokens: int | None) -> Judge | None:
    if options.judge is None and options.replay is not None:
        raise UsageError("--replay has what a judge said: name it by --judge, as when it was recorded")
    return Judge(options.judge, options.replay, max_tokens) if options.judge else None
