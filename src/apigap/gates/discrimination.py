"""The share of a reference's mutants that a task's harness tells from the reference.

A mutant whose basic scenario already shows it is killed there, by one plain run. Only what gets through that is judged
as an answer is. A survivor that provably does what the reference does was no mutant and is not counted.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apigap.records.parsing.syntax import parse
from apigap.records.run import Program, RunRecord
from apigap.records.task import Scenario, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.adaptive_timeout import FACTOR
from apigap.sandbox.verdict.judge import is_broken, judge_trials, why
from apigap.sandbox.verdict.trials import Trial, basic_scenario, is_right
from apigap.tasks.mutants import Facts, Mutant, mutants, questions
from apigap.tasks.mutants.facts import context_names
from apigap.tasks.mutants.mutant import SAME

LEAST_SCORE = 0.9
_SYMMETRIC = "each of the two matters by itself, their order does not"
_PROVEN = f"bool({SAME}) and all({SAME})"


@dataclass(frozen=True)
class JudgedMutant:
    """A mutant and what became of it.

    `fate` is `killed`, `survived`, `equivalent` where it is the reference in other words, or `infra` where it could
    not be judged; `why` says it in words.
    """

    mutant: Mutant
    fate: str
    why: str


@dataclass(frozen=True)
class Subject:
    """A task whose reference holds: what is known of its target, and the longest of the reference's runs in seconds."""

    task: Task
    facts: Facts
    seconds: float

    @property
    def leaf(self) -> str:
        """The target's last name."""
        return self.task.api_name.rpartition(".")[2]


class Discrimination:
    """Makes and judges the mutants of tasks of one release."""

    def __init__(self, engine: Engine, environment: Environment, preload: Sequence[str]) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload

    def measure(self, subjects: Sequence[Subject]) -> list[list[JudgedMutant]]:
        """Per subject its mutants with what became of them, in their order."""
        informed = self._informed(subjects)
        pairs = [
            (subject, mutant)
            for subject in informed
            for mutant in mutants(subject.task.masked_region, subject.leaf, subject.facts)
        ]
        tried = dict(zip(map(id, (mutant for _, mutant in pairs)), self._try(pairs), strict=True))
        rows = [[tried[id(m)] for s, m in pairs if s is subject] for subject in informed]
        return [mark_symmetric(row) for row in rows]

    def _informed(self, subjects: Sequence[Subject]) -> list[Subject]:
        """The subjects with the values of what their references are given, in every scenario."""
        named = [
            replace(subject, facts=replace(subject.facts, names=context_names(subject.task.context_code)))
            for subject in subjects
        ]
        asked = [questions(subject.task.masked_region, subject.leaf, subject.facts) for subject in named]
        programs = [
            Program(context=scenario.context_code, completion=_imports(subject.task.masked_region), observe=texts)
            for subject, texts in zip(named, asked, strict=True)
            for scenario in subject.task.harness.scenarios
        ]
        runs = iter(self._run(programs))
        found: list[Subject] = []
        for subject, texts in zip(named, asked, strict=True):
            own = [next(runs) for _ in subject.task.harness.scenarios]
            found.append(replace(subject, facts=replace(subject.facts, values=_values(texts, own))))
        return found

    def _try(self, pairs: Sequence[tuple[Subject, Mutant]]) -> list[JudgedMutant]:
        runs = self._run([_program(basic_scenario(s.task), mutant.code) for s, mutant in pairs])
        tried: dict[int, JudgedMutant] = {}
        for number, ((subject, mutant), run) in enumerate(zip(pairs, runs, strict=True)):
            if self._shows(subject, run):
                tried[number] = JudgedMutant(mutant, "killed", why(run))
        left = [number for number in range(len(pairs)) if number not in tried]
        trials = [Trial(pairs[number][0].task, pairs[number][1].code) for number in left]
        verdicts = judge_trials(self._engine, self._environment, trials, preload=self._preload)
        for number, verdict in zip(left, verdicts, strict=True):
            fate = {"pass": "survived", "infra": "infra"}.get(verdict.outcome, "killed")
            tried[number] = JudgedMutant(pairs[number][1], fate, str(verdict.detail["reason"]))
        self._prove([(number, *pairs[number]) for number in left if tried[number].fate == "survived"], tried)
        return [tried[number] for number in range(len(pairs))]

    def _shows(self, subject: Subject, run: RunRecord) -> bool:
        """Tell whether one plain run of the basic scenario shows the mutant for what it is, as the judge then would.

        A limit of time tells nothing where the reference itself is slow.
        """
        slow = FACTOR * subject.seconds > self._engine.limits.cpu_seconds
        if run.status == "infra" or is_broken(run) or (slow and run.limit in ("cpu", "wall")):
            return False
        return not is_right(basic_scenario(subject.task), run)

    def _prove(self, survivors: Sequence[tuple[int, Subject, Mutant]], tried: dict[int, JudgedMutant]) -> None:
        """Mark those survivors whose stand-in for a result is that very result in every scenario."""
        probed = [(number, s.task, m.probe) for number, s, m in survivors if m.probe is not None]
        programs = [
            Program(context=scenario.context_code, completion=probe, observe=(_PROVEN,))
            for _, task, probe in probed
            for scenario in task.harness.scenarios
        ]
        runs = iter(self._run(programs))
        for number, task, _ in probed:
            own = [next(runs) for _ in task.harness.scenarios]
            if all(run.observed.get(_PROVEN) is True for run in own):
                tried[number] = replace(tried[number], fate="equivalent", why="the result is that very object")

    def _run(self, programs: Sequence[Program]) -> list[RunRecord]:
        return self._engine.run(self._environment, programs, preload=self._preload)


def mark_symmetric(row: Sequence[JudgedMutant]) -> list[JudgedMutant]:
    """A swap that survives although each of the two arguments matters by itself: the function is symmetric in them.

    That is taken for shown where the harness kills another value of the one and of the other; that the two differ is
    known from the mutant's making.
    """
    changed = [one.mutant for one in row if one.mutant.kind == "changed argument" and one.fate == "killed"]
    matters = {place for mutant in changed for place in mutant.places}
    return [replace(one, fate="equivalent", why=_SYMMETRIC) if _is_symmetric(one, matters) else one for one in row]


def _is_symmetric(one: JudgedMutant, matters: set[tuple[int, int]]) -> bool:
    swapped = one.mutant.kind == "swapped arguments" and one.fate == "survived"
    return swapped and matters.issuperset(one.mutant.places)


def evidence_of(row: Sequence[JudgedMutant]) -> dict[str, Any]:
    """The evidence of a gate's record: score, counts per kind, and the mutants that were not killed, with code."""
    killed, survived = _with(row, "killed"), _with(row, "survived")
    counted = len(killed) + len(survived)
    kinds = dict.fromkeys(one.mutant.kind for one in (*killed, *survived))
    return {
        "mutants": counted,
        "killed": len(killed),
        "score": len(killed) / counted if counted else None,
        "kinds": {kind: [_of(killed, kind), _of(killed, kind) + _of(survived, kind)] for kind in kinds},
        "survivors": [_as_evidence(one) for one in survived],
        "equivalent": [_as_evidence(one) for one in _with(row, "equivalent")],
        "not_judged": [{**_as_evidence(one), "why": one.why} for one in _with(row, "infra")],
    }


def _with(row: Sequence[JudgedMutant], fate: str) -> list[JudgedMutant]:
    return [one for one in row if one.fate == fate]


def _of(row: Sequence[JudgedMutant], kind: str) -> int:
    return sum(one.mutant.kind == kind for one in row)


def _as_evidence(one: JudgedMutant) -> dict[str, Any]:
    return {"kind": one.mutant.kind, "what": one.mutant.what, "code": one.mutant.code}


def _program(scenario: Scenario, code: str) -> Program:
    observe = tuple(observation.expression for observation in scenario.observations)
    return Program(context=scenario.context_code, completion=code, observe=observe)


def _imports(code: str) -> str:
    """The imports at the beginning of an answer, with which its arguments can be evaluated."""
    found = [node for node in parse(code).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(map(ast.unparse, found)) or "pass"


def _values(texts: Sequence[str], runs: Sequence[RunRecord]) -> Mapping[str, Sequence[Any]]:
    if any(run.status != "completed" for run in runs):
        return {}
    return {text: tuple(run.observed.get(text, {"raises": "nothing"}) for run in runs) for text in texts}
