"""The fields of data classes and the members of enums: names without code, which a caller uses all the same."""

from __future__ import annotations

import enum
import sys
from typing import Any

from .kinds import class_of, vars_of
from .texts import annotation_of, text_or_none


class Fact:
    """One field or enum member: its type as text, and what the library says of it."""

    def __init__(self, annotation: str | None, description: str | None = None) -> None:
        self.annotation = annotation
        self.description = description


def enum_members(cls: Any) -> list[str]:
    """The public members of an enum, also of one that Boost or pybind made; none of anything else."""
    if issubclass(cls, enum.Enum):
        return [name for name in cls.__members__ if not name.startswith("_")]
    foreign = {base.__name__ for base in cls.__mro__ if str(base.__module__).startswith(("Boost.", "pybind11"))}
    members = dictionary(vars_of(cls).get("names") if "enum" in foreign else getattr(cls, "__members__", None))
    return [name for name, value in members.items() if class_of(value) is cls and not name.startswith("_")]


def own_fields(cls: Any, base: type) -> dict[str, Fact]:
    """The public fields of `cls` that its base `base` (or itself) declares."""
    declared = own_annotations(base)
    found: dict[str, Fact] = {}
    models = model_fields_of(cls)
    for name in declared:
        if name in models:
            field = models[name]
            found[name] = Fact(annotation_of(declared[name]), text_or_none(getattr(field, "description", None)))
    for name, field in dictionary(vars_of(base).get("__dataclass_fields__")).items():
        if name in declared and getattr(getattr(field, "_field_type", None), "name", None) == "_FIELD":
            found.setdefault(name, Fact(annotation_of(declared[name])))
    for field in _attributes(base):
        if not getattr(field, "inherited", False):
            kind = declared.get(field.name, getattr(field, "type", None))
            found.setdefault(field.name, Fact(None if kind is None else annotation_of(kind)))
    if "__required_keys__" in vars_of(base) or (issubclass(base, tuple) and "_fields" in vars_of(base)):
        for name in declared or vars_of(base).get("_fields", ()):
            found.setdefault(name, Fact(annotation_of(declared[name]) if name in declared else None))
    return {name: fact for name, fact in found.items() if type(name) is str and not name.startswith("_")}


def own_annotations(cls: Any) -> dict[str, Any]:
    """The annotations in the body of a class."""
    found = vars_of(cls).get("__annotations__")
    if found is None and sys.version_info >= (3, 14):
        found = cls.__annotations__  # made when they are asked for; the class's own, never a base's
    return dictionary(found)


def model_fields_of(value: Any) -> dict[str, Any]:
    """The fields of a pydantic model, of either generation; none of anything else."""
    own = vars_of(value)
    fields: Any = own.get("__pydantic_fields__") or own.get("model_fields") or own.get("__fields__")
    if fields is None and ("__pydantic_core_schema__" in own or "__pydantic_complete__" in own):
        fields = getattr(value, "model_fields", None)
    return dictionary(fields)


def dictionary(value: Any) -> dict[str, Any]:
    """A plain dictionary as it is, anything else as an empty one."""
    return value if type(value) is dict else {}  # pyright: ignore[reportUnknownVariableType]


def _attributes(cls: type) -> tuple[Any, ...]:
    found: Any = vars_of(cls).get("__attrs_attrs__")
    return tuple(found) if isinstance(found, tuple) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
