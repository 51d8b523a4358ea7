"""The verdict on an answer to a task that brings its own test as text.

Such a test runs in the process of the answer, so an answer that sets out to can forge it: every verdict is marked
`trust: in-process`. What can be seen from outside is: the end of the test must have been reached (an early exit is
no pass, whatever its code), the answer itself must have completed a call of the target, and an answer is suspect that
reaches for the machinery around it, or whose test passes without the target's results where the reference's does not.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from apigap.records.release import ExpectedCall
from apigap.records.result import Outcome
from apigap.records.run import Ablation, CallRecord, Program, RunRecord
from apigap.sandbox.engine import Engine, Runner
from apigap.sandbox.environment import Environment
from apigap.sandbox.run_outcome import looked_around
from apigap.sandbox.task_supplied_test.expected_calls import Comparison, compare_calls
from apigap.sandbox.task_supplied_test.forgery import sign_of_forgery
from apigap.sandbox.task_supplied_test.program import SelfTest
from apigap.sandbox.verdict.judge import MAX_SHOWN, is_broken, judge_unparsed, why
from apigap.sandbox.verdict.verdict import OnVerdict, Verdict

TEST = "execution_test"
"""Under this name the records of runs tell how the test ended."""
IN_PROCESS = "in-process"
_SECRETS, _NEEDED = 8, 3
"""Under so many secrets results are altered, and under so many of them the reference's test must fail: some alterations
do not show in what a test asks."""
_FOR_SHOW = "the test passes as well when the target raises or gives other results, and the reference's does not"


@dataclass(frozen=True)
class SuppliedTestTrial:
    """An answer to judge; `expected` are the published records of the reference's calls, where there are any."""

    test: SelfTest
    code: str
    expected: tuple[ExpectedCall, ...] = ()


def judge_supplied_tests(
    engine: Engine,
    environment: Environment,
    trials: Sequence[SuppliedTestTrial],
    *,
    preload: Sequence[str] = (),
    on_result: OnVerdict | None = None,
) -> list[Verdict]:
    """The verdicts on `trials`, in their order; `on_result` is told of each as soon as its runs have ended."""
    isolation = engine.profile.name
    if engine.elsewhere is not None:
        return _judge_in_rounds(engine, environment, trials, preload, on_result)

    def job(trial: SuppliedTestTrial) -> Callable[[Runner], Verdict]:
        return lambda run: _judge(_course(trial, environment, isolation), run)

    return engine.run_jobs(environment, [job(trial) for trial in trials], preload=preload, on_result=on_result)


V = TypeVar("V")
_Runs = Generator[Program, RunRecord, V]
_Course = _Runs[Verdict]
_ROUND = 2_000
"""Trials whose programs go to other machines at a time."""


def _judge(course: _Course, run: Runner) -> Verdict:
    try:
        program = next(course)
        while True:
            program = course.send(run(program))
    except StopIteration as ended:
        return ended.value


def _judge_in_rounds(
    engine: Engine,
    environment: Environment,
    trials: Sequence[SuppliedTestTrial],
    preload: Sequence[str],
    on_result: OnVerdict | None,
) -> list[Verdict]:
    """The verdicts on trials whose programs are run many at a time: the first ones of all, then the second ones."""
    found: dict[int, Verdict] = {}

    def go_on(number: int, course: _Course, run: RunRecord | None) -> Program | None:
        try:
            return next(course) if run is None else course.send(run)
        except StopIteration as ended:
            found[number] = ended.value
            if on_result is not None:
                on_result(number, found[number])
            return None

    for first in range(0, len(trials), _ROUND):
        numbers = range(first, min(first + _ROUND, len(trials)))
        courses = {number: _course(trials[number], environment, engine.profile.name) for number in numbers}
        waiting = {number: program for number, course in courses.items() if (program := go_on(number, course, None))}
        while waiting:
            runs = dict(zip(waiting, engine.run(environment, [*waiting.values()], preload=preload), strict=True))
            ended = ((number, go_on(number, courses[number], run)) for number, run in runs.items())
            waiting = {number: program for number, program in ended if program is not None}
    return [found[number] for number in range(len(trials))]


def _course(trial: SuppliedTestTrial, environment: Environment, isolation: str) -> _Course:
    """The programs of a trial, each of which is answered by its run, and at the end the verdict."""
    early = judge_unparsed(trial.code, environment, isolation)
    if early is not None:
        return Verdict(early.outcome, early.score, {**early.detail, "trust": IN_PROCESS, "test": "not run"}, (), None)
    program = trial.test.program(trial.code)
    plain = _named((yield program), trial.test.expression)
    watched = program.model_copy(update={"target": trial.test.target, "record": True})
    # Watching a program that ran into a limit or forged its report would cost three limits and tell nothing.
    recorded = _named((yield watched), trial.test.expression) if plain.status not in ("limit", "tampered") else None
    verdict = judge_supplied_test_runs(trial, plain, recorded, isolation)
    if verdict.outcome == "pass" and (yield from _is_for_show(trial, program)):
        return replace(verdict, outcome="suspect", score=0.0, detail={**verdict.detail, "reason": _FOR_SHOW})
    return verdict


def _is_for_show(trial: SuppliedTestTrial, program: Program) -> _Runs[bool]:
    """Tell whether the test passes with a target that raises, or gives other results, and the reference's does not."""
    salts = [secrets.randbelow(2**31) for _ in range(_SECRETS)]
    reference = trial.test.program(trial.test.reference)
    ways = (([_switched(trial, "raise", 0)], 1), ([_switched(trial, "alter", salt) for salt in salts], _NEEDED))
    for updates, needed in ways:
        passes, failed = True, 0
        for update in updates:
            passes = passes and (yield from _passes(trial, program.model_copy(update=update)))
        if not passes or not (yield from _passes(trial, reference)):
            continue
        for update in updates:
            failed += not (yield from _passes(trial, reference.model_copy(update=update)))
        if failed >= needed:
            return True
    return False


def _switched(trial: SuppliedTestTrial, how: Ablation, salt: int) -> dict[str, Any]:
    return {"target": trial.test.target, "ablate": how, "salt": salt}


def _passes(trial: SuppliedTestTrial, program: Program) -> _Runs[bool]:
    """Tell whether the test passes; what the machine may have ended is run once more."""
    run = yield program
    if run.status in ("infra", "limit"):
        run = yield program
    return run.status == "completed" and trial.test.expression in run.observations


def _named(run: RunRecord, expression: str) -> RunRecord:
    """The run with the test under its short name instead of its text."""
    observations = {TEST: run.observations[expression]} if expression in run.observations else {}
    errors = {TEST: run.errors[expression]} if expression in run.errors else {}
    return run.model_copy(update={"observations": observations, "errors": errors})


def judge_supplied_test_runs(
    trial: SuppliedTestTrial, plain: RunRecord, recorded: RunRecord | None, isolation: str
) -> Verdict:
    """The verdict from the runs alone: pure, so that it can be reached again from stored records."""
    compared = _compared(trial.expected, recorded)
    outcome, reason, culprit = _decide(trial, plain, recorded, compared)
    exception = culprit.exception or culprit.errors.get(TEST)
    detail: dict[str, Any] = {
        "phase": culprit.phase if culprit.status != "completed" else "observe",
        "exception": exception.model_dump(mode="json") if exception else None,
        "calls": [call.model_dump(mode="json") for call in (recorded.calls if recorded else ())[:MAX_SHOWN]],
        "differences": [],
        "limit": culprit.limit,
        "reason": reason,
        "isolation": isolation,
        "trust": IN_PROCESS,
        "test": "passed" if TEST in plain.observations else ("failed" if TEST in plain.errors else "not reached"),
        "expected calls": dict(sorted(Counter(compared).items())),
    }
    return Verdict(outcome, 1.0 if outcome == "pass" else 0.0, detail, (plain,), recorded)


def _compared(expected: Sequence[ExpectedCall], recorded: RunRecord | None) -> list[Comparison]:
    if recorded is None or recorded.status != "completed":
        return ["not compared"] * len(expected)
    return compare_calls(expected, recorded.calls)


def _decide(
    trial: SuppliedTestTrial, plain: RunRecord, recorded: RunRecord | None, compared: Sequence[Comparison]
) -> tuple[Outcome, str, RunRecord]:
    """Outcome, reason, and the run that shows it."""
    for run in (plain, *([recorded] if recorded else [])):
        if run.status == "infra":
            return "infra", run.reason or "the sandbox failed", run
    if is_broken(plain):
        return "infra", f"the task's own code did not run: {why(plain)}", plain
    if plain.status != "completed":
        return "fail", why(plain), plain
    if TEST not in plain.observations:
        return "fail", _failed(plain), plain
    assert recorded is not None, "a program that completed has been watched, too"
    return _decide_by_calls(trial, plain, recorded, compared)


def _decide_by_calls(
    trial: SuppliedTestTrial, plain: RunRecord, recorded: RunRecord, compared: Sequence[Comparison]
) -> tuple[Outcome, str, RunRecord]:
    """The test has passed: what does the run say in which calls were watched?"""
    if recorded.status != "completed":
        return "suspect", f"the test passes, but not when calls are watched: {why(recorded)}", recorded
    if TEST not in recorded.observations:
        return "suspect", f"the test passes, but not when calls are watched: {_failed(recorded)}", recorded
    if not any(_is_use(call) for call in recorded.calls):
        return "fail", f"the test passes, but the answer never completed a call of {trial.test.target}", recorded
    if "differs" in compared:
        number = compared.index("differs") + 1
        return "fail", f"no call of {trial.test.target} has the arguments of the reference's call {number}", recorded
    sign = sign_of_forgery(trial.test, trial.code)
    if sign is not None:
        return "suspect", sign, recorded
    seen = looked_around(recorded)
    if seen is not None:
        return "suspect", seen, recorded
    return "pass", "the test passes", plain


def _is_use(call: CallRecord) -> bool:
    return call.completed and call.caller == "candidate"


def _failed(run: RunRecord) -> str:
    error = run.errors.get(TEST)
    return f"the test fails: {error.type}: {error.message[:300]}" if error else "the test gave no result"
