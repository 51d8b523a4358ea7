"""Stage 3: the deterministic author. Tasks from usages that no bundle shows, expectations from reference runs."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apigap.execution.compare import merge_stable
from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.knowledge.verify import ApiUsages, VerifiedUsage, changed_parameters
from apigap.records.base import canonical_json
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.run import Program, RunRecord
from apigap.records.task import Difficulty, Harness, Observation, Scenario, Spy, Task
from apigap.tasks.chance import draws_by_chance
from apigap.tasks.cut import CutError, Draft, cuts
from apigap.tasks.describe import describe, is_telling
from apigap.tasks.leak import leaks
from apigap.tasks.mutants import omitted_arguments, without_arguments
from apigap.tasks.variants import Variant, variants

AUTHOR = "synthesised"
_SEEDS = (1, 2, 3)
_VAST = 20_000


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
        chosen = self._choose_scenarios(self._sharpen(attempts, dropped), dropped)
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
        wanted = [verified for verified in usages.usages if shows_change(verified, candidate)]
        if usages.usages and not wanted:
            dropped[candidate.api_name].append("no usage beside the exemplars shows the change")
        for verified in wanted[: self._limits.usages_tried]:
            for draft in cuts(verified.usage, candidate):
                problem = draft if isinstance(draft, CutError) else self._problem(draft, candidate)
                if isinstance(draft, CutError) or problem is not None:
                    dropped[candidate.api_name].append(f"{verified.usage.source}: {problem}")
                else:
                    yield _Attempt(candidate, verified, draft, ())

    def _problem(self, draft: Draft, candidate: Candidate) -> str | None:
        if len(draft.context) > self._limits.context_characters:
            return f"its context is over {self._limits.context_characters} characters"
        if len(draft.completion) > self._limits.masked_characters:
            return f"its masked region is over {self._limits.masked_characters} characters"
        if (drawn := draws_by_chance(draft.context)) is not None:
            return f"its context draws by chance, without a seed ({drawn})"
        return "its context names the API" if leaks(draft.context, candidate.leaf) else None

    def _sharpen(self, attempts: Sequence[_Attempt], dropped: dict[str, list[str]]) -> list[_Attempt]:
        """Attempts without arguments that change nothing; what only a library's object shows is observed there."""
        mutants = [omitted_arguments(a.draft.completion, a.candidate.leaf) for a in attempts]
        programs = [
            _program(attempt.draft, _with_texts(attempt.draft), completion=code)
            for attempt, row in zip(attempts, mutants, strict=True)
            for code in (attempt.draft.completion, *(code for _, code in row))
        ]
        runs = iter(self._engine.run(self._environment, programs, preload=self._preload))
        kept: list[_Attempt] = []
        for attempt, row in zip(attempts, mutants, strict=True):
            basic, *others = [next(runs) for _ in range(1 + len(row))]
            try:
                kept.append(_sharpened(attempt, [name for name, _ in row], basic, others))
            except CutError as error:
                dropped[attempt.candidate.api_name].append(f"{attempt.verified.usage.source}: {error}")
        return kept

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
                _add(tasks.setdefault(name, []), self._task(attempt, scenarios, references))
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


def shows_change(verified: VerifiedUsage, candidate: Candidate) -> bool:
    """Does the usage need the new version, and, where parameters changed, because it passes one of them?"""
    return verified.needs_new and (bool(verified.exercises) or not changed_parameters(candidate))


def _sharpened(attempt: _Attempt, names: Sequence[str], basic: RunRecord, others: Sequence[RunRecord]) -> _Attempt:
    """`attempt` with what its arguments are good for settled: see `Synthesiser._sharpen`."""
    draft = replace(attempt.draft, observes=tuple(observable(attempt.draft.observes, basic)))
    telling = [e for e in draft.observes if e in basic.observed and is_telling(basic.observed[e])]
    same = [i for i, run in enumerate(others) if _alike(basic, run, draft.observes)]
    blunt = any(_alike(basic, run, telling) for i, run in enumerate(others) if i not in same)
    passed = changed_parameters(attempt.candidate) & set(names)
    if passed and not passed & {name for i, name in enumerate(names) if i not in same}:
        raise CutError("what it gives for a changed parameter has no effect that can be observed")
    masked = without_arguments("\n".join(draft.masked), attempt.candidate.leaf, same) if same else None
    pieces = tuple(ast.unparse(node) for node in ast.parse(masked).body) if masked else draft.masked
    observes = draft.observes if blunt or not telling else tuple(telling)
    sharp = replace(draft, masked=pieces, observes=observes)
    return _Attempt(attempt.candidate, attempt.verified, sharp, tuple(variants(sharp)))


def _text_of(expression: str) -> str:
    return f"str({expression})"


def _with_texts(draft: Draft) -> Variant:
    """The basic scenario with the text of each observed name beside its value."""
    texts = (_text_of(expression) for expression in draft.observes if expression.isidentifier())
    return Variant(draft.context, (*draft.observes, *texts), edge=False)


def observable(expressions: Iterable[str], basic: RunRecord) -> Iterator[str]:
    """What to observe: the text of a library's object in place of inner state that is too large to be compared."""
    for expression in expressions:
        if not _is_vast(basic.observed.get(expression)):
            yield expression
        elif _has_text(expression, basic):
            yield _text_of(expression)


def _is_vast(form: object) -> bool:
    return len(canonical_json(form)) > _VAST


def _has_text(expression: str, basic: RunRecord) -> bool:
    """True where the value has a text of its own, not the default one with its address."""
    text = basic.observed.get(_text_of(expression))
    return isinstance(text, str) and not text.startswith("<") and not _is_vast(text)


def _alike(left: RunRecord, right: RunRecord, expressions: Sequence[str]) -> bool:
    return right.status == "completed" and _values(left, expressions) == _values(right, expressions)


def _add(tasks: list[Task], task: Task) -> None:
    """Append `task`, unless one that looks the same to a model is there."""
    looks = {(other.context_code, other.description) for other in tasks}
    if (task.context_code, task.description) in looks:
        raise CutError("it looks the same as another task of this API")
    tasks.append(task)


def _basic(draft: Draft) -> Variant:
    return Variant(draft.context, draft.observes, edge=False)


def _program(draft: Draft, variant: Variant, seed: int = 1, completion: str | None = None) -> Program:
    code = draft.completion if completion is None else completion
    return Program(context=variant.context, completion=code, observe=variant.observes, seed=seed)


def _scenarios(attempt: _Attempt, basic: RunRecord, others: Sequence[RunRecord]) -> list[tuple[str, Variant]]:
    """The scenarios whose observations differ from each other's; the basic one keeps what could be observed."""
    if basic.status != "completed":
        raise CutError(f"cut at that place it ends in {basic.exception.type if basic.exception else basic.status}")
    seen_there = [e for e in attempt.draft.observes if e in basic.observations or _raises_on_purpose(attempt, e)]
    useful = tuple(seen_there)
    if not useful:
        raise CutError("nothing that it leaves behind can be observed")
    chosen = [("basic", Variant(attempt.draft.context, useful, edge=False))]
    seen = [_values(basic, useful)]
    for variant, run in zip(attempt.variants, others, strict=True):
        kind = "edge" if variant.edge else "changed"
        room = (1 if variant.edge else 2) - sum(name.startswith(kind) for name, _ in chosen)
        kept = _keep(variant, attempt.draft, useful)
        values = _values(run, kept.observes)
        if room <= 0 or run.status != "completed" or values in seen or not (variant.edge or run.observations):
            continue
        seen.append(values)
        chosen.append((f"{kind}_{3 - room}" if kind == "changed" else kind, kept))
    if not any(name.startswith("changed") for name, _ in chosen):
        raise CutError("no change of its inputs shows in what can be observed")
    return chosen


def _keep(variant: Variant, draft: Draft, useful: Sequence[str]) -> Variant:
    pairs = zip(draft.observes, variant.observes, strict=True)
    return Variant(variant.context, tuple(new for old, new in pairs if old in useful), variant.edge)


def _raises_on_purpose(attempt: _Attempt, expression: str) -> bool:
    """True where the usage's author expected the expression to raise (a `pytest.raises` block)."""
    return any(not step.code and step.expression == expression for step in attempt.verified.usage.steps)


def _values(run: RunRecord, expressions: Sequence[str]) -> str:
    """Observed values in order, without the expressions, which variants may change; as JSON, where 1 is not True."""
    return canonical_json([run.observed.get(expression) for expression in expressions])


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
