"""A usage of a library: stand-alone code taken from its own documentation or tests, as a list of steps."""

import ast
from functools import cached_property
from typing import Any, Literal

from apigap.records.base import Record

Origin = Literal["docstring", "docs", "tests"]
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


def identifiers(code: str) -> frozenset[str]:
    """Names, attributes, keyword arguments and imported names in `code`; empty when it does not parse."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    return frozenset(_mentions(tree))


def _mentions(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.update(node.name.split("."))
    return found


def loaded_names(tree: ast.AST) -> set[str]:
    """Names that `tree` reads."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def bound_names(statement: ast.stmt) -> set[str]:
    """Names that a module-level `statement` binds in the module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
