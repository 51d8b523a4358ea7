"""An answer and what it costs to judge it: which programs are run, in which order, and when no more are.

The scenarios that are not the basic one run first. Where all of them are right, the basic one runs watched, and where
that is right as well, it is not run again unwatched: watching can spoil a value, but not put it right.
"""

import ast
import functools
from dataclasses import dataclass

from apigap.records.parsing.syntax import BYTE_ORDER_MARK, parse
from apigap.records.run import Program, RunRecord
from apigap.records.task import Scenario, Task
from apigap.sandbox.run_outcome import looked_around
from apigap.sandbox.task_supplied_test.published_monitor import bound_names
from apigap.sandbox.verdict.adaptive_timeout import AdaptiveTimeout
from apigap.sandbox.verdict.comparison import Difference, differences


@dataclass(frozen=True)
class Trial:
    """An answer to judge: `code` is what stands in the place of the task's masked region."""

    task: Task
    code: str


@dataclass(frozen=True)
class Runs:
    """The runs of a trial: one per scenario in the task's order, and the basic scenario's watched one, if any."""

    plain: tuple[RunRecord, ...]
    recorded: RunRecord | None


def run_trial(trial: Trial, timeout: AdaptiveTimeout) -> Runs:
    """Run the programs of a trial; once one has reached a limit of time, the others are not run."""
    return _Course(trial, timeout).run()


def cost_of(trial: Trial) -> int:
    """The number of programs that a trial is, as a measure of how long it takes."""
    return len(trial.task.apis) * len(trial.task.harness.scenarios)


def basic_of(task: Task) -> int:
    """The number of the scenario that is watched: the one called basic, else the first."""
    names = [scenario.name for scenario in task.harness.scenarios]
    return names.index("basic") if "basic" in names else 0


def basic_scenario(task: Task) -> Scenario:
    """The scenario that is watched."""
    return task.harness.scenarios[basic_of(task)]


def wrong_in(scenario: Scenario, run: RunRecord) -> dict[str, list[Difference]]:
    """Per expression of one scenario what differs; an observation that is missing differs as a whole."""
    found: dict[str, list[Difference]] = {}
    for observation in scenario.observations:
        expression = observation.expression
        if expression not in run.observed:
            found[expression] = [Difference("", observation.expected, {"missing": True}, "type")]
            continue
        different = differences(observation.expected, run.observed[expression], observation.containers)
        if different:
            found[expression] = different
    return found


def is_right(scenario: Scenario, run: RunRecord) -> bool:
    """Tell whether the program ended of itself and everything observed is as expected."""
    return run.status == "completed" and not wrong_in(scenario, run)


def called_by_answer(run: RunRecord) -> bool:
    """Tell whether the answer itself made a call of the target that returned normally."""
    return any(call.completed and call.caller == "candidate" for call in run.calls)


class _Course:
    """One trial on its way."""

    def __init__(self, trial: Trial, timeout: AdaptiveTimeout) -> None:
        self._task = trial.task
        self._timeout = timeout
        self._scenarios = trial.task.harness.scenarios
        self._programs = [program_of(trial.task, scenario, trial.code) for scenario in self._scenarios]
        self._done: dict[int, RunRecord] = {}

    def run(self) -> Runs:
        basic = basic_of(self._task)
        others = [number for number in range(len(self._scenarios)) if number != basic]
        for number in others:
            self._done[number] = self._next(number)
        recorded = None
        if others and all(is_right(self._scenarios[number], self._done[number]) for number in others):
            recorded = self._watched(basic)
            if self._stands_for_plain(recorded):
                self._done[basic] = recorded
        if basic not in self._done:
            self._done[basic] = self._next(basic)
        # Watching a program that ran into a limit or forged its report would cost three limits and tell nothing.
        if recorded is None and self._done[basic].status in ("completed", "raised", "exited", "infra"):
            recorded = self._watched(basic)
        return Runs(tuple(self._done[number] for number in range(len(self._scenarios))), recorded)

    def _next(self, number: int) -> RunRecord:
        stuck = next((other for other, record in self._done.items() if record.limit in ("cpu", "wall")), None)
        if stuck is not None:
            return _not_again(self._done[stuck], self._scenarios[stuck].name)
        record = self._timeout.run(self._task, self._programs[number])
        waited = sum(run.idle_seconds for run in (*self._done.values(), record))
        return self._over_budget(record, waited) if waited > self._timeout.wall_seconds else record

    def _over_budget(self, record: RunRecord, waited: float) -> RunRecord:
        """An answer that waits almost as long as it may in every scenario has waited too long in all.

        Waiting for a processor does not count, so that a busy machine decides nothing.
        """
        allowed = self._timeout.allowed_idle(self._task, self._programs)
        if record.limit or record.status == "infra" or waited <= allowed:
            return record
        reason = f"waited {waited:.0f} s in all scenarios together, more than {allowed:.0f} s"
        return RunRecord(status="limit", phase=record.phase, limit="wall", reason=reason, seconds=record.seconds)

    def _watched(self, basic: int) -> RunRecord:
        spy = self._task.harness.spy
        update = {"target": spy.target, "also": spy.also, "record": True}
        return self._timeout.run(self._task, self._programs[basic].model_copy(update=update))

    def _stands_for_plain(self, recorded: RunRecord) -> bool:
        """Tell whether a watched run is right in every respect, and within the limits of a run that is not watched."""
        task = self._task
        if not is_right(basic_scenario(task), recorded) or looked_around(recorded):
            return False
        waited = sum(run.idle_seconds for run in (*self._done.values(), recorded))
        return (
            (called_by_answer(recorded) or not task.harness.spy.required)
            and recorded.cpu_seconds <= self._timeout.cpu_seconds
            and waited <= self._timeout.wall_seconds
        )


def program_of(task: Task, scenario: Scenario, code: str) -> Program:
    """The program that answers one scenario of a task with `code`."""
    return Program(
        context=scenario.context_code,
        completion=code.removeprefix(BYTE_ORDER_MARK),
        observe=tuple(observation.expression for observation in scenario.observations),
        keep=kept_names(scenario.context_code, task.masked_region),
        strict=is_strict(task, scenario),
    )


def is_strict(task: Task, scenario: Scenario) -> bool:
    """Tell whether the context decides what becomes of warnings, and not the answer."""
    return "warnings" in scenario.context_code and "warnings" not in task.masked_region


def can_be_read(task: Task) -> bool:
    """Tell whether what the observations rely on can be told from the task's own code, see `Program.keep`."""
    try:
        for code in (task.masked_region, *(scenario.context_code for scenario in task.harness.scenarios)):
            parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@functools.lru_cache(maxsize=1024)
def kept_names(context: str, reference: str) -> tuple[str, ...]:
    """The names of the context that the reference neither binds again nor sets attributes on."""
    try:
        return tuple(sorted(bound_names(context) - bound_names(reference) - changed_names(reference)))
    except (SyntaxError, ValueError, RecursionError):
        return ()


def changed_names(code: str) -> set[str]:
    """Names whose attributes the code sets or deletes."""
    found: set[str] = set()
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
            found |= {part.id for part in node.args[:1] if isinstance(part, ast.Name)}
    return found


def _not_again(stuck: RunRecord, scenario: str) -> RunRecord:
    reason = f"not run: scenario {scenario} reached its limit ({stuck.reason})"
    return RunRecord(status="limit", phase=stuck.phase, limit=stuck.limit, reason=reason)
