"""The verdict on an answer, reached outside the sandbox from the records of its runs.

Per trial one run per scenario, that of the basic one with the calls of the target watched. It passes only when every
run completed, every observation equals the reference's, nothing was tampered with, and, where the task asks for it,
the candidate itself called the target, the call completed, and the values depend on it (see `evidence`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from platform import python_version
from typing import Any

from apigap.records.parsing.syntax import parse
from apigap.records.result import Outcome
from apigap.records.run import RunRecord
from apigap.records.task import Scenario, Task
from apigap.sandbox.engine import Engine, Runner
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MAX_CODE, MAX_PARSED
from apigap.sandbox.run_outcome import looked_around, started_processes
from apigap.sandbox.verdict.adaptive_timeout import AdaptiveTimeout
from apigap.sandbox.verdict.comparison import Difference
from apigap.sandbox.verdict.evidence import Examiner, Former
from apigap.sandbox.verdict.module_name import changes_its_name
from apigap.sandbox.verdict.summary import summary
from apigap.sandbox.verdict.travelling import tell_elsewhere
from apigap.sandbox.verdict.trials import (
    Trial,
    basic_of,
    basic_scenario,
    called_by_answer,
    can_be_read,
    cost_of,
    is_strict,
    run_trial,
    wrong_in,
)
from apigap.sandbox.verdict.verdict import OnVerdict, Verdict

MAX_SHOWN = 10
_AT_A_TIME = 10_000

_NEVER = "the values are right, but the answer never completed a call of "


def judge_trials(
    engine: Engine,
    environment: Environment,
    trials: Sequence[Trial],
    *,
    preload: Sequence[str] = (),
    former: Former | None = None,
    on_result: OnVerdict | None = None,
) -> list[Verdict]:
    """The verdicts on `trials`, in their order; `on_result` is told of each as soon as its runs have ended.

    `former` is where the version before runs, for evidence on answers to tasks about added APIs.
    """
    if engine.elsewhere is not None:
        found: dict[int, Verdict] = {}

        def keep(number: int, verdict: Verdict) -> None:
            found[number] = verdict
            if on_result is not None:
                on_result(number, verdict)

        tell_verdicts(engine, environment, trials, preload=preload, former=former, on_result=keep)
        return [found[number] for number in range(len(trials))]
    return Judge(engine, environment, preload=preload, former=former).trials(trials, on_result)


def tell_verdicts(
    engine: Engine,
    environment: Environment,
    trials: Sequence[Trial],
    *,
    preload: Sequence[str] = (),
    former: Former | None = None,
    on_result: OnVerdict,
) -> None:
    """As `judge_trials`, but verdicts are told and not kept: of a million answers they would be gigabytes."""
    if engine.elsewhere is not None:
        before = (former.environment, tuple(former.preload)) if former else None
        tell_elsewhere(engine.elsewhere, engine.order("trials", environment, preload, before), trials, on_result)
        return
    judge = Judge(engine, environment, preload=preload, former=former)
    for first in range(0, len(trials), _AT_A_TIME):
        part = trials[first : first + _AT_A_TIME]
        judge.trials(part, lambda number, verdict, first=first: on_result(first + number, verdict))


class Judge:
    """Judges trials in one environment, by the sandboxes of this machine; remembers how references behave."""

    def __init__(
        self, engine: Engine, environment: Environment, *, preload: Sequence[str] = (), former: Former | None = None
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload
        run_former = engine.runner(former.environment, former.preload) if former else None
        self._examiner = Examiner(engine.runner(environment, preload), run_former)
        self._timeout = AdaptiveTimeout(lambda patience: engine.runner(environment, preload, patience), engine.limits)

    def trials(self, trials: Sequence[Trial], on_result: OnVerdict | None = None) -> list[Verdict]:
        """The verdicts on `trials`; see `judge_trials`."""
        jobs = [self._job(trial) for trial in trials]
        costs = [cost_of(trial) for trial in trials]
        return self._engine.run_jobs(self._environment, jobs, preload=self._preload, on_result=on_result, costs=costs)

    def _job(self, trial: Trial) -> Callable[[Runner], Verdict]:
        return lambda run: _of_every_api(trial, self._one)

    def _one(self, trial: Trial) -> Verdict:
        verdict = _judge(trial, self._environment, self._timeout, self._engine.profile.name)
        return _examined(trial, verdict, self._examiner)


def _of_every_api(trial: Trial, one: Callable[[Trial], Verdict]) -> Verdict:
    """The verdict on an answer that must call each of its task's APIs: it passes where it does for each by itself."""
    first, *others = (Trial(facet, trial.code) for facet in trial.task.facets)
    verdict = one(first)
    for further in others:
        if verdict.outcome != "pass":
            break
        found = one(further)
        if found.outcome != "pass":
            return replace(found, detail={**found.detail, "api": further.task.api_name})
        more = {"calls": [*verdict.detail["calls"], *found.detail["calls"]][:MAX_SHOWN]}
        parts = {**verdict.detail.get("needed", {}), further.task.api_name: found.detail.get("dependence", {})}
        verdict = replace(verdict, detail={**verdict.detail, **more, "needed": parts})
    return verdict


def _examined(trial: Trial, verdict: Verdict, examiner: Examiner) -> Verdict:
    """A pass stays one only where no further evidence speaks against it; it can also show a call that nobody saw."""
    if verdict.outcome == "pass" and _could_silence(trial):
        reason = "it changes the name of its module, and warnings that are errors here are told apart by that"
        return replace(verdict, outcome="suspect", detail={**verdict.detail, "reason": reason})
    if not trial.task.harness.spy.required:
        return verdict
    basic = basic_scenario(trial.task)
    if _was_called_unseen(verdict) and examiner.follows(trial.task, trial.code, basic):
        reason = "every observation holds; its calls are not seen, but its values follow what the target gives"
        verdict = replace(verdict, outcome="pass", score=1.0, detail={**verdict.detail, "reason": reason})
    if verdict.outcome != "pass":
        return verdict
    evidence = examiner.examine(trial.task, trial.code, basic)
    detail = {**verdict.detail, "dependence": evidence.found}
    if evidence.outcome is None:
        return replace(verdict, detail=detail)
    return replace(verdict, outcome=evidence.outcome, detail={**detail, "reason": evidence.reason})


def _could_silence(trial: Trial) -> bool:
    """Tell whether an answer changes the name by which its warnings are told apart, where these are errors."""
    strict = is_strict(trial.task, basic_scenario(trial.task))
    return strict and changes_its_name(trial.code)


def _was_called_unseen(verdict: Verdict) -> bool:
    """Tell whether all values are right, and nobody was seen to call the target, but there was another process."""
    recorded = verdict.recorded
    never = verdict.detail["reason"].startswith(_NEVER) and recorded is not None and not recorded.calls
    return never and recorded is not None and started_processes(recorded)


def _judge(trial: Trial, environment: Environment, timeout: AdaptiveTimeout, isolation: str) -> Verdict:
    early = _judge_unrun(trial, environment, isolation)
    if early is not None:
        return early
    runs = run_trial(trial, timeout)
    return judge_runs(trial.task, runs.plain, runs.recorded, isolation)


def judge_runs(task: Task, plain: Sequence[RunRecord], recorded: RunRecord | None, isolation: str) -> Verdict:
    """The verdict from the runs alone: pure, so that it can be reached again from stored records."""
    scenarios = task.harness.scenarios
    found = [wrong_in(scenario, run) for scenario, run in zip(scenarios, plain, strict=True)]
    outcome, reason, culprit = _decide(task, plain, recorded, found)
    total = sum(len(scenario.observations) for scenario in scenarios)
    wrong = sum(len(per_scenario) for per_scenario in found)
    score = 1.0 if outcome == "pass" else (0.0 if outcome != "fail" or not total else (total - wrong) / total)
    detail: dict[str, Any] = {
        "phase": culprit.phase,
        "exception": culprit.exception.model_dump(mode="json") if culprit.exception else None,
        "calls": [call.model_dump(mode="json") for call in (recorded.calls if recorded else ())[:MAX_SHOWN]],
        "differences": _shown(scenarios, found),
        "limit": culprit.limit,
        "reason": reason,
        "isolation": isolation,
    }
    return Verdict(outcome, score, detail, tuple(plain), recorded)


def _judge_unrun(trial: Trial, environment: Environment, isolation: str) -> Verdict | None:
    """The verdict on what need not be run: a task without observations, or code that cannot be right."""
    task = trial.task
    scenarios = task.harness.scenarios
    if not scenarios or any(not scenario.observations for scenario in scenarios):
        return _unrun("infra", "the task observes nothing in at least one scenario: it is broken", isolation)
    if environment.is_newer and not can_be_read(task):
        reason = f"the task is written in the syntax of a newer Python than {python_version()}, which runs apigap"
        return _unrun("infra", f"{reason}: run apigap on Python {environment.minor}", isolation)
    return judge_unparsed(trial.code, environment, isolation)


def judge_unparsed(code: str, environment: Environment, isolation: str) -> Verdict | None:
    """The verdict on code that is empty, too long or does not parse; None for any other, which has to be run.

    What is long is not parsed here, but in the sandbox, where its memory is bounded; neither is what only an
    environment with a newer Python than this one may understand.
    """
    if len(code) > MAX_CODE:
        return _unrun("fail", f"the code has {len(code)} characters, more than the {MAX_CODE} that are run", isolation)
    if "\0" in code:
        return _unrun("fail", "the code does not parse: it holds a null character", isolation)
    if len(code) > MAX_PARSED:
        return None
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None if environment.is_newer else _unrun("fail", f"the code does not parse: {error}", isolation)
    if not tree.body:
        return _unrun("fail", "the code is empty", isolation)
    return None


def _unrun(outcome: Outcome, reason: str, isolation: str) -> Verdict:
    detail: dict[str, Any] = {
        "phase": "compile" if outcome == "fail" else "start", "exception": None, "calls": [], "differences": [],
        "limit": None, "reason": reason, "isolation": isolation,
    }  # fmt: skip
    return Verdict(outcome, 0.0, detail, (), None)


def _decide(
    task: Task, plain: Sequence[RunRecord], recorded: RunRecord | None, found: list[dict[str, list[Difference]]]
) -> tuple[Outcome, str, RunRecord]:
    """Outcome, reason, and the run that shows it."""
    for run in [*plain, *([recorded] if recorded else [])]:
        if run.status == "infra":
            return "infra", run.reason or "the sandbox failed", run
    for run in plain:
        if is_broken(run):
            return "infra", f"the task's own code did not run: {why(run)}", run
    for run in plain:
        if run.status != "completed":
            return "fail", why(run), run
    for scenario, run, different in zip(task.harness.scenarios, plain, found, strict=True):
        if different:
            expression = next(iter(different))
            return "fail", f"{expression} is not what the reference gives (scenario {scenario.name})", run
    if recorded is None:
        return "infra", "all plain runs are right, and none was recorded", plain[0]
    outcome, reason, culprit = _decide_by_calls(task, plain[basic_of(task)], recorded)
    for run in [recorded, *plain]:
        sign = looked_around(run)
        if outcome == "pass" and sign is not None:
            return "suspect", sign, run
    return outcome, reason, culprit


def is_broken(run: RunRecord) -> bool:
    """Tell whether it was the task, not the answer, that failed: in these phases nothing of the answer is looked at."""
    return run.phase in ("start", "context") and run.status != "completed"


def _decide_by_calls(task: Task, plain: RunRecord, recorded: RunRecord) -> tuple[Outcome, str, RunRecord]:
    """All plain runs are right: does the recorded run agree, and did the candidate call the target?"""
    if recorded.status == "tampered":
        return "fail", why(recorded), recorded
    if recorded.status != "completed":
        return "suspect", f"right in a plain run, but not when calls are watched: {why(recorded)}", recorded
    different = next(iter(wrong_in(basic_scenario(task), recorded)), None)
    if different is not None:
        return "suspect", f"{different} differs when calls are watched", recorded
    spy = task.harness.spy
    if spy.required and not called_by_answer(recorded):
        return "fail", f"{_NEVER}{' or '.join(spy.targets)}", recorded
    return "pass", "every observation holds", plain


def why(run: RunRecord) -> str:
    """The end of a run that did not complete, in a few words."""
    if run.status == "raised" and run.exception is not None:
        return f"{run.exception.type}: {run.exception.message[:300]}"
    if run.status == "limit":
        return f"{run.limit} limit reached ({run.reason})"
    return f"{run.status}: {run.reason}" if run.reason else run.status


def _shown(scenarios: Sequence[Scenario], found: list[dict[str, list[Difference]]]) -> list[dict[str, str]]:
    shown = [
        {
            "scenario": scenario.name,
            "path": expression + difference.path,
            "kind": difference.kind,
            "expected": summary(difference.expected),
            "observed": "nothing" if difference.actual == {"missing": True} else summary(difference.actual),
        }
        for scenario, per_scenario in zip(scenarios, found, strict=True)
        for expression, several in per_scenario.items()
        for difference in several
    ]
    return shown[:MAX_SHOWN]
