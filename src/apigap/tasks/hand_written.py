"""Written tasks: what an author gives, checked, with expectations from runs of the references.

A person writes them in TOML, a model in the course of a run (`tasks.author`); what they must hold is the same. A file
holds the tasks of one library:

    library = "numpy"
    version = "2.4.4"
    old_version = "1.26.2"
    domain = "data_science"

    [[task]]
    api = "numpy.unstack"
    change = "added"
    difficulty = "easy"
    description = "what must hold of the outputs, without the API's name"
    context = '''the program so far, with its inputs'''
    solution = '''the missing lines'''
    observe = ["expressions that are evaluated afterwards"]
    containers = {name = "any"}  # where the description does not say in which container the values of `name` are
    [[task.scenario]]
    name = "changed inputs"
    replace = [["text of the context", "other text"]]
    needed = ["numpy.another"]  # of a task that composes: what the solution must call as well
    [[task.also]]
    api = "numpy.other"
    solution = '''the missing lines with another API that changed alike and that the description fits as well'''
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from apigap.models.syntax import why_unparsed
from apigap.records.base import Json, Record, canonical_json
from apigap.records.errors import CorruptRecord
from apigap.records.run import Program, RunRecord
from apigap.records.task import (
    Containers,
    Difficulty,
    Harness,
    Layer,
    Observation,
    Scenario,
    Spy,
    Task,
    with_containers,
)
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.comparison import merge_stable
from apigap.tasks.leak import leaks
from apigap.tasks.open_containers import contradiction, left_open

AUTHOR = "written"
SEEDS = (1, 2, 3)
LEAST_SCENARIOS = 3
_UNSTABLE = canonical_json({"unstable": True})


WrittenContainers = Containers | Literal["as given"]
"""`as given`: those of the reference, although no word that the check knows says so."""


class WrittenScenario(Record):
    """A variant of the context: each pair of `replace` is a text that stands there and what comes in its place."""

    name: str
    replace: tuple[tuple[str, str], ...]
    mock: bool = False


class WrittenSister(Record):
    """Another API that the description fits as well as the task's own, and the solution with it."""

    api: str
    solution: str


class WrittenTask(Record):
    """A task before its reference has run. `observe` are expressions over the names that the solution leaves.

    `needed` are further APIs that the solution needs. `containers` says of an expression which containers the
    description leaves open. `author` and `provenance` are those of the task that is made of it.
    """

    api: str
    change: str
    difficulty: Difficulty
    description: str
    context: str
    solution: str
    observe: tuple[str, ...]
    scenario: tuple[WrittenScenario, ...]
    containers: dict[str, WrittenContainers] = {}
    also: tuple[WrittenSister, ...] = ()
    needed: tuple[str, ...] = ()
    author: str = AUTHOR
    provenance: tuple[str, ...] = ()

    @property
    def contexts(self) -> list[tuple[str, str]]:
        """(name, context) of every scenario, the basic one first."""
        found = [("basic", self.context)]
        for scenario in self.scenario:
            text = self.context
            for old, new in scenario.replace:
                text = text.replace(old, new)
            found.append((scenario.name, text))
        return found


class WrittenTasks(Record):
    """The tasks of one library; `old_version` is the one that its new APIs are compared with.

    `python` is the minor version of Python that they are written for; None is that of whoever runs apigap.
    """

    library: str
    version: str
    old_version: str | None = None
    domain: str
    task: tuple[WrittenTask, ...]
    python: str | None = None


@dataclass(frozen=True)
class Finished:
    """A task that can be used, or (`task` is None) what is wrong with it; `number` counts from 1 within its file."""

    number: int
    api_name: str
    task: Task | None
    problem: str | None


def read_written(path: Path) -> WrittenTasks:
    """The tasks of a TOML file.

    Raises:
        CorruptRecord: where it is not TOML or not of this form; the message says where.
    """
    try:
        return WrittenTasks.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CorruptRecord(f"{path} is not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise CorruptRecord(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def finish(
    library_tasks: WrittenTasks, engine: Engine, environment: Environment, preload: Sequence[str]
) -> list[Finished]:
    """Each task with what its reference gives in every scenario, or what is wrong with it, in the file's order."""
    problems = [problem_of_text(task) or _problem_of_scenarios(task) for task in library_tasks.task]
    sound = [task for task, problem in zip(library_tasks.task, problems, strict=True) if problem is None]
    runs = iter(run_references(sound, engine, environment, preload))
    done: list[Finished] = []
    for number, (task, problem) in enumerate(zip(library_tasks.task, problems, strict=True), start=1):
        found: Task | str = problem or _finish(library_tasks, task, next(runs))
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
        for _, context in task.contexts
        for seed in SEEDS
    ]
    runs = iter(engine.run(environment, programs, preload=preload))
    return [[[next(runs) for _ in SEEDS] for _ in task.contexts] for task in tasks]


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


def problem_of_text(task: WrittenTask) -> str | None:
    """The first fault of a task, apart from its scenarios, before anything runs."""
    if task.change not in ("added", "modified"):
        return f"its change is {task.change!r}; it is added or modified"
    solutions = [("solution", task.solution), *((f"solution with {other.api}", other.solution) for other in task.also)]
    for what, text in (("context", task.context), *solutions):
        why = why_unparsed(text)
        if why is not None:
            return f"its {what} does not parse: {why}"
    names = [name.rpartition(".")[2] for name in (task.api, *task.needed)]
    unused = next((name for name in names if name not in task.solution), None)
    if unused is not None:
        return f"its solution does not use {unused}"
    missing = next((other.api for other in task.also if other.api.rpartition(".")[2] not in other.solution), None)
    if missing is not None:
        return f"its solution with {missing} does not use it"
    for name in (*names, *(other.api.rpartition(".")[2] for other in task.also)):
        for what, text in (("description", task.description), ("context", task.context)):
            if leaks(text, name):
                return f"its {what} names the API ({name})"
    unknown = [text for text in task.containers if text not in task.observe]
    return f"it leaves containers of {unknown[0]!r} open, which it does not observe" if unknown else None


def _problem_of_scenarios(task: WrittenTask) -> str | None:
    if len(task.scenario) < LEAST_SCENARIOS - 1:
        return f"it has {1 + len(task.scenario)} scenarios, fewer than {LEAST_SCENARIOS}"
    missing = [old for scenario in task.scenario for old, _ in scenario.replace if old not in task.context]
    return f"its context does not hold {missing[0]!r}, which a scenario replaces" if missing else None


def _finish(library_tasks: WrittenTasks, task: WrittenTask, references: Sequence[Sequence[RunRecord]]) -> Task | str:
    scenarios: list[Scenario] = []
    for (name, context), runs in zip(task.contexts, references, strict=True):
        observations = observed_in(name, task, runs)
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


def _task(library_tasks: WrittenTasks, task: WrittenTask, scenarios: Sequence[Scenario]) -> Task:
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
        description=task.description.strip(),
        context_code=task.context,
        masked_region=task.solution,
        reference_solution=f"{task.context.rstrip()}\n{task.solution}",
        harness=Harness(layers=layers, scenarios=tuple(scenarios), spy=_spy(task)),
        author=task.author,
        provenance=task.provenance,
        python=library_tasks.python,
    )


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
