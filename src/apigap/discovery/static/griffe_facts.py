"""What griffe's objects say, in the words of a surface: signatures, docstrings, positions, kinds."""

import gc
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard

import griffe

from apigap.discovery.surface import Fact
from apigap.records.candidate import ApiKind, Parameter, ParameterKind

_KINDS: dict[griffe.ParameterKind, ParameterKind] = {
    griffe.ParameterKind.positional_only: "positional_only",
    griffe.ParameterKind.positional_or_keyword: "positional_or_keyword",
    griffe.ParameterKind.var_positional: "var_positional",
    griffe.ParameterKind.keyword_only: "keyword_only",
    griffe.ParameterKind.var_keyword: "var_keyword",
}
LOOKUP_ERRORS = (griffe.GriffeError, KeyError, AttributeError, ValueError, RecursionError)

# what deprecates a part (`deprecated_params`, `deprecated_renamed_argument`) does not deprecate the whole
_DEPRECATES = re.compile(r"^(?!.*(?:param|arg|keyword|attr|position|renamed)).*deprecated")


def facts_of(kind: ApiKind, found: griffe.Object) -> Iterator[tuple[Fact, object]]:
    """What is known of `found`, seen as an API of the given kind; a value may be None."""
    function = _callable(found)
    if function is not None and kind != "property":
        yield "parameters", parameters_of(function, bound=kind in ("method", "classmethod", "class"))
    if function is not None and kind != "class" and function.returns is not None:
        yield "return_type", str(function.returns)
    if found.docstring is not None and found.docstring.value.strip():
        yield "docstring", found.docstring.value
    if any(_DEPRECATES.search(decorator.callable_path.rpartition(".")[2]) for decorator in decorators_of(found)):
        yield "deprecated", True


def _callable(found: griffe.Object) -> griffe.Function | None:
    """The function whose signature counts: of overloads the widest, of a class its own `__init__`."""
    if isinstance(found, griffe.Class):
        member = found.members.get("__init__")
        return _callable(member) if isinstance(member, griffe.Function) else None
    if not isinstance(found, griffe.Function):
        return None
    return widest(found.overloads) if found.overloads else found


def widest(overloads: list[griffe.Function]) -> griffe.Function:
    """The overload with the most parameters; of several the first."""
    return max(overloads, key=lambda overload: len(overload.parameters))


def parameters_of(function: griffe.Function, bound: bool) -> tuple[Parameter, ...]:
    """The parameters; without the first one where the caller does not give it."""
    parameters = [_parameter(parameter) for parameter in function.parameters]
    return tuple(parameters[1:] if bound else parameters)


def _parameter(parameter: griffe.Parameter) -> Parameter:
    variable = parameter.kind in (griffe.ParameterKind.var_positional, griffe.ParameterKind.var_keyword)
    return Parameter(
        name=parameter.name,
        kind=_KINDS[parameter.kind or griffe.ParameterKind.positional_or_keyword],
        annotation=None if parameter.annotation is None else str(parameter.annotation),
        default=None if parameter.default is None or variable else str(parameter.default),
        required=parameter.default is None and not variable,
    )


def decorators_of(found: griffe.Object) -> list[griffe.Decorator]:
    """The decorators of a function or class; none of anything else."""
    return found.decorators if isinstance(found, griffe.Function | griffe.Class) else []


def position_of(found: griffe.Object, site_packages: Path) -> str | None:
    """`file:line` below `site_packages`; None for what lies elsewhere."""
    try:
        return f"{Path(str(found.filepath)).relative_to(site_packages)}:{found.lineno}"
    except LOOKUP_ERRORS:
        return None


def is_method(member: griffe.Object | griffe.Alias) -> TypeGuard[griffe.Function | griffe.Attribute]:
    """Whether a member of a class is a method or a property."""
    is_property = isinstance(member, griffe.Attribute) and "property" in member.labels
    return is_property or isinstance(member, griffe.Function)


def kind_of(found: griffe.Function | griffe.Attribute | griffe.Class) -> ApiKind:
    """The kind of API that a class, a function or a property is."""
    if isinstance(found, griffe.Class):
        return "class"
    if not isinstance(found.parent, griffe.Class):
        return "function"
    for kind in ("property", "classmethod", "staticmethod"):
        if kind in found.labels:
            return kind
    return "method"


@contextmanager
def without_collection() -> Generator[None]:
    """Millions of objects that all stay alive: looking for garbage among them takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def path_of(expression: griffe.Expr) -> str:
    """The full dotted name that an expression stands for; its own text where griffe cannot follow it."""
    try:
        return expression.canonical_path
    except LOOKUP_ERRORS:
        return str(expression)
