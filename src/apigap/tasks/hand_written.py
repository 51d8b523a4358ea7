"""Written tasks: what an author gives, and what its text must hold before anything runs (`finish` runs it).

A person writes them in TOML, a model in the course of a run (`tasks.author`); what they must hold is the same. A file
holds the tasks of one library:

    library = "numpy"
    version = "2.4.4"
    old_version = "1.26.2"
    domain = "data_science"
    beside = ["polars"]  # where the tasks need another distribution as well

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
    before = '''the same work in the old version'''  # of a migration: its results there are what is wanted
    [[task.also]]
    api = "numpy.other"
    solution = '''the missing lines with another API that changed alike and that the description fits as well'''
"""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from apigap.models.syntax import why_unparsed
from apigap.records.base import Record, canonical_json
from apigap.records.errors import CorruptRecord
from apigap.records.task import (
    Containers,
    Difficulty,
)
from apigap.tasks.leak import leaks

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

    `needed` are further APIs that the solution needs. `before` is code that does the work in the old version, and gives
    what is wanted; the description shows it, so that it may name the API. `containers` says of an expression which
    containers the description leaves open. `author` and `provenance` are those of the task that is made of it.
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
    before: str | None = None
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

    `python` is the minor version of Python that they are written for; None is that of whoever runs apigap. `beside` are
    further distributions that they are run with, bare names: the tables of another library.
    """

    library: str
    version: str
    old_version: str | None = None
    domain: str
    task: tuple[WrittenTask, ...]
    python: str | None = None
    beside: tuple[str, ...] = ()


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
    if task.before is not None:  # its description shows the code before, with whatever names that has
        why = "its change is not modified" if task.change != "modified" else why_unparsed(task.before)
        return f"its code before cannot be used: {why}" if why else None
    for name in (*names, *(other.api.rpartition(".")[2] for other in task.also)):
        for what, text in (("description", task.description), ("context", task.context)):
            if leaks(text, name):
                return f"its {what} names the API ({name})"
    unknown = [text for text in task.containers if text not in task.observe]
    return f"it leaves containers of {unknown[0]!r} open, which it does not observe" if unknown else None


def problem_of_scenarios(task: WrittenTask) -> str | None:
    """The first fault of its scenarios, before anything runs."""
    if len(task.scenario) < LEAST_SCENARIOS - 1:
        return f"it has {1 + len(task.scenario)} scenarios, fewer than {LEAST_SCENARIOS}"
    missing = [old for scenario in task.scenario for old, _ in scenario.replace if old not in task.context]
    return f"its context does not hold {missing[0]!r}, which a scenario replaces" if missing else None
