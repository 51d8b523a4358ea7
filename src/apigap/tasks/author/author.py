"""Tasks written by a model: each try is checked like a task by a person, and its fault goes into the next request.

All tasks of a batch go through a round together: their texts are asked for, checked and run; then scenarios for those
that ran; then C1 for those whose scenarios differ. What was rejected comes again in the next round.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apigap.knowledge.usages.verify import ApiUsages
from apigap.models.schemas.structured import UnreadableAnswer
from apigap.models.transcripts import Transcripts
from apigap.records.candidate import DATA_KINDS, Candidate
from apigap.records.configuration import AuthorSettings, TaskSettings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Difficulty, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.tasks.author.answers import ScenariosAnswer, TaskAnswer, scenarios_of
from apigap.tasks.author.drafting import draft_of, observe, read
from apigap.tasks.author.prompts import usages_to_show
from apigap.tasks.author.task_request import TaskRequest
from apigap.tasks.finish import Finished, finish, run_references
from apigap.tasks.hand_written import WrittenTask, WrittenTasks
from apigap.tasks.synthesise import ApiResult

Check = Callable[[Sequence[Task]], Sequence[str | None]]
"""The gate: per task why it is rejected, or None."""

_SIZES: tuple[Difficulty, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Author:
    """Writes tasks for the APIs of one release with the model behind `transcripts`; `check` is C1."""

    transcripts: Transcripts
    bundles: Mapping[str, KnowledgeBundle]
    engine: Engine
    environment: Environment
    preload: Sequence[str]
    domain: str
    limits: TaskSettings
    settings: AuthorSettings
    check: Check

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiResult]:
        """Tasks for each API of `batch`, in its order. Same answers of the model, same tasks."""
        works = {candidate.api_name: list(self._requests(candidate, usages)) for candidate, usages in batch}
        everything = [work for own in works.values() for work in own]
        for _ in range(self.settings.rounds):
            self._write_texts([work for work in everything if work.draft is None])
            self._write_scenarios([work for work in everything if work.draft is not None and work.task is None])
            self._pass_gate([work for work in everything if work.task is not None and not work.accepted])
        return [_result(candidate, usages, works[candidate.api_name]) for candidate, usages in batch]

    def _requests(self, candidate: Candidate, usages: ApiUsages) -> Iterator[TaskRequest]:
        bundle = self.bundles.get(candidate.api_name)
        if candidate.kind in DATA_KINDS or bundle is None:
            return
        shown = usages_to_show(usages.usages)
        for number in range(self.limits.per_api):
            usage = shown[number % len(shown)] if shown else None
            yield TaskRequest(candidate, bundle, usage, _SIZES[number % len(_SIZES)], number + 1, self.settings)

    def _write_texts(self, works: Sequence[TaskRequest]) -> None:
        calls = self.transcripts.ask([work.ask_for_task() for work in works], TaskAnswer)
        drafted: list[tuple[TaskRequest, WrittenTask]] = []
        for work, call in zip(works, calls, strict=True):
            work.calls.append(call)
            try:
                work.draft = draft_of(work, call, self.limits)
                drafted.append((work, work.draft))
            except UnreadableAnswer as error:
                work.reject(str(error))
        runs = run_references([draft for _, draft in drafted], self.engine, self.environment, self.preload)
        for (work, _), scenarios in zip(drafted, runs, strict=True):
            observe(work, scenarios[0])

    def _write_scenarios(self, works: Sequence[TaskRequest]) -> None:
        calls = self.transcripts.ask([work.ask_for_scenarios() for work in works], ScenariosAnswer)
        whole: list[tuple[TaskRequest, WrittenTask]] = []
        for work, call in zip(works, calls, strict=True):
            work.calls.append(call)
            assert work.draft is not None
            try:
                scenarios = scenarios_of(read(call, ScenariosAnswer), work.draft.context)
            except UnreadableAnswer as error:
                work.reject_scenarios(str(error))
                continue
            whole.append((work, work.draft.model_copy(update={"scenario": scenarios, "provenance": work.provenance})))
        for (work, _), done in zip(whole, self._finish(whole), strict=True):
            if done.problem is not None:
                work.reject_scenarios(done.problem)
            work.task = done.task

    def _finish(self, whole: Sequence[tuple[TaskRequest, WrittenTask]]) -> list[Finished]:
        if not whole:
            return []
        release = whole[0][0].candidate  # all are of one
        written = WrittenTasks(
            library=release.library,
            version=release.new_version,
            old_version=release.old_version,
            domain=self.domain,
            task=tuple(task for _, task in whole),
            python=self.environment.minor,
        )
        return finish(written, self.engine, self.environment, self.preload)

    def _pass_gate(self, works: Sequence[TaskRequest]) -> None:
        tasks = [work.task for work in works if work.task is not None]
        for work, reason in zip(works, self.check(tasks) if tasks else (), strict=True):
            if reason is not None:
                work.reject(reason)
            else:
                work.accepted = True


def _result(candidate: Candidate, usages: ApiUsages, works: Sequence[TaskRequest]) -> ApiResult:
    """The accepted tasks, each once, and every reason for which a try was rejected."""
    tasks: dict[str, Task] = {}
    reasons = [reason for work in works for reason in work.reasons]
    for task in [work.task for work in works if work.accepted and work.task is not None]:
        looks = task.context_code + task.description
        if looks in tasks:
            reasons.append("it looks the same as another task of this API")
        tasks.setdefault(looks, task)
    if not reasons and usages.reason:
        reasons.append(usages.reason)
    return ApiResult(candidate.api_name, tuple(tasks.values()), tuple(reasons))
