"""C1: the reference passes every time, nearly every mutant of it is told from it, and the old version does not do.

A task is rejected where its harness kills less than `LEAST_SCORE` of the mutants, or where doing nothing, or leaving
out what the new version brought, passes. Of a migration, whose reference may do in the old version too, the code before
must not do in the new one.
"""

from collections.abc import Iterator, Sequence

from apigap.gates.battery.signature import Signature, neighbours, read_signatures
from apigap.gates.discrimination import LEAST_SCORE, Discrimination, JudgedMutant, Subject, evidence_of
from apigap.gates.older_version import references_in, stopped_by
from apigap.gates.record import GateRecord, Status
from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.run import RunRecord
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.mutants import Facts
from apigap.tasks.mutants.siblings import siblings_of

REPEATS = 5
_BATCH = 8


class ValidityGate:
    """C1 for the tasks of one release.

    Wrong APIs and changes of parameters are taken from `candidates`; without them, wrong APIs from what the library has
    beside the targets of the tasks.
    """

    def __init__(
        self,
        engine: Engine,
        new: Environment,
        old: Environment | None,
        preload: Sequence[str],
        candidates: Sequence[Candidate] | None = None,
    ) -> None:
        self._engine = engine
        self._new = new
        self._old = old
        self._preload = preload
        self._given = candidates
        self._candidates = candidates or ()
        self._discrimination = Discrimination(engine, new, preload)
        self._signatures: dict[str, Signature | None] = {}
        self._former: dict[str, Signature] = {}

    def learn(self, tasks: Sequence[Task]) -> None:
        """Read how the targets are called, in both versions; `check` does so for those that are not known yet.

        It takes a fresh import of the library, so those who check tasks in batches do it once for all of them.
        """
        names = sorted({task.api_name for task in tasks} - self._signatures.keys())
        if not names:
            return
        found = read_signatures(self._engine, self._new, names)
        self._signatures.update({name: found.get(name) for name in names})
        if self._given is None:
            known = {name: signature for name, signature in self._signatures.items() if signature}
            self._candidates = neighbours(tasks[0].library, tasks[0].version, known)
        modified = sorted({task.api_name for task in tasks if task.change == "modified"} & set(names))
        if self._old is not None and modified:
            self._former.update(read_signatures(self._engine, self._old, modified))

    def check(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """One record per task, in order; one that composes holds where it does for each of its APIs by itself."""
        facets = [facet for task in tasks for facet in task.facets]
        records = iter(self._check(facets))
        return [_worst([next(records) for _ in task.facets]) for task in tasks]

    def _check(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """One record per facet, in order."""
        self.learn(tasks)
        references = self._references(tasks)
        sound = [number for number, row in enumerate(references) if all(verdict.outcome == "pass" for verdict in row)]
        subjects = [Subject(tasks[n], self._facts(tasks[n]), _longest(references[n])) for n in sound]
        tried = dict(zip(sound, self._discrimination.measure(subjects), strict=True))
        old, before = self._in_old_version(tasks), self._codes_before(tasks)
        return [
            _record(task, references[number], tried.get(number, []), old[number], before.get(number))
            for number, task in enumerate(tasks)
        ]

    def batches(self, tasks: Sequence[Task]) -> Iterator[list[GateRecord]]:
        """The records of `check`, a few tasks at a time: a run that is ended keeps those that it was given."""
        self.learn([facet for task in tasks for facet in task.facets])
        for start in range(0, len(tasks), _BATCH):
            yield self.check(tasks[start : start + _BATCH])

    def _references(self, tasks: Sequence[Task]) -> list[list[Verdict]]:
        trials = [Trial(task, task.masked_region) for task in tasks for _ in range(REPEATS)]
        verdicts = iter(judge_trials(self._engine, self._new, trials, preload=self._preload))
        return [[next(verdicts) for _ in range(REPEATS)] for _ in tasks]

    def _codes_before(self, tasks: Sequence[Task]) -> dict[int, Verdict]:
        """The verdict on the code before of each migration, by the place of its task."""
        trials = {number: Trial(task, task.before) for number, task in enumerate(tasks) if task.before}
        if not trials:
            return {}
        judged = judge_trials(self._engine, self._new, [*trials.values()], preload=self._preload)
        return dict(zip(trials, judged, strict=True))

    def _facts(self, task: Task) -> Facts:
        now, before = self._signatures[task.api_name], self._former.get(task.api_name)
        candidate = next((c for c in self._candidates if c.api_name == task.api_name), None)
        changed = changed_parameters(candidate) if candidate and task.change == "modified" else frozenset[str]()
        defaults = dict(now.defaults) if now else {}
        former: dict[str, str] = {}
        if now and before and before.known:
            changed |= frozenset(now.named) - frozenset(before.named)
            former = {name: text for name, text in before.defaults if defaults.get(name, text) != text}
        return Facts(
            siblings=self._siblings(task, now),
            positional=now.positional if now else (),
            defaults=defaults,
            former_defaults=former,
            changed=changed,
        )

    def _siblings(self, task: Task, known: Signature | None) -> list[Candidate]:
        """Those that the library has beside the target, among which are no other names of it; else candidates.

        One that the task accepts is no wrong one.
        """
        accepted = task.harness.spy.also
        beside = neighbours(task.library, task.version, {task.api_name: known}) if known else []
        left = [[c for c in several if c.api_name not in accepted] for several in (beside, self._candidates)]
        return siblings_of(task.api_name, left[0]) or siblings_of(task.api_name, left[1])

    def _in_old_version(self, tasks: Sequence[Task]) -> list[Verdict | None]:
        if self._old is None:
            return [None] * len(tasks)
        return [*references_in(self._engine, self._old, tasks, self._preload)]


def _longest(row: Sequence[Verdict]) -> float:
    return max((run.seconds for verdict in row for run in verdict.runs), default=0.0)


def _worst(records: Sequence[GateRecord]) -> GateRecord:
    """The record of the first API for which a task does not hold, else that of all, with their mutants together."""
    first = records[0]
    stopped = next((one for one in records if one.status != "passed"), None)
    if stopped is not None or len(records) == 1:
        return stopped or first
    counts = [(int(str(one.evidence["mutants"])), int(str(one.evidence["killed"]))) for one in records]
    mutants, killed = map(sum, zip(*counts, strict=True))
    score = killed / mutants if mutants else None
    return first.model_copy(
        update={"evidence": {**first.evidence, "mutants": mutants, "killed": killed, "score": score}}
    )


def _record(
    task: Task,
    references: Sequence[Verdict],
    tried: Sequence[JudgedMutant],
    old: Verdict | None,
    before: Verdict | None,
) -> GateRecord:
    passes = sum(verdict.outcome == "pass" for verdict in references)
    evidence = {
        "reference": f"{passes} of {len(references)}",
        **evidence_of(tried),
        "old_version": old.outcome if old else None,
        **({"code_before": before.outcome} if before else {}),
    }
    status, reason = _decision(task, references, tried, before or old)
    return GateRecord.of(task, "c1", status, reason, evidence)


def _decision(
    task: Task, references: Sequence[Verdict], tried: Sequence[JudgedMutant], old: Verdict | None
) -> tuple[Status, str | None]:
    """The status and its reason; what the task shows of itself needs nothing of the old version."""
    broken = _not_judged(references, tried)
    reason = None if broken else _reason(references, tried)
    if old is not None and not (broken or reason):
        broken = stopped_by(old)
        reason = None if broken else _reason_of_old(task, old)
    if broken:
        return "not run", f"it could not be judged: {broken}"
    return ("failed" if reason else "passed"), reason


def _not_judged(references: Sequence[Verdict], tried: Sequence[JudgedMutant]) -> str | None:
    """The reason why nothing can be said: a reference, or a mutant that has to be killed, could not be judged.

    A task whose own code ran to no verdict every time is broken, which is something that can be said.
    """
    unjudged = [verdict for verdict in references if verdict.outcome == "infra"]
    if unjudged and (len(unjudged) < len(references) or any(map(stopped_by, unjudged))):
        return str(unjudged[0].detail.get("reason", "infrastructure"))
    return next((one.why for one in tried if one.fate == "infra" and one.mutant.vital), None)


def _reason(references: Sequence[Verdict], tried: Sequence[JudgedMutant]) -> str | None:
    failed = next((verdict for verdict in references if verdict.outcome != "pass"), None)
    if failed is not None:
        passes = sum(verdict.outcome == "pass" for verdict in references)
        return (
            f"its reference passes {passes} of {len(references)} times ({failed.detail.get('reason', failed.outcome)})"
        )
    survivors = [one.mutant for one in tried if one.fate == "survived"]
    vital = [mutant.what for mutant in survivors if mutant.vital]
    if vital:
        return f"it also passes with: {', '.join(vital)}"
    killed = sum(one.fate == "killed" for one in tried)
    counted = killed + len(survivors)
    if not counted:
        return "no wrong answer to it could be judged, so nothing shows that it fails any"
    if killed < LEAST_SCORE * counted:
        names = ", ".join(f"{mutant.kind} ({mutant.what})" for mutant in survivors)
        return f"it kills {killed} of {counted} mutants, less than {LEAST_SCORE:.0%}; it also passes with: {names}"
    return None


def _reason_of_old(task: Task, old: Verdict) -> str | None:
    if task.before is not None:
        return "the code before passes in the new version too" if old.outcome == "pass" else None
    if old.outcome == "pass":
        return "its reference passes in the old version too"
    if task.change == "modified" and any(_stopped_before(run) for run in old.runs):
        return "its context does not run in the old version, so nothing is shown of the API"
    return None


def _stopped_before(run: RunRecord) -> bool:
    return run.status != "completed" and run.phase in ("start", "context")
