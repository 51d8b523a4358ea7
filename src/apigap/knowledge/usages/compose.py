"""Code for argument values: literals, members, classes, and objects made by their constructors."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apigap.knowledge.shapes import ClassShape, ParameterShape, Shapes, Spec
from apigap.knowledge.usages.construction_examples import ConstructionExamples
from apigap.knowledge.usages.transplant import ValueBook
from apigap.knowledge.usages.typical_values import values_by_name, values_of_type
from apigap.records.candidate import Parameter

_MOST = 3
_DEPTH = 3
_PREPARED = 2
_ANY = ("3", "'tea'")
_NOTHING: Mapping[str, str] = {}
_OF_THE_LIBRARY = frozenset(("new", "class", "member", "typed"))


@dataclass(frozen=True)
class Piece:
    """An expression, and the imports and definitions that it needs."""

    code: str
    prelude: tuple[str, ...] = ()


Row = tuple[Piece, ...]


@dataclass(frozen=True)
class Composer:
    """Writes values: as the release passes them under a parameter's name, or of the type that is declared."""

    shapes: Shapes
    book: ValueBook
    examples: ConstructionExamples

    def rows(
        self,
        parameters: Sequence[Parameter],
        wanted: Iterable[ParameterShape] = (),
        given: Mapping[str, str] = _NOTHING,
        depth: int = 0,
    ) -> list[Row]:
        """At most three rows of arguments for the `parameters`; none where one of them has no value.

        `given` are the values of some of them, as variables at hand.
        """
        wants = {one.name: one.wants for one in wanted}
        columns = [
            [Piece(given[parameter.name])] if parameter.name in given
            else self._column(parameter, wants.get(parameter.name, ()), depth)
            for parameter in parameters
        ]  # fmt: skip
        if not columns or not all(columns):
            return [] if columns else [()]
        longest = max(map(len, columns))
        cycled = [list(itertools.islice(itertools.cycle(column), longest)) for column in columns]
        return list(dict.fromkeys(zip(*cycled, strict=True)))[:_MOST]

    def _column(self, parameter: Parameter, wants: Sequence[Spec], depth: int) -> list[Piece]:
        specified = [piece for spec in wants for piece in self._of_spec(spec, depth)]
        literal = [Piece(text) for text in (*self.book.values(parameter), *values_of_type(parameter.annotation or ""))]
        found = [*specified, *literal] if any(spec[0] in _OF_THE_LIBRARY for spec in wants) else [*literal, *specified]
        if not literal and all(spec[0] == "any" for spec in wants):
            found = [*(Piece(text) for text in values_by_name(parameter.name)), *found]
        return list(dict.fromkeys(found))[:_MOST]

    def _of_spec(self, spec: Spec, depth: int) -> list[Piece]:
        word, *rest = spec
        if word in ("any", "lit"):
            return [Piece(text) for text in rest or _ANY]
        if word == "code":
            return [Piece(rest[0], (rest[1],))]
        if word in ("class", "member"):
            name, line = import_of(rest[0])
            return [Piece(".".join((name, *rest[1:])), (line,))]
        if word == "new":
            return self.objects(rest[0], depth + 1)[:2]
        return list(self._of_parts(word, rest, depth))[:1]

    def _of_parts(self, word: str, rest: Sequence[Any], depth: int) -> Iterator[Piece]:
        """A list with one value, a mapping with one entry, a dictionary with the keys that it must have."""
        specs = rest[0] if word == "typed" else dict(enumerate(rest))
        parts = {key: self._of_spec(spec, depth)[:1] for key, spec in specs.items()}
        if not all(parts.values()):
            return
        prelude = tuple(line for found in parts.values() for line in found[0].prelude)
        codes = {key: found[0].code for key, found in parts.items()}
        if word == "list":
            yield Piece(f"[{codes[0]}]", prelude)
        elif word == "dict":
            yield Piece(f"{{{codes[0]}: {codes[1]}}}", prelude)
        else:
            yield Piece("{" + ", ".join(f"{key!r}: {code}" for key, code in codes.items()) + "}", prelude)

    def objects(self, path: str, depth: int = 0) -> list[Piece]:
        """Objects of a class: as the release writes its construction, by its constructor, or of a class below it."""
        shape = self.shapes.classes.get(path)
        if shape is None or depth > _DEPTH:
            return []
        name, line = import_of(path)
        written = [Piece(code, prelude) for code, prelude in self.examples.calls_of(name.rpartition(".")[2])]
        own = [] if shape.abstract else list(self._constructed(name, line, shape, depth))
        below = [piece for other in shape.derived[:2] for piece in self.objects(other, depth + 1)[:1]]
        derived = [_derived(name, line)] if shape.open and not below else []
        return list(dict.fromkeys((*written[:2], *own, *below, *derived)))

    def prepared(self, path: str) -> list[Piece]:
        """Calls that give an object of the class a state, written as methods without their object; at most two."""
        shape = self.shapes.classes.get(path)
        found: list[Piece] = []
        for name, wanted in shape.prepares if shape else ():
            required = [parameter_of(one) for one in wanted if one.required]
            found.extend(call(name, required, row) for row in self.rows(required, wanted)[:1] if required)
        return found[:_PREPARED]

    def _constructed(self, name: str, line: str, shape: ClassShape, depth: int) -> Iterator[Piece]:
        required = [parameter_of(one) for one in shape.parameters if one.required]
        for row in self.rows(required, shape.parameters, depth=depth + 1)[: 2 if required else 1]:
            yield call(name, required, row, (line,))


def call(name: str, parameters: Sequence[Parameter], row: Row, prelude: tuple[str, ...] = ()) -> Piece:
    """A call with the values of `row` for `parameters`."""
    given = ", ".join(
        f"{parameter.name}={piece.code}" if parameter.kind == "keyword_only" else piece.code
        for parameter, piece in zip(parameters, row, strict=True)
    )
    return Piece(f"{name}({given})", tuple(dict.fromkeys((*prelude, *(line for p in row for line in p.prelude)))))


def import_of(path: str) -> tuple[str, str]:
    """The expression for a class in code, and the import that it takes."""
    module, _, name = path.partition(":")
    return name, f"from {module} import {name.partition('.')[0]}"


def parameter_of(wanted: ParameterShape) -> Parameter:
    """The parameter of which `wanted` tells what it takes."""
    kind = "keyword_only" if wanted.keyword else "positional_or_keyword"
    return Parameter(name=wanted.name, kind=kind, required=wanted.required)


def _derived(name: str, line: str) -> Piece:
    own = f"Own{name.rpartition('.')[2]}"
    return Piece(f"{own}()", (line, f"class {own}({name}):\n    pass"))
