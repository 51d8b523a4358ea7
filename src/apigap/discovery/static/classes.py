"""Classes read from their text: lineage, constructor, and the kind of API of each member."""

import functools
import re
from typing import NamedTuple

import griffe

from apigap.discovery.static.griffe_facts import (
    LOOKUP_ERRORS,
    canonical_path,
    decorators_of,
    is_method,
    kind_of,
    parameters_of,
    widest,
)
from apigap.records.candidate import ApiKind, Parameter

_PLAIN = {"object", "ABC", "Generic", "abc.ABC", "typing.Generic"}
_ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
_MODELS = {"BaseModel", "BaseSettings"}
_RECORDS = {"NamedTuple", "TypedDict"}
_QUOTED = re.compile(r"""['"]([A-Za-z]\w*)['"]""")


class Constructor(NamedTuple):
    """The constructor of a class. `parameters` are None where the text does not say, `borrowed` as in `Entry`."""

    parameters: tuple[Parameter, ...] | None
    borrowed: bool = False


class StaticClass:
    """A class and those of its bases that the library's text has, itself first, as Python looks names up."""

    def __init__(self, value: griffe.Class) -> None:
        self.value = value
        self.lineage = [value, *_bases(value)]

    @functools.cached_property
    def foreign(self) -> list[str]:
        """The bases, its own and inherited, that are not in the library's text."""
        return [path for cls in self.lineage for path in _foreign_bases(cls)]

    @functools.cached_property
    def given(self) -> set[str]:
        """The public names in the strings of its decorators, which may make members of that name."""
        return {name for decorator in decorators_of(self.value) for name in _QUOTED.findall(str(decorator.value))}

    def has_base(self, names: set[str]) -> bool:
        """Check for a foreign base class with one of these names."""
        return any(path.partition("[")[0].rpartition(".")[2] in names for path in self.foreign)

    @functools.cached_property
    def is_enum(self) -> bool:
        """True for an enumeration."""
        return self.has_base(_ENUMS)

    @functools.cached_property
    def has_fields(self) -> bool:
        """True when the annotated attributes are fields."""
        return any("dataclass" in cls.labels for cls in self.lineage) or self.has_base(_MODELS)

    def kind_of_member(self, member: griffe.Object | griffe.Alias) -> ApiKind | None:
        """The kind of API that a public member of this class is; None for data."""
        if is_method(member):
            return kind_of(member)
        if not isinstance(member, griffe.Attribute) or "class-attribute" not in member.labels | _annotated(member):
            return None
        if self.is_enum:
            return "enum_member" if member.value is not None and member.annotation is None else None
        return "field" if self.has_fields and member.annotation is not None else None


def constructor_of(cls: StaticClass) -> Constructor:
    """The constructor of the class: the first `__init__` or `__new__` in its lineage."""
    if cls.is_enum or cls.has_base({"Protocol"}):
        return Constructor(None)
    in_stub = not cls.value.runtime or str(cls.value.filepath).endswith(".pyi")
    if in_stub and cls.has_base({"NamedTuple", "tuple", "Tuple"}):
        return Constructor(None)  # a result of compiled code, which callers are given and never make
    if cls.has_base(_RECORDS | _MODELS):
        return Constructor(_fields(cls))
    for base in cls.lineage:
        for name in ("__init__", "__new__"):
            found = base.members.get(name)
            if isinstance(found, griffe.Function):
                function = widest(found.overloads) if found.overloads else found
                return Constructor(parameters_of(function, bound=True))
        if _foreign_bases(base):
            return Constructor(None, borrowed=True)
    return Constructor(())


def _fields(cls: StaticClass) -> tuple[Parameter, ...]:
    """Annotated attributes as keyword parameters, those of the bases first."""
    found: dict[str, Parameter] = {}
    for base in reversed(cls.lineage):
        for name, member in base.members.items():
            if not isinstance(member, griffe.Attribute) or member.annotation is None or name.startswith("_"):
                continue
            if "ClassVar" in str(member.annotation):
                continue
            found[name] = Parameter(
                name=name,
                kind="keyword_only",
                annotation=str(member.annotation),
                default=None if member.value is None else str(member.value),
                required=member.value is None,
            )
    return tuple(found.values())


def _annotated(member: griffe.Attribute) -> set[str]:
    """A field without a default has no value in the class, but belongs to it all the same."""
    in_class = member.annotation is not None and "property" not in member.labels
    return {"class-attribute"} if in_class else set()


def _bases(value: griffe.Class) -> list[griffe.Class]:
    try:
        return value.mro()
    except LOOKUP_ERRORS:  # what griffe cannot put in order is taken base by base
        direct = [base for base in value.resolved_bases if isinstance(base, griffe.Class) and base is not value]
        return list({base.path: base for base in direct}.values())


def _foreign_bases(cls: griffe.Class) -> list[str]:
    paths = [base if isinstance(base, str) else canonical_path(base) for base in cls.bases]
    known = {name for base in cls.resolved_bases for name in (base.path, base.name)} if paths else set[str]()
    return [path for path in paths if path not in _PLAIN and not {path, path.rpartition(".")[2]} & known]
