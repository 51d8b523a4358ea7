"""Further evidence on an answer that passes: with the target switched off, and in the version before it.

An answer whose values do not change when the target raises has another way to them: it fails. One whose values do not
change when the target does nothing has called it for show, and one that gives the same values where the target does
not exist yet cannot need it: these are suspect, for a person to look at. None of it counts where the reference
itself behaves so. (Calls with and without the update as evidence: CodeUpdateArena, UPass@k.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apigap.execution.compare import differences
from apigap.execution.engine import Runner
from apigap.execution.environments import Environment
from apigap.records.result import Outcome
from apigap.records.run import Ablation, Program, RunRecord
from apigap.records.task import Scenario, Task

_DEPENDS = "other values"


@dataclass(frozen=True)
class Former:
    """Where the version before runs."""

    environment: Environment
    preload: Sequence[str]


@dataclass(frozen=True)
class Evidence:
    """What was found: `outcome` and `reason` are None where nothing speaks against the answer."""

    found: dict[str, str]
    outcome: Outcome | None = None
    reason: str | None = None


class Examiner:
    """Examines passing answers to the tasks of one release; remembers how each task's reference behaves."""

    def __init__(self, run: Runner, run_former: Runner | None) -> None:
        self._run = run
        self._run_former = run_former
        self._references: dict[tuple[str, Ablation], bool] = {}

    def examine(self, task: Task, code: str, basic: Scenario) -> Evidence:
        """The evidence on `code`, which gives the right values in every scenario."""
        target = task.harness.spy.target
        found: dict[str, str] = {}
        if code.strip() == task.masked_region.strip():
            return Evidence({"answer": "the reference itself"})
        if self._escapes(task, code, basic, "raise", found):
            return Evidence(found, "fail", f"the values do not come from {target}: they are the same when it raises")
        if self._is_for_show(task, code, basic, found):
            return Evidence(found, "suspect", f"{target} is called, but the values do not depend on what it gives")
        if task.change == "added" and self._run_former is not None:
            before = _holds(basic, self._run_former(_program(basic, code)))
            found["former version"] = "same values" if before else _DEPENDS
            if before:
                return Evidence(found, "suspect", f"it gives the same values in {task.old_version}, before {target}")
        return Evidence(found)

    def _is_for_show(self, task: Task, code: str, basic: Scenario, found: dict[str, str]) -> bool:
        """Whether the values stay the same when the target gives another result, or, where its results cannot be
        altered so that the reference's values change, when it gives none."""
        if self._escapes(task, code, basic, "alter", found):
            return True
        return found["alter"] != _DEPENDS and self._escapes(task, code, basic, "nothing", found)

    def _escapes(self, task: Task, code: str, basic: Scenario, how: Ablation, found: dict[str, str]) -> bool:
        """Whether switching the target off leaves the answer's values alone, and changes the reference's."""
        same = self._unaffected(task, code, basic, how)
        if same and self._reference_unaffected(task, basic, how):
            found[how] = "no evidence: the reference's values stay the same too"
            return False
        found[how] = "same values" if same else _DEPENDS
        return same

    def _reference_unaffected(self, task: Task, basic: Scenario, how: Ablation) -> bool:
        key = (task.task_id, how)
        if key not in self._references:
            self._references[key] = self._unaffected(task, task.masked_region, basic, how)
        return self._references[key]

    def _unaffected(self, task: Task, code: str, basic: Scenario, how: Ablation) -> bool:
        return _holds(basic, self._run(_program(basic, code, task.harness.spy.target, how)))


def _program(basic: Scenario, code: str, target: str | None = None, how: Ablation | None = None) -> Program:
    observe = tuple(observation.expression for observation in basic.observations)
    return Program(context=basic.context_code, completion=code, observe=observe, target=target, ablate=how)


def _holds(basic: Scenario, run: RunRecord) -> bool:
    if run.status != "completed":
        return False
    return all(
        o.expression in run.observed and not differences(o.expected, run.observed[o.expression])
        for o in basic.observations
    )
