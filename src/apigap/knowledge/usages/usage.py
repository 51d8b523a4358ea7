"""A usage of a library: stand-alone code taken from its own documentation or tests, as a list of steps."""

from functools import cached_property
from typing import Any, Literal

from apigap.knowledge.usages.names import identifiers
from apigap.records.base import Record
from apigap.records.run import Program

Origin = Literal["docstring", "docs", "tests", "built"]
Bindings = tuple[tuple[str, str], ...]


class Step(Record):
    """One statement of a usage, or a check on it.

    A check has an `expression` worth observing; `code` is how the author wrote it (an assert, a print). A check
    whose expression is expected to raise has empty code.
    """

    code: str
    expression: str | None = None


class Usage(Record):
    """Stand-alone code: `prelude` (imports and definitions that the steps need) and `steps` in order.

    `variants` are other values for the names in `inputs`, as source text: the further rows of a parametrised test.
    """

    prelude: tuple[str, ...]
    steps: tuple[Step, ...]
    source: str
    origin: Origin
    inputs: Bindings = ()
    variants: tuple[Bindings, ...] = ()

    def replaced(self, **changes: Any) -> "Usage":
        """A usage with other fields. (`model_copy` would take over what was computed from the old ones.)"""
        return Usage(**{**{name: getattr(self, name) for name in Usage.model_fields}, **changes})

    @property
    def family(self) -> str:
        """The upstream place that it comes from: transplants of one usage are of one family with it."""
        return self.source.partition(" with ")[0]

    @cached_property
    def body(self) -> str:
        """The steps as code, checks written as their author did."""
        return "\n".join(step.code for step in self.steps if step.code)

    @cached_property
    def code(self) -> str:
        """The whole usage as code that runs by itself."""
        return "\n".join(part for part in (*self.prelude, *bindings(self.inputs), self.body) if part)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name and attribute that inputs and steps mention, and every keyword they pass."""
        raising = (step.expression or "" for step in self.steps if not step.code)
        return identifiers("\n".join((*bindings(self.inputs), self.body, *raising)))


def bindings(inputs: Bindings) -> list[str]:
    """Assignments that give the inputs their values."""
    return [f"{name} = {value}" for name, value in inputs]


def program_of(usage: Usage, target: str | None = None) -> Program:
    """The program of a usage, with everything observed that it checks; the calls of `target`, where given, watched."""
    return Program(
        context="\n".join(usage.prelude),
        completion="\n".join((*bindings(usage.inputs), usage.body)),
        observe=tuple(step.expression for step in usage.steps if step.expression),
        target=target,
        record=target is not None,
    )
