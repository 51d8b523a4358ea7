"""Further evidence on an answer that passes: with the target switched off, and in the version before it.

What an answer checks of its own results (asserts, conditions on which it raises) is left out first, where it is right
without. None of these runs is watched, and nothing that the program says of itself counts in them: what is compared are
values. An answer whose values do not change when the target raises has another way to them: it fails. When it gives
other results, by a secret step, the values must change, and follow: as the reference's do, or, where the answer uses
the target in another way, otherwise, but repeatably, and differently for another step. An answer that only notices
that the target is not itself, and stops or gives up, does not follow; one that stops because the altered object refers
to others than it should (a copy of its universe, of its session) follows where only the object's data is altered, one
that looks something up by what it was given, where one piece of that is another, and one that uses the target oftener
than the reference, where only the first result is another. An answer follows, too, whose values change, repeatably,
with how many of the result's first items are left out. Where nothing changes, what lies deeper in the result is
altered, too, and what functions in it give that somebody calls later. None of it counts where the reference itself
behaves so.
(Calls with and without the update as evidence: CodeUpdateArena, UPass@k.)
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from apigap.records.base import canonical_json
from apigap.records.result import Outcome
from apigap.records.run import Ablation, Program, RunRecord
from apigap.records.task import Scenario, Task
from apigap.sandbox.engine import Runner
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.comparison import UNSTABLE, differences
from apigap.sandbox.verdict.own_checks import without_own_checks
from apigap.sandbox.verdict.trials import program_of

_DEPENDS = "other values"
_UNSTABLE = canonical_json(UNSTABLE)
_SALTS, _PARTS = 4, 8


@dataclass(frozen=True)
class Former:
    """The environment of the version before, and its preloads."""

    environment: Environment
    preload: Sequence[str]


@dataclass(frozen=True)
class Evidence:
    """The findings by kind; `outcome` and `reason` are None where nothing speaks against the answer."""

    found: dict[str, str]
    outcome: Outcome | None = None
    reason: str | None = None


class Examiner:
    """Examines passing answers to the tasks of one release; remembers how each task's reference behaves."""

    def __init__(self, run: Runner, run_former: Runner | None) -> None:
        self._run = run
        self._run_former = run_former
        self._salts = [secrets.randbelow(2**31) for _ in range(_PARTS)]
        self._references: dict[tuple[str, str, str, Ablation, int], RunRecord] = {}

    def examine(self, task: Task, code: str, basic: Scenario) -> Evidence:
        """The evidence on `code`, which gives the right values in every scenario."""
        if code.strip() == task.masked_region.strip():
            return Evidence({"answer": "the reference itself"})
        case = self._case(task, code, basic)
        target, found = task.harness.spy.target, case.found
        if self._unaffected(case, "raise"):
            reason = f"the values do not come from {target}: they are the same when it raises"
            return case.evidence("fail" if case.code == code else "suspect", reason)
        if self._is_for_show(case):
            reason = f"with the inputs that are not shown the values are the same when {target} raises"
            return case.evidence("suspect", reason)
        how: Ablation = "alter"
        if self._unaffected(case, how):
            how = "alter deeper"
            if self._unaffected(case, how) or found[how] != _DEPENDS:
                return case.evidence("suspect", f"{target} is called, but the values do not depend on what it gives")
        if found[how] == _DEPENDS:
            problem = self._does_not_follow(case, how)
            if problem is not None:
                return case.evidence("suspect", f"{problem} when {target} gives other results")
        elif self._unaffected(case, "nothing"):
            return case.evidence("suspect", f"{target} is called, but the values do not depend on what it gives")
        if task.change == "added" and self._run_former is not None:
            before = _holds(basic, self._run_former(program_of(task, basic, code)))
            found["former version"] = "same values" if before else _DEPENDS
            if before:
                return case.evidence("suspect", f"it gives the same values in {task.old_version}, before {target}")
        return Evidence(found)

    def _case(self, task: Task, code: str, basic: Scenario) -> "_Case":
        """The answer to examine: without the checks of its own results, where it is right without them.

        That such a check stops it when the target gives something else says nothing of where its values come from.
        Where the reference checks something, that is part of the work.
        """
        bare = without_own_checks(code) if without_own_checks(task.masked_region) is None else None
        if bare is None or not _holds(basic, self._run(program_of(task, basic, bare))):
            return _Case(task, code, basic)
        case = _Case(task, bare, basic)
        case.found["answer"] = "without the checks of its own results"
        return case

    def follows(self, task: Task, code: str, basic: Scenario) -> bool:
        """Tell whether the answer's values are the reference's, and no others, whenever the target gives other results.

        Nobody knows beforehand what these are, so such an answer has them from the target, wherever it called it.
        """
        return self._follows(_Case(task, code, basic), "alter")

    def _follows(self, case: "_Case", how: Ablation) -> bool:
        for number in range(_SALTS):
            reference = self._reference(case, how, number)
            if reference.status != "completed" or _holds(case.basic, reference):
                return False
            if not _agree(case, self._own(case, how, number), reference):
                return False
        return True

    def _follows_part(self, case: "_Case", how: Ablation) -> bool:
        """Tell whether the answer's values are the reference's when a part of the results is another.

        It may stop in some of these runs, as where it looks something up by a text that is another now, but in one in
        which the reference's values change it must have run on.
        """
        shown = False
        for number in range(_SALTS):
            own, reference = self._own(case, how, number), self._reference(case, how, number)
            if own.status != "completed" or reference.status != "completed":
                continue
            if not _agree(case, own, reference):
                return False
            shown = shown or not _holds(case.basic, reference)
        return shown

    def _varies(self, case: "_Case") -> bool:
        """Tell whether the answer's values change with the secret, and come again, when items are left out."""
        runs = [self._own(case, "alter part", number) for number in range(_PARTS)]
        done = [number for number, run in enumerate(runs) if run.status == "completed"]
        if all(_agree(case, runs[number], runs[done[0]]) for number in done):
            return False
        return _agree(case, self._own(case, "alter part", done[0], again=True), runs[done[0]])

    def _unaffected(self, case: "_Case", how: Ablation) -> bool:
        """Tell whether switching the target off leaves the answer's values alone, and changes the reference's."""
        same = _holds(case.basic, self._own(case, how))
        if same and how in ("alter", "alter deeper"):  # two alterations can undo one another, but not under every salt
            same = all(_holds(case.basic, self._own(case, how, number)) for number in range(1, _SALTS))
        if same and _holds(case.basic, self._reference(case, how)):
            case.found[how] = "no evidence: the reference's values stay the same too"
            return False
        case.found[how] = "same values" if same else _DEPENDS
        return same

    def _is_for_show(self, case: "_Case") -> bool:
        """Tell whether the answer uses the target with the shown inputs alone.

        One other scenario in which its values come from the target speaks for it: with some inputs, as with none at
        all, an answer may need no call.
        """
        others = [_Case(case.task, case.code, one) for one in case.task.harness.scenarios if one is not case.basic]
        unaffected = False
        for other in others:
            if self._unaffected(other, "raise"):
                unaffected = True
            elif other.found["raise"] == _DEPENDS:
                return False
        return unaffected

    def _does_not_follow(self, case: "_Case", how: Ablation) -> str | None:
        """Describe an answer that gives no evidence of using what the target gives; None where it uses it."""
        own, reference = self._own(case, how), self._reference(case, how)
        if reference.status != "completed" or _agree(case, own, reference):
            return None
        case.found[how] = "values unlike the reference's"
        for number in range(1, _SALTS):
            other, other_reference = self._own(case, how, number), self._reference(case, how, number)
            stops = own.status != "completed" and other.status != "completed"
            if other_reference.status != "completed" or not (stops or _agree(case, own, other)):
                break
        else:
            if own.status != "completed":
                follows = self._follows(case, "alter data") or any(
                    self._follows_part(case, part) for part in ("alter one", "alter first")
                )
                return None if follows or self._varies(case) else "it stops"
            constant = all(_agree(case, reference, self._reference(case, how, n)) for n in range(1, _SALTS))
            return None if constant or self._varies(case) else "it gives the same other values every time"
        if own.status != "completed":
            return None
        if not _agree(case, own, self._own(case, how, again=True)):
            again = self._run(_switched(case.task, case.basic, case.task.masked_region, how, self._salts[0]))
            return "its values are another time others" if _agree(case, reference, again) else None
        return None

    def _own(self, case: "_Case", how: Ablation, number: int = 0, again: bool = False) -> RunRecord:
        """The answer's run with the target switched off."""
        key = (how, number)
        if again or key not in case.runs:
            run = self._run(_switched(case.task, case.basic, case.code, how, self._salts[number]))
            if again:
                return run
            case.runs[key] = run
        return case.runs[key]

    def _reference(self, case: "_Case", how: Ablation, number: int = 0) -> RunRecord:
        """The reference's run with the target switched off, made once per task."""
        key = (case.task.task_id, case.task.api_name, case.basic.name, how, number)
        if key not in self._references:
            program = _switched(case.task, case.basic, case.task.masked_region, how, self._salts[number])
            self._references[key] = self._run(program)
        return self._references[key]


class _Case:
    """One answer under examination: its runs with the target switched off, and what was found."""

    def __init__(self, task: Task, code: str, basic: Scenario) -> None:
        self.task = task
        self.code = code
        self.basic = basic
        self.found: dict[str, str] = {}
        self.runs: dict[tuple[Ablation, int], RunRecord] = {}

    def evidence(self, outcome: Outcome, reason: str) -> Evidence:
        """A finding against the answer."""
        return Evidence(self.found, outcome, reason)


def _switched(task: Task, basic: Scenario, code: str, how: Ablation, salt: int) -> Program:
    spy = task.harness.spy
    update = {"target": spy.target, "also": spy.also, "ablate": how, "salt": salt}
    return program_of(task, basic, code).model_copy(update=update)


def _agree(case: _Case, one: RunRecord, other: RunRecord) -> bool:
    """Tell whether two runs completed with the same values, wherever the reference's are stable from run to run.

    Some observations may raise, in both. `other` is the reference's run where one of them is.
    """
    if one.status != "completed" or other.status != "completed":
        return False
    stable = [o for o in case.basic.observations if _UNSTABLE not in canonical_json(o.expected)]
    shown = [o for o in stable if o.expression in one.observed or o.expression in other.observed]
    return bool(shown) and all(
        o.expression in one.observed
        and o.expression in other.observed
        and not differences(other.observed[o.expression], one.observed[o.expression], o.containers)
        for o in shown
    )


def _holds(basic: Scenario, run: RunRecord) -> bool:
    if run.status != "completed":
        return False
    return all(
        o.expression in run.observed and not differences(o.expected, run.observed[o.expression], o.containers)
        for o in basic.observations
    )
