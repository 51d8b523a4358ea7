"""Objects that upstream's own usages make, by their class: the usages run once, and what they hold is looked at."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from apigap.knowledge.release import Release
from apigap.knowledge.usages.blocks import Statement
from apigap.knowledge.usages.names import loaded_names
from apigap.knowledge.usages.snippets import builds_on
from apigap.knowledge.usages.usage import Step, Usage, bindings
from apigap.records.parsing.syntax import parse
from apigap.records.run import Program
from apigap.sandbox.engine import Engine

_INSPECTED = 160
_PER_CLASS = 16
_OBJECTS = 4
_CHARACTERS = 700
_NAMES = 5
_PARTS = 4
_PART = 60
SUBJECT = "subject"
"""The variable that an object gets which has no name upstream."""


@dataclass(frozen=True)
class ObjectRecipe:
    """An object: the statements that lead to it, and its name in them."""

    prelude: tuple[str, ...]
    steps: tuple[Step, ...]
    name: str
    source: str

    @property
    def bound(self) -> frozenset[str]:
        """Variables at hand."""
        return frozenset(name for step in self.steps for name in Statement(parse(step.code).body[0], False).binds)


class Objects:
    """Looks at what the usages of a release hold when they end; each usage once, and only when needed.

    `complete` gives a usage the imports and settings that it lacks.
    """

    def __init__(
        self, engine: Engine, release: Release, pool: Sequence[Usage], complete: Callable[[Usage], Usage]
    ) -> None:
        self._engine = engine
        self._complete = complete
        self._completed_usages: dict[Usage, Usage] = {}
        self._release = release
        short = [usage for usage in pool if len(usage.code) <= _CHARACTERS]
        self._pool = sorted(short, key=lambda usage: (len(usage.code), usage.source))
        self._inspected: dict[str, dict[str, tuple[str, ...]]] = {}

    def recipes_for(self, kinds: Sequence[str]) -> dict[str, list[ObjectRecipe]]:
        """Per class (`module.name`, as its objects have it) at most four objects of it or of a class below it.

        Each is from another place upstream; the shortest ways to them come first.
        """
        general = self._pool[:: max(1, len(self._pool) // _INSPECTED)] if kinds else []
        near = [usage for kind in kinds for usage in self._naming(kind.rpartition(".")[2])]
        wanted = {usage.code: usage for usage in map(self._completed, dict.fromkeys((*near, *general)))}
        self._inspect([usage for code, usage in wanted.items() if code not in self._inspected])
        found: dict[str, list[ObjectRecipe]] = {}
        for code, usage in sorted(wanted.items(), key=lambda entry: (len(entry[0]), entry[1].source)):
            for expression, classes in self._inspected[code].items():
                for kind in sorted(set(classes) & set(kinds)):
                    known = found.setdefault(kind, [])
                    made = _recipe(usage, expression) if len(known) < _OBJECTS else None
                    if made and made.source not in {other.source for other in known}:
                        known.append(made)
        return found

    def _completed(self, usage: Usage) -> Usage:
        if usage not in self._completed_usages:
            self._completed_usages[usage] = self._complete(usage)
        return self._completed_usages[usage]

    def _naming(self, name: str) -> list[Usage]:
        return [usage for usage in self._pool if name in usage.identifiers][:_PER_CLASS]

    def _inspect(self, usages: Sequence[Usage]) -> None:
        asked = [
            {
                held: f"[c.__module__ + '.' + c.__qualname__ for c in type({held}).__mro__]"
                for held in _inspected_expressions(usage)
            }
            for usage in usages
        ]
        programs = [
            Program(
                context="\n".join(usage.prelude),
                completion="\n".join((*bindings(usage.inputs), usage.body)),
                observe=tuple(expressions.values()),
            )
            for usage, expressions in zip(usages, asked, strict=True)
        ]
        runs = self._engine.run(self._release.new, programs, preload=self._release.preload)
        for usage, expressions, run in zip(usages, asked, runs, strict=True):
            seen = {held: run.observations.get(expression) for held, expression in expressions.items()}
            self._inspected[usage.code] = {
                held: tuple(map(str, cast("list[Any]", classes)))
                for held, classes in seen.items()
                if isinstance(classes, list)
            }


def _inspected_expressions(usage: Usage) -> list[str]:
    """The last variables of a usage, and parts of its expressions that are objects of their own."""
    variables = [name for step in usage.steps if step.code for name in _bound(step)]
    parts = [part for step in usage.steps for part in _parts(step)]
    return [*list(dict.fromkeys(variables))[-_NAMES:], *list(dict.fromkeys(parts))[:_PARTS]]


def _parts(step: Step) -> Iterator[str]:
    """Expressions that methods are called on or attributes read of, where they are more than a name."""
    for node in ast.walk(parse(step.code or step.expression or "")):
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Attribute, ast.Call, ast.Subscript)):
            text = ast.unparse(node.value)
            if len(text) <= _PART and "\n" not in text:
                yield text


def _bound(step: Step) -> list[str]:
    node = parse(step.code).body[0]
    return sorted(Statement(node, False).binds) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.With)) else []


def _recipe(usage: Usage, expression: str) -> ObjectRecipe | None:
    """The steps of `usage` that make an object and give it its state; None where they cannot be told apart."""
    steps = [Step(code=line) for line in bindings(usage.inputs)] + [step for step in usage.steps if step.code]
    statements = [Statement(parse(step.code).body[0], step.expression is not None) for step in steps]
    chosen = builds_on(statements, loaded_names(parse(expression)))
    way = tuple(Step(code=ast.unparse(node)) for node in chosen)
    if not expression.isidentifier():
        return ObjectRecipe(usage.prelude, (*way, Step(code=f"{SUBJECT} = {expression}")), SUBJECT, usage.family)
    return ObjectRecipe(usage.prelude, way, expression, usage.family) if way else None
