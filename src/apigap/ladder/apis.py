"""The APIs that items are about: the shapes and the named parameters of candidates."""

from typing import Literal

from apigap.records.candidate import ApiKind, Candidate, Parameter

Shape = Literal["function", "class", "member"]
_SHAPES: dict[ApiKind, Shape] = {
    "function": "function", "class": "class", "method": "member", "classmethod": "member", "staticmethod": "member",
}  # fmt: skip


def shape_of(candidate: Candidate) -> Shape | None:
    """Function, class or member; None for what is read and not called."""
    return _SHAPES.get(candidate.kind)


def named_parameters(candidate: Candidate) -> tuple[Parameter, ...]:
    """The parameters that have a name of their own: not `*args` and `**kwargs`."""
    return tuple(p for p in candidate.parameters if p.kind not in ("var_positional", "var_keyword"))
