"""Usages that upstream does not write: calls of an API on objects that upstream's own usages make.

Which objects those are is asked of the program itself: the usages run once, and the classes of their variables are
looked at. What a built usage is worth is found out as for any other one: by running it under the spy.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.knowledge.blocks import Statement
from apigap.knowledge.snippets import builds_on
from apigap.knowledge.surface import surface_of
from apigap.knowledge.transplant import ValueBook
from apigap.knowledge.usage import Step, Usage, bindings
from apigap.knowledge.values import argument_rows
from apigap.records.candidate import ApiKind, Candidate, Parameter
from apigap.records.run import Program

_OF_OBJECTS: frozenset[ApiKind] = frozenset(("method", "property"))
_LOOKED_AT = 160
_PER_OWNER = 12
_OBJECTS = 4
_CHARACTERS = 700
_NAMES = 5
_OPTIONS = 3
_OUTCOME = "outcome"
_MESSAGE = "'the value is missing'"


@dataclass(frozen=True)
class Made:
    """An object that a usage makes: the statements that lead to it, and its name."""

    prelude: tuple[str, ...]
    steps: tuple[Step, ...]
    name: str
    source: str

    @property
    def bound(self) -> frozenset[str]:
        """Variables at hand."""
        return frozenset(name for step in self.steps for name in Statement(ast.parse(step.code).body[0], False).binds)


class Builder:
    """Builds usages for the APIs of one release; the pool's objects are looked at once, when first needed."""

    def __init__(
        self, engine: Engine, environment: Environment, preload: Sequence[str], pool: Sequence[Usage], book: ValueBook
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload
        self._pool = [usage for usage in pool if len(usage.code) <= _CHARACTERS]
        self._book = book
        self._looked_at: dict[str, dict[str, tuple[str, ...]]] = {}
        self._general: list[Usage] | None = None

    def usages_of(self, candidates: Sequence[Candidate]) -> list[list[Usage]]:
        """Built usages of each candidate, those with few arguments first."""
        owners = sorted({_owner(candidate) for candidate in candidates if candidate.kind in _OF_OBJECTS})
        objects = self._objects(owners) if owners else {}
        return [list(self._usages(candidate, objects)) for candidate in candidates]

    def _usages(self, candidate: Candidate, objects: dict[str, list[Made]]) -> Iterator[Usage]:
        if candidate.kind in _OF_OBJECTS:
            for made in objects.get(_owner(candidate), ()):
                yield from self._on_object(candidate, made)
        elif candidate.kind in ("function", "class", "classmethod", "staticmethod"):
            yield from self._by_name(candidate)

    def _on_object(self, candidate: Candidate, made: Made) -> Iterator[Usage]:
        if candidate.kind == "property":
            yield _usage(made, f"{made.name}.{candidate.leaf}", f"{made.source} with its {candidate.leaf}")
            return
        for arguments in self._arguments(candidate, made.bound):
            call = f"{made.name}.{candidate.leaf}({arguments})"
            yield _usage(made, call, f"{made.source} with {candidate.leaf}({arguments})")

    def _by_name(self, candidate: Candidate) -> Iterator[Usage]:
        """Calls that need no object. Those that pass other parameters count as of another place."""
        path = candidate.api_name.removeprefix(f"{candidate.import_module}.").split(".")
        prelude = (f"from {candidate.import_module} import {path[0]}",)
        for number, arguments in enumerate(self._arguments(candidate, frozenset())):
            made = Made(prelude, (), ".".join(path), f"{candidate.api_name}({number})")
            yield _usage(made, f"{made.name}({arguments})", f"{made.source} with {arguments or 'no arguments'}")

    def _arguments(self, candidate: Candidate, bound: frozenset[str]) -> Iterator[str]:
        """Argument lists: the required ones alone, then with each changed parameter."""
        if candidate.signature is None:  # an exception that takes what any exception takes, or nothing known
            yield from ("", _MESSAGE) if candidate.kind == "class" else ("",)
            return
        own = [p for p in surface_of(candidate).parameters if not p.kind.startswith("var_")]
        required = [p for p in own if p.required and p.default is None]
        rows = argument_rows(required, bound, self._book)
        changed = {change.parameter for change in candidate.changes}
        optional = [p for p in own if p.name in changed and p not in required]
        for parameter in optional:
            for extra in argument_rows([parameter], frozenset(), self._book)[:2]:
                for row in rows[:2]:
                    if extra[0] != parameter.default:
                        yield ", ".join((*_written(required, row), f"{parameter.name}={extra[0]}"))
        if not optional:
            for row in rows:
                yield ", ".join(_written(required, row))
            yield from self._with_options(own, required, rows[:1])

    def _with_options(
        self, own: Sequence[Parameter], required: Sequence[Parameter], rows: Sequence[tuple[str, ...]]
    ) -> Iterator[str]:
        """The required arguments with one optional parameter more, for the first few that have a value."""
        for row in rows:
            for parameter in [p for p in own if p not in required and p.kind != "positional_only"][:_OPTIONS]:
                given = [value for (value,) in argument_rows([parameter], frozenset(), self._book)]
                for value in [value for value in given if value != parameter.default][:1]:
                    yield ", ".join((*_written(required, row), f"{parameter.name}={value}"))

    def _objects(self, owners: Sequence[str]) -> dict[str, list[Made]]:
        """Per class name at most four objects of it, each from another place upstream, the shortest ways first."""
        if self._general is None:
            self._general = sorted(self._pool, key=lambda usage: (len(usage.code), usage.source))[:: _every(self._pool)]
        near = [u for o in owners for u in [u for u in self._pool if o in u.identifiers][:_PER_OWNER]]
        wanted = {usage.code: usage for usage in (*near, *self._general)}
        self._look_at([usage for code, usage in wanted.items() if code not in self._looked_at])
        found: dict[str, list[Made]] = {}
        for code, usage in sorted(wanted.items(), key=lambda entry: (len(entry[0]), entry[1].source)):
            for name, classes in self._looked_at[code].items():
                for owner in set(classes) & set(owners):
                    made = _way_to(usage, name)
                    known = found.setdefault(owner, [])
                    if made and len(known) < _OBJECTS and made.source not in {other.source for other in known}:
                        known.append(made)
        return found

    def _look_at(self, usages: Sequence[Usage]) -> None:
        asked = [{name: f"[c.__name__ for c in type({name}).__mro__]" for name in _variables(u)} for u in usages]
        programs = [
            Program(
                context="\n".join(usage.prelude),
                completion="\n".join((*bindings(usage.inputs), usage.body)),
                observe=tuple(expressions.values()),
            )
            for usage, expressions in zip(usages, asked, strict=True)
        ]
        runs = self._engine.run(self._environment, programs, preload=self._preload)
        for usage, expressions, run in zip(usages, asked, runs, strict=True):
            seen = {name: run.observations.get(expression) for name, expression in expressions.items()}
            self._looked_at[usage.code] = {
                name: tuple(map(str, cast("list[Any]", classes)))
                for name, classes in seen.items()
                if isinstance(classes, list)
            }


def _every(pool: Sequence[Usage]) -> int:
    return max(1, len(pool) // _LOOKED_AT)


def _owner(candidate: Candidate) -> str:
    return candidate.api_name.split(".")[-2]


def _variables(usage: Usage) -> list[str]:
    found = [name for step in usage.steps if step.code for name in _bound(step)]
    return list(dict.fromkeys(found))[-_NAMES:]


def _bound(step: Step) -> list[str]:
    node = ast.parse(step.code).body[0]
    return sorted(Statement(node, False).binds) if isinstance(node, (ast.Assign, ast.AnnAssign)) else []


def _way_to(usage: Usage, name: str) -> Made | None:
    """The steps of `usage` that make `name`; None where they cannot be told from the others."""
    steps = [Step(code=line) for line in bindings(usage.inputs)] + [step for step in usage.steps if step.code]
    last = max((place for place, step in enumerate(steps) if name in _bound(step)), default=None)
    if last is None:
        return None
    statements = [Statement(ast.parse(step.code).body[0], step.expression is not None) for step in steps[: last + 1]]
    chosen = builds_on(statements, {name})
    if not chosen:
        return None
    return Made(usage.prelude, tuple(Step(code=ast.unparse(node)) for node in chosen), name, usage.family)


def _usage(made: Made, call: str, source: str) -> Usage:
    """The call, what it gives, and what the object is afterwards."""
    after = (Step(code=f"print({made.name})", expression=made.name),) if made.steps else ()
    steps = (
        *made.steps,
        Step(code=f"{_OUTCOME} = {call}"),
        Step(code=f"print({_OUTCOME})", expression=_OUTCOME),
        *after,
    )
    return Usage(prelude=made.prelude, steps=steps, source=source, origin="built")


def _written(parameters: Sequence[Parameter], values: Sequence[str]) -> Iterator[str]:
    for parameter, value in zip(parameters, values, strict=True):
        yield f"{parameter.name}={value}" if parameter.kind == "keyword_only" else value
