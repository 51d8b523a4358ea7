"""Makes the rung `call`: tasks that name their API, and that the judge tells right answers to from naive ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from apigap.knowledge.usages.verify import ApiUsages
from apigap.ladder.executed.wrong import facts_about
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.mutants import mutants
from apigap.tasks.mutants.target import Target, unparse
from apigap.tasks.synthesise import ApiResult, Synthesiser

_TRIED = 4
_MOST_NAIVE = 4


class ApiCall(Record):
    """The task about one API, or why each usage gave none."""

    api_name: str
    task: Task | None
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class CallMaker:
    """Makes tasks about the APIs of one release, each named in its description; `beside` is what is installed there."""

    engine: Engine
    environment: Environment
    preload: Sequence[str]
    domain: str
    limits: TaskSettings
    beside: tuple[str, ...] = ()

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiCall]:
        """A task for each API of `batch`, in its order. Same input, same tasks."""
        limits = self.limits.model_copy(update={"per_api": _TRIED})
        writer = Synthesiser(
            self.engine, self.environment, self.preload, self.domain, limits, named=True, beside=self.beside
        )
        made = writer.write(batch)
        sound = self._sound(
            [(candidate, task) for (candidate, _), one in zip(batch, made, strict=True) for task in one.tasks]
        )
        return [_chosen(one, sound) for one in made]

    def _sound(self, written: Sequence[tuple[Candidate, Task]]) -> dict[str, str | None]:
        """By task what is wrong with it, None of those whose reference passes and whose naive answers do not."""
        rows = [[task.masked_region, *_naive(candidate, task)] for candidate, task in written]
        trials = [Trial(task, code) for (_, task), row in zip(written, rows, strict=True) for code in row]
        verdicts = iter(judge_trials(self.engine, self.environment, trials, preload=self.preload))
        found: dict[str, str | None] = {}
        for (_, task), row in zip(written, rows, strict=True):
            reference, *others = [next(verdicts) for _ in row]
            found[task.task_id] = _problem(reference, others)
        return found


def _naive(candidate: Candidate, task: Task) -> list[str]:
    """Answers that show no knowledge: nothing, the call without what was added, and without any argument.

    One that leaves out an argument by which nothing changes does what was asked.
    """
    made = mutants(task.masked_region, candidate.leaf, facts_about(candidate))
    naive = [mutant.code for mutant in made if mutant.kind in ("no-op", "old signature") or mutant.vital]
    return [*naive[:_MOST_NAIVE], *_bare(task.masked_region, candidate.leaf)]


def _bare(code: str, leaf: str) -> list[str]:
    """The code without any argument of the API's calls; none where there is no argument."""
    target = Target(code, leaf)
    tree = target.parse()
    calls = [call for call in target.calls(tree) if call.args or call.keywords]
    for call in calls:
        call.args, call.keywords = [], []
    return [unparse(tree)] if calls else []


def _problem(reference: Verdict, naive: Sequence[Verdict]) -> str | None:
    if reference.outcome != "pass":
        return f"the judge does not pass its reference ({reference.detail['reason']})"
    if any(verdict.outcome != "fail" for verdict in naive):
        return "an answer that does nothing, or gives no argument, passes as well"
    return None


def _chosen(made: ApiResult, sound: dict[str, str | None]) -> ApiCall:
    """The first sound task, one with several scenarios before one with a single one."""
    ordered = sorted(made.tasks, key=lambda task: len(task.harness.scenarios) < 2)
    kept = next((task for task in ordered if sound[task.task_id] is None), None)
    refused = [f"{task.provenance[0]}: {sound[task.task_id]}" for task in made.tasks if sound[task.task_id]]
    return ApiCall(api_name=made.api_name, task=kept, dropped=tuple(dict.fromkeys((*refused, *made.dropped))))
