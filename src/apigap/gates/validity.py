"""C1: the reference passes every time; doing nothing, another API and the old version do not."""

from collections.abc import Sequence

from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.execution.judge import Verdict, judge_trials
from apigap.execution.trials import Trial
from apigap.gates.record import GateRecord
from apigap.records.candidate import Candidate
from apigap.records.run import RunRecord
from apigap.records.task import Task
from apigap.tasks.mutants import omitted_arguments, wrong_api

REPEATS = 5
NO_OP = "pass\n"


class ValidityGate:
    """C1 for the tasks of one release; `candidates` are where wrong APIs come from."""

    def __init__(
        self,
        engine: Engine,
        new: Environment,
        old: Environment | None,
        preload: Sequence[str],
        candidates: Sequence[Candidate],
    ) -> None:
        self._engine = engine
        self._new = new
        self._old = old
        self._preload = preload
        self._candidates = candidates

    def check(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """One record per task, in order."""
        probes = [self._probes(task) for task in tasks]
        trials = [Trial(task=task, code=code) for task, row in zip(tasks, probes, strict=True) for _, code in row]
        verdicts = iter(judge_trials(self._engine, self._new, trials, preload=self._preload))
        rows = [[(name, next(verdicts)) for name, _ in row] for row in probes]
        old = self._in_old_version(tasks)
        return [_record(task, row, past) for task, row, past in zip(tasks, rows, old, strict=True)]

    def _probes(self, task: Task) -> list[tuple[str, str]]:
        """(name, completion) pairs: five references, then what must fail."""
        probes = [("reference", task.masked_region)] * REPEATS + [("no-op", NO_OP)]
        other = wrong_api(task, self._candidates)
        if other is not None:
            probes.append(("wrong API", other))
        leaf = task.api_name.rpartition(".")[2]
        return probes + [(f"without {name}", code) for name, code in omitted_arguments(task.masked_region, leaf)]

    def _in_old_version(self, tasks: Sequence[Task]) -> list[Verdict | None]:
        if self._old is None:
            return [None] * len(tasks)
        trials = [Trial(task=task, code=task.masked_region) for task in tasks]
        return list(judge_trials(self._engine, self._old, trials, preload=self._preload))


def _record(task: Task, row: Sequence[tuple[str, Verdict]], old: Verdict | None) -> GateRecord:
    passes = [verdict.outcome == "pass" for name, verdict in row if name == "reference"]
    survivors = [name for name, verdict in row if name != "reference" and verdict.outcome == "pass"]
    # In the old version no verdict is an answer too: there the context may not run, nor the API exist.
    broken = next((verdict for _, verdict in row if verdict.outcome == "infra"), None)
    evidence = {
        "reference": f"{sum(passes)} of {len(passes)}",
        "mutants": len(row) - len(passes),
        "survivors": survivors,
        "old_version": old.outcome if old else None,
    }
    if broken is not None:
        status, reason = "not run", f"it could not be judged: {broken.detail.get('reason', 'infrastructure')}"
    else:
        reason = _reason(task, passes, survivors, old, row)
        status = "failed" if reason else "passed"
    return GateRecord(
        task_id=task.task_id, api_name=task.api_name, gate="c1", status=status, reason=reason, evidence=evidence
    )


def _reason(
    task: Task,
    passes: Sequence[bool],
    survivors: Sequence[str],
    old: Verdict | None,
    row: Sequence[tuple[str, Verdict]],
) -> str | None:
    if not all(passes):
        first = next(v for name, v in row if name == "reference" and v.outcome != "pass")
        return (
            f"its reference passes {sum(passes)} of {len(passes)} times ({first.detail.get('reason', first.outcome)})"
        )
    if survivors:
        return f"it also passes with: {', '.join(survivors)}"
    if old is not None and old.outcome == "pass":
        return "its reference passes in the old version too"
    if task.change == "modified" and old is not None and any(_stopped_before(run) for run in old.runs):
        return "its context does not run in the old version, so nothing is shown of the API"
    return None


def _stopped_before(run: RunRecord) -> bool:
    return run.status != "completed" and run.phase in ("start", "context")
