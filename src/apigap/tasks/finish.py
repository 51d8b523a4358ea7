"""Written tasks made whole: expectations from runs of the references, and of migrations from the code before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apigap.records.base import Json, canonical_json
from apigap.records.run import Program, RunRecord
from apigap.records.task import Containers, Harness, Layer, Observation, Scenario, Spy, Task, with_containers
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.comparison import differences, merge_stable
from apigap.tasks.hand_written import AUTHOR, WrittenTask, WrittenTasks, problem_of_scenarios, problem_of_text
from apigap.tasks.open_containers import contradiction, left_open

SEEDS = (1, 2, 3)
STRICT = """\
import warnings

for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
    warnings.filterwarnings("error", category=category, module=__name__)
"""
"""The beginning of a migration's program: it calls nothing that warns that it is going away."""
_UNSTABLE = canonical_json({"unstable": True})


@dataclass(frozen=True)
class Finished:
    """A task that can be used, or (`task` is None) what is wrong with it; `number` counts from 1 within its file."""

    number: int
    api_name: str
    task: Task | None
    problem: str | None


def finish(
    library_tasks: WrittenTasks,
    engine: Engine,
    environment: Environment,
    preload: Sequence[str],
    old: Environment | None = None,
) -> list[Finished]:
    """Each task with what its reference gives in every scenario, or what is wrong with it, in the file's order.

    What a migration wants is what the code before gives in `old`.
    """
    problems = [problem_of_text(task) or problem_of_scenarios(task) for task in library_tasks.task]
    sound = [task for task, problem in zip(library_tasks.task, problems, strict=True) if problem is None]
    runs = iter(run_references(sound, engine, environment, preload))
    former = iter(_run_before([task for task in sound if task.before], engine, old))
    done: list[Finished] = []
    for number, (task, problem) in enumerate(zip(library_tasks.task, problems, strict=True), start=1):
        found: Task | str = problem or _finish(library_tasks, task, next(runs), next(former) if task.before else None)
        made = found if isinstance(found, Task) else None
        done.append(Finished(number, task.api, made, None if isinstance(found, Task) else found))
    return done


def run_references(
    tasks: Sequence[WrittenTask], engine: Engine, environment: Environment, preload: Sequence[str]
) -> list[list[list[RunRecord]]]:
    """Run the reference of each task: per scenario one run for each of `SEEDS`."""
    programs = [
        Program(context=context, completion=task.solution, observe=task.observe, seed=seed)
        for task in tasks
        for _, context in contexts_of(task)
        for seed in SEEDS
    ]
    runs = iter(engine.run(environment, programs, preload=preload))
    return [[[next(runs) for _ in SEEDS] for _ in task.contexts] for task in tasks]


def contexts_of(task: WrittenTask) -> list[tuple[str, str]]:
    """(name, context) of every scenario; in a migration warnings of what is going away are errors."""
    strict = f"{STRICT}\n" if task.before is not None else ""
    return [(name, f"{strict}{context.lstrip()}" if strict else context) for name, context in task.contexts]


def _run_before(
    tasks: Sequence[WrittenTask], engine: Engine, old: Environment | None
) -> list[list[list[RunRecord]] | None]:
    """Run the code before of each migration in the old version; None of each where there is no such environment."""
    if old is None or not tasks:
        return [None] * len(tasks)
    before = [task.model_copy(update={"solution": task.before, "before": None}) for task in tasks]
    return [*run_references(before, engine, old, ())]


def observed_in(name: str, task: WrittenTask, runs: Sequence[RunRecord]) -> tuple[Observation, ...] | str:
    """The observations of the reference in the scenario `name`, or why nothing can be said of it."""
    ended = next((run for run in runs if run.status != "completed"), None)
    if ended is not None:
        what = f"{ended.exception.type}: {ended.exception.message}" if ended.exception else ended.reason
        return f"its reference does not run in scenario {name}: {ended.status} in {ended.phase}: {what}"
    observations = tuple(
        Observation(
            expression=text,
            expected=merge_stable([run.observed[text] for run in runs]),
            containers=_containers(task, text),
        )
        for text in task.observe
    )
    unstable = [one.expression for one in observations if _UNSTABLE in canonical_json(one.expected)]
    return f"{unstable[0]} differs from run to run in scenario {name}" if unstable else observations


def _finish(
    library_tasks: WrittenTasks,
    task: WrittenTask,
    references: Sequence[Sequence[RunRecord]],
    former: Sequence[Sequence[RunRecord]] | None,
) -> Task | str:
    if task.before is not None and former is None:
        return "it is a migration, and its old version is not there"
    scenarios: list[Scenario] = []
    for place, ((name, context), runs) in enumerate(zip(contexts_of(task), references, strict=True)):
        observations = observed_in(name, task, runs)
        if former is not None and not isinstance(observations, str):
            observations = _as_before(name, task, observations, former[place])
        if isinstance(observations, str):
            return observations
        scenarios.append(Scenario(name=name, context_code=context, observations=observations))
    if task.author == AUTHOR:
        wrong = next(_contradictions(task, scenarios), None)
        if wrong is not None:
            return wrong
    else:  # a model is not asked for what its own words say
        scenarios = [with_containers(scenario, _left_open(task, scenarios)) for scenario in scenarios]
    values = [canonical_json([one.expected for one in scenario.observations]) for scenario in scenarios]
    if len(set(values)) < len(values):
        return "two of its scenarios give the same values, so that one of them shows nothing"
    return _task(library_tasks, task, scenarios)


def _as_before(
    name: str, task: WrittenTask, now: Sequence[Observation], runs: Sequence[RunRecord]
) -> tuple[Observation, ...] | str:
    """The observations of the code before in the old version, or why they are not what the reference gives now."""
    before = observed_in(name, task, runs)
    if isinstance(before, str):
        return f"in the old version: {before}".replace("its reference", "its code before")
    for was, given in zip(before, now, strict=True):
        if differences(was.expected, given.expected, was.containers):
            return f"{was.expression} was something else in the old version, in scenario {name}"
    return before


def _task(library_tasks: WrittenTasks, task: WrittenTask, scenarios: Sequence[Scenario]) -> Task:
    context = contexts_of(task)[0][1]
    layers: tuple[Layer, ...] = ("structural", "comparative")
    if any(scenario.mock for scenario in task.scenario):
        layers = (*layers, "mock")
    return Task(
        api_name=task.api,
        library=library_tasks.library,
        version=library_tasks.version,
        old_version=library_tasks.old_version,
        domain=library_tasks.domain,
        change="added" if task.change == "added" else "modified",
        difficulty=task.difficulty,
        description=_description(library_tasks, task),
        context_code=context,
        masked_region=task.solution,
        reference_solution=f"{context.rstrip()}\n{task.solution}",
        harness=Harness(layers=layers, scenarios=tuple(scenarios), spy=_spy(task)),
        author=task.author,
        provenance=task.provenance,
        python=library_tasks.python,
        beside=library_tasks.beside,
        before=task.before,
    )


def _description(library_tasks: WrittenTasks, task: WrittenTask) -> str:
    """The description; of a migration with the code before."""
    if task.before is None:
        return task.description.strip()
    place = f"{library_tasks.library} {library_tasks.old_version}"
    return f"{task.description.strip()}\n\nWith {place} this did it:\n```python\n{task.before.strip()}\n```"


def _spy(task: WrittenTask) -> Spy:
    return Spy(target=task.api, also=tuple(other.api for other in task.also), needed=task.needed)


def _containers(task: WrittenTask, expression: str) -> Containers | None:
    found = task.containers.get(expression)
    return None if found == "as given" else found


def _left_open(task: WrittenTask, scenarios: Sequence[Scenario]) -> dict[str, Containers]:
    """The containers that the description leaves open."""
    found: dict[str, Containers] = {}
    for expression in task.observe:
        opened = left_open(task.description, task.context, expression, _forms(scenarios, expression))
        if opened is not None:
            found[expression] = opened
    return found


def _forms(scenarios: Sequence[Scenario], expression: str) -> list[Json]:
    return [o.expected for scenario in scenarios for o in scenario.observations if o.expression == expression]


def _contradictions(task: WrittenTask, scenarios: Sequence[Scenario]) -> Iterator[str]:
    """The observations of which the author's decision on containers is not what the description says."""
    for expression in task.observe:
        forms, decided = _forms(scenarios, expression), task.containers.get(expression)
        wrong = contradiction(task.description, task.context, expression, forms, decided)
        if wrong is not None:
            yield wrong
