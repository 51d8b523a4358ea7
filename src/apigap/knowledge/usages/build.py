"""Usages that upstream does not write: calls of an API on objects of its class, with values that its parameters take.

The objects are those that upstream's own usages make; beside them those that the class's constructor makes, of which
the source says `constructed`. What a built usage is worth is found out as for any other one: it runs under the spy.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.release import Release
from apigap.knowledge.shapes import ApiShape, Shapes, read_shapes
from apigap.knowledge.usages.compose import Composer, Piece, Row, call, parameter_of
from apigap.knowledge.usages.construction_examples import ConstructionExamples
from apigap.knowledge.usages.imports import ImportBook
from apigap.knowledge.usages.library_setup import with_setup
from apigap.knowledge.usages.object_recipes import SUBJECT, ObjectRecipe, Objects
from apigap.knowledge.usages.transplant import ValueBook
from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.candidate import ApiKind, Candidate, Parameter
from apigap.sandbox.engine import Engine

_OF_OBJECTS: frozenset[ApiKind] = frozenset(("method", "property"))
_BY_NAME: frozenset[ApiKind] = frozenset(("function", "class", "classmethod", "staticmethod"))
_MOST = 18
_OPTIONS = 3
_CONSTRUCTED = 6
OUTCOME = "outcome"
"""The variable that holds what a built usage's call gives."""
_MESSAGE = Piece("'the value is missing'")
_UNKNOWN = ApiShape(parameters=(), waits=False)


class Builder:
    """Builds usages for the APIs of one release."""

    def __init__(self, engine: Engine, release: Release, pool: Sequence[Usage], book: ValueBook) -> None:
        self._engine = engine
        self._release = release
        imports = ImportBook(release.modules, pool)
        self._objects = Objects(
            engine, release, pool, lambda usage: with_setup(imports.completed(usage), release.modules)
        )
        self._book = book
        self._expected: dict[str, Candidate] = {}
        self._shapes = Shapes(apis={}, classes={})
        self._examples = ConstructionExamples(pool)

    def expect(self, candidates: Sequence[Candidate]) -> None:
        """Say for which candidates usages will be wanted: the library is asked about all of them at once."""
        self._expected = {candidate.api_name: candidate for candidate in candidates}
        self._shapes = self._read_shapes()

    def usages_of(self, candidates: Sequence[Candidate]) -> list[list[Usage]]:
        """Built usages of each candidate, at most 18, those with few arguments first."""
        if any(candidate.api_name not in self._expected for candidate in candidates):
            self._expected.update((candidate.api_name, candidate) for candidate in candidates)
            self._shapes = self._read_shapes()
        shapes = self._shapes
        objects = self._objects.recipes_for(sorted({kind for c in candidates for kind in _kinds(c, shapes)}))
        composer = Composer(shapes, self._book, self._examples)
        built = (_ApiBuilder(candidate, shapes, composer, objects).usages() for candidate in candidates)
        return [[with_setup(usage, self._release.modules) for usage in itertools.islice(one, _MOST)] for one in built]

    def _read_shapes(self) -> Shapes:
        release = self._release
        return read_shapes(self._engine, release.new, release.modules, list(self._expected.values()))


class _ApiBuilder:
    """The usages of one candidate."""

    def __init__(
        self, candidate: Candidate, shapes: Shapes, composer: Composer, objects: Mapping[str, Sequence[ObjectRecipe]]
    ) -> None:
        self._candidate = candidate
        self._shape = shapes.apis.get(candidate.api_name, _UNKNOWN)
        self._shapes = shapes
        self._composer = composer
        self._objects = objects

    def usages(self) -> Iterator[Usage]:
        """All of them, the likeliest first."""
        if self._candidate.kind in _OF_OBJECTS:
            for turn in itertools.zip_longest(*(self._calls_on(made) for made in self._receivers())):
                yield from (usage for usage in turn if usage is not None)
            yield from self._objects_as_arguments()
        elif self._candidate.kind in _BY_NAME:
            yield from self._by_name()

    def _receivers(self) -> list[ObjectRecipe]:
        """Objects that upstream makes, then those that a constructor makes."""
        owner = self._shapes.classes.get(self._shape.owner or "")
        made = list(self._objects.get(owner.kind, ())) if owner else []
        paths = dict.fromkeys((*self._shape.receivers, self._shape.owner or "", *self._shape.overriders))
        pieces = dict.fromkeys(piece for path in paths for piece in self._composer.objects(path))
        ready = [ObjectRecipe(p.prelude, (Step(code=f"{SUBJECT} = {p.code}"),), SUBJECT, "") for p in pieces][
            :_CONSTRUCTED
        ]
        ready += [prepared for made in ready[:1] for prepared in self._prepared(made)]
        source = f"constructed {self._candidate.api_name}"
        return [*made, *(replace(one, source=f"{source}({number})") for number, one in enumerate(ready))]

    def _prepared(self, recipe: ObjectRecipe) -> Iterator[ObjectRecipe]:
        """The object, after a call that gives it a state."""
        for path in self._shape.receivers[:1]:
            for piece in self._composer.prepared(path):
                step = Step(code=f"{recipe.name}.{piece.code}")
                yield replace(recipe, prelude=(*recipe.prelude, *piece.prelude), steps=(*recipe.steps, step))

    def _calls_on(self, recipe: ObjectRecipe) -> Iterator[Usage]:
        leaf = self._candidate.leaf
        if self._candidate.kind == "property":
            yield self._usage(recipe, Piece(f"{recipe.name}.{leaf}"), f"{recipe.source} with its {leaf}")
            return
        for piece in self._calls(f"{recipe.name}.{leaf}", {name: name for name in recipe.bound}):
            yield self._usage(recipe, piece, f"{recipe.source} with {piece.code.removeprefix(recipe.name + '.')}")

    def _objects_as_arguments(self) -> Iterator[Usage]:
        """Calls on constructed objects, of arguments that upstream makes."""
        paths = (*self._shape.receivers, *self._shape.overriders[:1])
        for (name, made), path in itertools.product(self._values_at_hand(), paths):
            for piece in self._composer.objects(path)[:2]:
                steps = (*made.steps, Step(code=f"{SUBJECT} = {piece.code}"))
                whole = ObjectRecipe((*made.prelude, *piece.prelude), steps, SUBJECT, made.source)
                for called in self._calls(f"{SUBJECT}.{self._candidate.leaf}", {name: made.name}):
                    yield self._usage(whole, called, f"{made.source} with {called.code}")

    def _by_name(self) -> Iterator[Usage]:
        """Calls that need no object. Those that pass other arguments count as of another place."""
        module = self._candidate.import_module
        path = self._candidate.api_name.removeprefix(f"{module}.")
        line = f"from {module} import {path.partition('.')[0]}"
        for number, piece in enumerate(self._calls(path, {})):
            made = ObjectRecipe((line,), (), path, f"constructed {self._candidate.api_name}({number})")
            yield self._usage(made, piece, f"{made.source} with {piece.code}")
        for name, made in self._values_at_hand():
            for piece in self._calls(path, {name: made.name}):
                whole = ObjectRecipe((*made.prelude, line), made.steps, made.name, made.source)
                yield self._usage(whole, piece, f"{made.source} with {piece.code}")

    def _values_at_hand(self) -> Iterator[tuple[str, ObjectRecipe]]:
        """Parameters that want an object which upstream makes, with that object."""
        for wanted in self._shape.parameters:
            for spec in wanted.wants if wanted.required else ():
                shape = self._shapes.classes.get(spec[1]) if spec[0] == "new" else None
                for made in self._objects.get(shape.kind, ())[:2] if shape else ():
                    yield wanted.name, made

    def _calls(self, called: str, variables: Mapping[str, str]) -> Iterator[Piece]:
        """Calls with the required arguments alone, then with each changed parameter, or one optional more."""
        if self._candidate.signature is None and not self._shape.parameters:  # an exception that takes anything
            yield from (call(called, (), ()), *self._with_message(called))
            return
        own = [p for p in surface_of(self._candidate).parameters if not p.kind.startswith("var_")]
        own = own or [parameter_of(wanted) for wanted in self._shape.parameters]
        required = [p for p in own if p.required and p.default is None]
        rows = self._composer.rows(required, self._shape.parameters, variables)
        changed = {change.parameter for change in self._candidate.changes}
        optional = [p for p in own if p.name in changed and p not in required]
        if not optional:
            yield from (call(called, required, row) for row in rows)
            others = [p for p in own if p not in required and p.kind != "positional_only"][:_OPTIONS]
            yield from self._with_more(called, required, others, rows[:1], 1)
        else:
            yield from self._with_more(called, required, optional, rows[:2], 2)

    def _with_message(self, called: str) -> Iterator[Piece]:
        if self._candidate.kind == "class":
            yield call(called, (Parameter(name="message"),), (_MESSAGE,))

    def _with_more(
        self,
        called: str,
        required: list[Parameter],
        more: Sequence[Parameter],
        rows: Sequence[Row],
        most: int,
    ) -> Iterator[Piece]:
        """The required arguments with one optional parameter more, by its name, in up to `most` values."""
        for parameter in more:
            values = [value for (value,) in self._composer.rows([parameter], self._shape.parameters)]
            named = parameter.model_copy(update={"kind": "keyword_only"})
            for value in [value for value in values if value.code != parameter.default][:most]:
                yield from (call(called, [*required, named], (*row, value)) for row in rows)

    def _usage(self, recipe: ObjectRecipe, piece: Piece, source: str) -> Usage:
        """The call, what it gives, and what the object is afterwards."""
        code, waits = piece.code, self._shape.waits
        after = (Step(code=f"print({recipe.name})", expression=recipe.name),) if recipe.steps else ()
        steps = (
            *recipe.steps,
            Step(code=f"{OUTCOME} = " + (f"asyncio.run({code})" if waits else code)),
            Step(code=f"print({OUTCOME})", expression=OUTCOME),
            *after,
        )
        prelude = dict.fromkeys((*(("import asyncio",) if waits else ()), *recipe.prelude, *piece.prelude))
        return Usage(prelude=tuple(prelude), steps=steps, source=source, origin="built")


def _kinds(candidate: Candidate, shapes: Shapes) -> Iterator[str]:
    """The classes whose objects are of use for a candidate: its own, and those that it must be given."""
    shape = shapes.apis.get(candidate.api_name, _UNKNOWN)
    wanted = [spec[1] for one in shape.parameters if one.required for spec in one.wants if spec[0] == "new"]
    for path in (shape.owner or "", *wanted) if candidate.kind in _OF_OBJECTS else wanted:
        found = shapes.classes.get(path)
        if found is not None:
            yield found.kind
