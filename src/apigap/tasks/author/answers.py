"""The JSON answers that a model is asked for, as a written task; any answer gives one or a reason."""

import ast
from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, Field

from apigap.models.schemas.structured import UnreadableAnswer
from apigap.models.syntax import why_unparsed
from apigap.records.base import Json
from apigap.records.parsing.syntax import parse
from apigap.tasks.hand_written import LEAST_SCENARIOS, WrittenScenario

_MOST_SCENARIOS = 4


def _as_lines(value: Json) -> Json:
    """Code may come as one text too."""
    return value.split("\n") if isinstance(value, str) else value


Lines = Annotated[list[str], BeforeValidator(_as_lines), Field(min_length=1)]


class TaskAnswer(BaseModel):
    """A task without its scenarios; code is a list of lines, since models break the escapes of long texts."""

    description: Annotated[str, Field(min_length=1)]
    context: Lines
    solution: Lines
    observe: Lines


class ScenarioAnswer(BaseModel):
    """Other inputs for a task: assignments of the context, written anew."""

    name: Annotated[str, Field(min_length=1)]
    inputs: Lines


class ScenariosAnswer(BaseModel):
    """The scenarios of a task beside the basic one."""

    scenarios: Annotated[list[ScenarioAnswer], Field(min_length=1)]


def code_of(lines: Sequence[str]) -> str:
    """Lines as code that ends in a line break."""
    return "\n".join(lines).strip("\n") + "\n"


def inputs_of(context: str) -> dict[str, str]:
    """The assignments at the top of `context` that hold data: what is assigned to, and the lines of the statement."""
    lines = context.split("\n")
    found: dict[str, str] = {}
    taken: set[int] = set()
    for node in parse(context).body:
        own = range(node.lineno - 1, node.end_lineno or node.lineno)
        target = _target(node)
        if target and _has_data(node) and not taken & set(own):
            found.setdefault(target, "\n".join(lines[number] for number in own))
        taken.update(own)
    return found


def scenarios_of(answer: ScenariosAnswer, context: str) -> tuple[WrittenScenario, ...]:
    """The scenarios as texts of `context` and what comes in their place.

    Raises:
        UnreadableAnswer: for an input that is no assignment, or none that the context has.
    """
    known = inputs_of(context)
    chosen = answer.scenarios[:_MOST_SCENARIOS]
    if len(chosen) < LEAST_SCENARIOS - 1:
        raise UnreadableAnswer(f"there is {len(chosen)} scenario, and {LEAST_SCENARIOS - 1} are needed")
    names = _names([scenario.name for scenario in chosen])
    return tuple(
        WrittenScenario(name=name, replace=_replacements(scenario.inputs, known, context))
        for name, scenario in zip(names, chosen, strict=True)
    )


def _replacements(inputs: Sequence[str], known: dict[str, str], context: str) -> tuple[tuple[str, str], ...]:
    text = code_of(inputs)
    why = why_unparsed(text)
    if why is not None:
        raise UnreadableAnswer(f"the inputs {text.strip()!r} do not parse: {why}")
    found: dict[str, str] = {}
    for node in parse(text).body:
        target = _target(node)
        if target not in known:
            listing = ", ".join(f"`{name}`" for name in known)
            raise UnreadableAnswer(f"`{ast.unparse(node)}` assigns to none of the inputs, which are {listing}")
        found[target] = ast.unparse(node)
    # With the line breaks around them, so that no longer line that ends alike is changed too.
    return tuple(
        (f"{'' if context.startswith(known[name]) else chr(10)}{known[name]}\n",
         f"{'' if context.startswith(known[name]) else chr(10)}{code}\n")
        for name, code in found.items()
    )  # fmt: skip


def _names(wished: Sequence[str]) -> list[str]:
    """Names that are all different, and none the basic scenario's."""
    taken = {"basic"}
    names: list[str] = []
    for wish in (" ".join(wish.split())[:60] or "scenario" for wish in wished):
        name = next(n for n in (wish, *(f"{wish} {i}" for i in range(2, 99))) if n not in taken)
        taken.add(name)
        names.append(name)
    return names


def _target(node: ast.stmt) -> str | None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return ast.unparse(node.targets[0])
    return ast.unparse(node.target) if isinstance(node, ast.AnnAssign) and node.value else None


def _has_data(node: ast.stmt) -> bool:
    value = cast("ast.Assign | ast.AnnAssign", node).value
    return value is not None and any(isinstance(part, (ast.Constant, ast.List, ast.Dict)) for part in ast.walk(value))
