"""Facts on APIs from the running library: on which objects they are called, and which values their parameters take."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.knowledge.usages.library_setup import setup_of
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

Spec = list[Any]
"""The facts that a value is written from, see `shapes_script/hints.py`."""

_SCRIPT = Path(__file__).parent / "shapes_script"


class ParameterShape(Record):
    """A parameter: whether it must be given, whether by name only, and what it takes, the likeliest first."""

    name: str
    required: bool
    keyword: bool
    wants: tuple[Spec, ...] = ()


class ClassShape(Record):
    """A class: its constructor's parameters, and concrete classes derived from it (`derived`, by path).

    `kind` is the name that its objects have as their type; `open` that a class derived from it needs no methods;
    `prepares` methods that give its objects a state, with their parameters.
    """

    parameters: tuple[ParameterShape, ...]
    abstract: bool
    open: bool
    derived: tuple[str, ...]
    kind: str
    prepares: tuple[tuple[str, tuple[ParameterShape, ...]], ...] = ()


class ApiShape(Record):
    """An API: `receivers` are classes whose objects have it, `overriders` those that have their own in its place.

    `waits` tells a coroutine function.
    """

    parameters: tuple[ParameterShape, ...]
    waits: bool
    receivers: tuple[str, ...] = ()
    overriders: tuple[str, ...] = ()
    owner: str | None = None


class Shapes(Record):
    """Shapes of APIs by name, and of the classes that they and their parameters name, by `module:name`."""

    apis: Mapping[str, ApiShape]
    classes: Mapping[str, ClassShape]


def read_shapes(
    engine: Engine, environment: Environment, modules: Sequence[str], candidates: Sequence[Candidate]
) -> Shapes:
    """Ask the library, in the sandbox; an API that it cannot find has no shape.

    Raises:
        InfrastructureError: when the library cannot be loaded.
    """
    names = [candidate.api_name for candidate in candidates]
    if not names:
        return Shapes(apis={}, classes={})
    request: dict[str, Any] = {"apis": names, "setup": setup_of(modules), "modules": list(modules)}
    return Shapes.model_validate(engine.script(environment, _SCRIPT, request))
