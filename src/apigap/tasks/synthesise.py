"""Stage 3: the deterministic author. Tasks from usages that no bundle shows, expectations from reference runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apigap.execution.compare import merge_stable
from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.knowledge.verify import ApiUsages, VerifiedUsage
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.run import Program, RunRecord
from apigap.records.task import Difficulty, Harness, Observation, Scenario, Spy, Task
from apigap.tasks.cut import CutError, Draft, cut
from apigap.tasks.describe import describe
from apigap.tasks.leak import leaks
from apigap.tasks.variants import Variant, variants

AUTHOR = "synthesised"
_SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Written:
    """The tasks of one API, and why each usage that gave none was left out."""

    api_name: str
    tasks: tuple[Task, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True)
class _Attempt:
    candidate: Candidate
    verified: VerifiedUsage
    draft: Draft
    variants: tuple[Variant, ...]


class Synthesiser:
    """Writes tasks for the APIs of one release."""

    def __init__(
        self,
        engine: Engine,
        environment: Environment,
        preload: Sequence[str],
        domain: str,
        limits: TaskSettings,
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload
        self._domain = domain
        self._limits = limits

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[Written]:
        """Tasks for each API of `batch`, in its order. Same input, same tasks."""
        dropped: dict[str, list[str]] = {candidate.api_name: [] for candidate, _ in batch}
        attempts = [a for candidate, usages in batch for a in self._attempts(candidate, usages, dropped)]
        chosen = self._choose_scenarios(attempts, dropped)
        tasks = self._finish(chosen, dropped)
        return [
            Written(
                candidate.api_name,
                tuple(tasks.get(candidate.api_name, ())[: self._limits.per_api]),
                tuple(dropped[candidate.api_name]) or ((usages.reason,) if usages.reason else ()),
            )
            for candidate, usages in batch
        ]

    def _attempts(self, candidate: Candidate, usages: ApiUsages, dropped: dict[str, list[str]]) -> Iterator[_Attempt]:
        wanted = [verified for verified in usages.usages if verified.needs_new]
        if usages.usages and not wanted:
            dropped[candidate.api_name].append("no usage beside the exemplars needs the new version")
        for verified in wanted[: self._limits.usages_tried]:
            try:
                draft = cut(verified.usage, candidate)
                self._check_size(draft, candidate)
            except CutError as error:
                dropped[candidate.api_name].append(f"{verified.usage.source}: {error}")
                continue
            yield _Attempt(candidate, verified, draft, tuple(variants(draft)))

    def _check_size(self, draft: Draft, candidate: Candidate) -> None:
        if len(draft.context) > self._limits.context_characters:
            raise CutError(f"its context is over {self._limits.context_characters} characters")
        if len(draft.completion) > self._limits.masked_characters:
            raise CutError(f"its masked region is over {self._limits.masked_characters} characters")
        if leaks(draft.context, candidate.leaf):
            raise CutError("its context names the API")

    def _choose_scenarios(
        self, attempts: Sequence[_Attempt], dropped: dict[str, list[str]]
    ) -> list[tuple[_Attempt, list[tuple[str, Variant]]]]:
        """Basic, up to two changed and one edge scenario per attempt, by one run each of the reference."""
        programs = [_program(a.draft, v) for a in attempts for v in (_basic(a.draft), *a.variants)]
        runs = iter(self._engine.run(self._environment, programs, preload=self._preload))
        chosen: list[tuple[_Attempt, list[tuple[str, Variant]]]] = []
        for attempt in attempts:
            basic, *others = [next(runs) for _ in range(1 + len(attempt.variants))]
            try:
                chosen.append((attempt, _scenarios(attempt, basic, others)))
            except CutError as error:
                dropped[attempt.candidate.api_name].append(f"{attempt.verified.usage.source}: {error}")
        return chosen

    def _finish(
        self, chosen: Sequence[tuple[_Attempt, list[tuple[str, Variant]]]], dropped: dict[str, list[str]]
    ) -> dict[str, list[Task]]:
        programs = [_program(a.draft, v, seed) for a, scenarios in chosen for _, v in scenarios for seed in _SEEDS]
        runs = iter(self._engine.run(self._environment, programs, preload=self._preload))
        tasks: dict[str, list[Task]] = {}
        for attempt, scenarios in chosen:
            references = [[next(runs) for _ in _SEEDS] for _ in scenarios]
            name = attempt.candidate.api_name
            try:
                tasks.setdefault(name, []).append(self._task(attempt, scenarios, references))
            except CutError as error:
                dropped[name].append(f"{attempt.verified.usage.source}: {error}")
        return tasks

    def _task(
        self, attempt: _Attempt, scenarios: Sequence[tuple[str, Variant]], references: Sequence[Sequence[RunRecord]]
    ) -> Task:
        candidate, draft = attempt.candidate, attempt.draft
        built = [_scenario(name, variant, runs) for (name, variant), runs in zip(scenarios, references, strict=True)]
        description = describe(draft, candidate, {o.expression: o.expected for o in built[0].observations})
        if description is None:
            raise CutError("its description would name the API")
        return Task(
            api_name=candidate.api_name,
            library=candidate.library,
            version=candidate.new_version,
            old_version=candidate.old_version,
            domain=self._domain,
            change="added" if candidate.change == "added" else "modified",
            difficulty=_difficulty(draft, candidate),
            description=description,
            context_code=draft.context,
            masked_region=draft.completion,
            reference_solution="\n".join((draft.context, draft.completion)),
            harness=Harness(
                layers=("structural", "comparative"), scenarios=tuple(built), spy=Spy(target=candidate.api_name)
            ),
            author=AUTHOR,
            provenance=(attempt.verified.usage.source,),
        )


def _basic(draft: Draft) -> Variant:
    return Variant(draft.context, draft.observes, edge=False)


def _program(draft: Draft, variant: Variant, seed: int = 1) -> Program:
    return Program(context=variant.context, completion=draft.completion, observe=variant.observes, seed=seed)


def _scenarios(attempt: _Attempt, basic: RunRecord, others: Sequence[RunRecord]) -> list[tuple[str, Variant]]:
    """The scenarios whose observations differ from each other's; the basic one keeps what could be observed."""
    if basic.status != "completed":
        raise CutError(f"cut at that place it ends in {basic.exception.type if basic.exception else basic.status}")
    seen = [_comparable(basic)]
    useful = tuple(e for e in attempt.draft.observes if e in basic.observations or _raises_on_purpose(attempt, e))
    if not useful:
        raise CutError("nothing that it leaves behind can be observed")
    chosen = [("basic", Variant(attempt.draft.context, useful, edge=False))]
    for variant, run in zip(attempt.variants, others, strict=True):
        kind = "edge" if variant.edge else "changed"
        room = (1 if variant.edge else 2) - sum(name.startswith(kind) for name, _ in chosen)
        values = _comparable(run)
        if room <= 0 or run.status != "completed" or values in seen or not (variant.edge or run.observations):
            continue
        seen.append(values)
        chosen.append((f"{kind}_{3 - room}" if kind == "changed" else kind, _keep(variant, attempt.draft, useful)))
    if not any(name.startswith("changed") for name, _ in chosen):
        raise CutError("no change of its inputs shows in what can be observed")
    return chosen


def _keep(variant: Variant, draft: Draft, useful: Sequence[str]) -> Variant:
    pairs = zip(draft.observes, variant.observes, strict=True)
    return Variant(variant.context, tuple(new for old, new in pairs if old in useful), variant.edge)


def _raises_on_purpose(attempt: _Attempt, expression: str) -> bool:
    """True where the usage's author expected the expression to raise (a `pytest.raises` block)."""
    return any(not step.code and step.expression == expression for step in attempt.verified.usage.steps)


def _comparable(run: RunRecord) -> list[Any]:
    """Observed values in order, without the expressions: variants may change those too."""
    return list(run.observed.values())


def _scenario(name: str, variant: Variant, runs: Sequence[RunRecord]) -> Scenario:
    if any(run.status != "completed" for run in runs):
        raise CutError("its reference does not run every time")
    values = [run.observed for run in runs]
    observations = [
        Observation(expression=expression, expected=merge_stable([value[expression] for value in values]))
        for expression in variant.observes
        if all(expression in value for value in values)
    ]
    stable = [o for o in observations if o.expected != {"unstable": True}]
    if not stable:
        raise CutError("what it leaves behind differs from run to run")
    return Scenario(name=name, context_code=variant.context, observations=tuple(stable))


def _difficulty(draft: Draft, candidate: Candidate) -> Difficulty:
    """Easy: one statement; medium: two, or a definition around the call; hard: more, or several uses of the API."""
    uses = draft.completion.count(candidate.leaf) - len(draft.imports)
    size = sum(code.count("\n") + 1 for code in draft.masked)
    if uses > 1 or size > 5:
        return "hard"
    return "easy" if size == 1 else "medium"
