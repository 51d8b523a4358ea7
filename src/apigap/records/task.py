"""Stage 3: a task, and the harness that judges an answer to it."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from apigap.records.base import Record, content_hash
from apigap.records.candidate import Since

Difficulty = Literal["easy", "medium", "hard"]
Layer = Literal["structural", "comparative", "mock"]
Containers = Literal["any", "any inside"]
"""Of an observed value: every container may be another that holds the same, or every one but the outermost."""
_DISTRIBUTION = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The normal form of a name on a package index."""


class Observation(Record):
    """An expression evaluated after the completion, and the fingerprint that the reference gave.

    `expected` is the canonical form made by `sandbox.worker.fingerprint`; what differed between reference
    runs has been replaced in it by `{"unstable": true}` and is not compared. `containers` says which of them the
    description leaves open; without it each must be as the reference's.
    """

    expression: str
    expected: Any
    containers: Containers | None = None

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_empty(write(self), "containers")


class Scenario(Record):
    """One variant of the context; the completion is the same in all of them.

    `basic` is what the prompt shows; the others change its inputs and are never shown.
    """

    name: str
    context_code: str
    observations: tuple[Observation, ...]


class Spy(Record):
    """The API that the candidate itself must have called, with the call completed, or one of the others that do.

    `also` are APIs that changed alike and fit the description as well: a call of any of them counts. `needed` are APIs
    of which the answer must have completed a call as well, each for itself.
    """

    target: str
    required: bool = True
    also: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """Every API of which a call counts."""
        return (self.target, *self.also)

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_empty(write(self), "also", "needed")


class Harness(Record):
    """The judging of an answer: every scenario's observations, and evidence that the target was called."""

    layers: tuple[Layer, ...]
    scenarios: tuple[Scenario, ...]
    spy: Spy


class Task(Record):
    """A task. `task_id` is the hash of everything else in it but `since`, so an edited task is another task.

    A program is `context_code` + completion; `reference_solution` is the whole program that the author wrote,
    `masked_region` the part of it that the model must write. `python` is the minor version (`3.12`) that it was made
    with and is judged on: without it, that of the interpreter that runs apigap. `beside` are further distributions that
    were installed there, those of the release's day. `before` is of a migration: code that gave these results in
    `old_version`, and does not in `version`. `since` is the first release that has what the task is on, of several APIs
    that of the youngest; it is known of the starter benchmark's.
    """

    task_id: str = ""
    api_name: str
    library: str
    version: str
    old_version: str | None
    domain: str
    change: Literal["added", "modified"]
    difficulty: Difficulty
    description: str
    context_code: str
    masked_region: str
    reference_solution: str
    harness: Harness
    author: str
    provenance: tuple[str, ...] = ()
    python: str | None = None
    beside: tuple[str, ...] = ()
    before: str | None = None
    since: Since | None = None

    @property
    def apis(self) -> tuple[str, ...]:
        """Every API that an answer must call: more than one of a task that composes."""
        return (self.api_name, *self.harness.spy.needed)

    @property
    def facets(self) -> "tuple[Task, ...]":
        """The task once for each of `apis`, as though this were the only one, with the same id; itself where it is."""
        spy = self.harness.spy
        if not spy.needed:
            return (self,)
        spies = [spy.model_copy(update={"needed": ()}), *(Spy(target=name) for name in spy.needed)]
        return tuple(
            self.model_copy(update={"api_name": one.target, "harness": self.harness.model_copy(update={"spy": one})})
            for one in spies
        )

    def facet(self, api_name: str | None) -> "Task":
        """The facet of one API, the first one where none is named."""
        return next((one for one in self.facets if one.api_name == api_name), self.facets[0])

    @field_validator("beside")
    @classmethod
    def _are_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse all but bare names, so that whatever is installed is of the index and of the release's day."""
        for name in value:
            if not _DISTRIBUTION.fullmatch(name):
                raise ValueError(f"{name!r} is no distribution's name in its normal form, such as `table-maker`")
        return value

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Give the fields, without a place's details where none are told."""
        return _without_empty(write(self), "python", "beside", "before", "since")

    @model_validator(mode="after")
    def _identify(self) -> "Task":
        expected = content_hash(self.model_dump(mode="json", exclude={"task_id", "since"}))
        if not self.task_id:
            object.__setattr__(self, "task_id", expected)
        elif self.task_id != expected:
            raise ValueError(f"task_id {self.task_id} is not the hash of the content ({expected}): it was edited")
        return self


def with_containers(scenario: Scenario, containers: Mapping[str, Containers]) -> Scenario:
    """The scenario with the containers left open that `containers` names by expression, and no others."""
    observations = tuple(
        o.model_copy(update={"containers": containers.get(o.expression)}) for o in scenario.observations
    )
    return scenario.model_copy(update={"observations": observations})


def _without_empty(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """The fields without those of `names` that hold nothing: a task made before they were there keeps hash and line."""
    return {name: value for name, value in fields.items() if value or name not in names}
