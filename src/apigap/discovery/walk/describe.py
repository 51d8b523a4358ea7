"""The entry of the surface for one object that the walk has met."""

from __future__ import annotations

import inspect
from typing import Any

from .fields import Fact, model_fields_of
from .kinds import home_of, inner_of, top_of, vars_of
from .public_object import PublicObject
from .signatures import Signature, signature_of
from .texts import MAX_TEXT, text_or_none


def describe(entity: PublicObject, tops: set[str], relations: dict[str, list[str]] | None) -> dict[str, Any]:
    """The entry of a function, a class or what a class keeps, as JSON."""
    value = entity.value
    if isinstance(value, Fact):
        return _data(entity, value)
    function = inner_of(value) if entity.owner else value
    signature = signature_of(value, entity.kind, owned=entity.owner is not None)
    home = home_of(value)
    home = home_of(entity.owner) if entity.owner and not isinstance(home, str) else home
    return {
        **_head(entity, home, text_or_none(getattr(function, "__qualname__", None)), signature),
        "borrowed": _is_borrowed(entity, tops),
        "docstring": docstring_of(entity, function),
        "deprecated": any("__deprecated__" in vars_of(marked) for marked in (value, function)),  # PEP 702
        **(relations or {"bases": [], "others": []}),
    }


def _head(entity: PublicObject, home: Any, qualname: str | None, signature: Signature) -> dict[str, Any]:
    return {
        "name": entity.canonical(),
        "kind": entity.kind,
        "paths": sorted(entity.paths),
        "evidence": sorted({tuple(evidence) for evidence in entity.paths.values() if evidence}),
        "defined_in": home if isinstance(home, str) else None,
        "qualname": qualname,
        "parameters": signature.parameters,
        "overloads": signature.overloads,
        "documented_names": signature.documented_names,
        "parameters_from": signature.source,
        "return_type": signature.returns,
    }


def _data(entity: PublicObject, fact: Fact) -> dict[str, Any]:
    """A field or an enum member: it has a type and maybe a description, and nothing to call."""
    owner: Any = entity.owner
    qualname = f"{getattr(owner, '__qualname__', '')}.{entity.canonical().rpartition('.')[2]}"
    return {
        **_head(entity, home_of(owner), qualname, Signature(returns=fact.annotation)),
        "borrowed": False,
        "docstring": fact.description,
        "deprecated": False,
        "bases": [],
        "others": [],
    }


def _is_borrowed(entity: PublicObject, tops: set[str]) -> bool:
    """Check for a signature of another library: a method from there, or a class that builds its instances there."""
    if entity.kind != "class":
        return top_of(home_of(inner_of(entity.value) if entity.owner else entity.value)) not in tops
    bases: tuple[type, ...] = entity.value.__mro__[:-1]
    makers = [base for base in bases if {"__init__", "__new__"} & set(vars(base))]
    own_fields = model_fields_of(entity.value) or hasattr(entity.value, "__required_keys__")
    return bool(makers) and top_of(makers[0].__module__) not in tops and not own_fields


def docstring_of(entity: PublicObject, function: Any) -> str | None:
    """The object's own docstring; what `object` or the dataclass machinery lends is none."""
    value = entity.value
    own = vars_of(value).get("__doc__") if entity.kind == "class" else getattr(value, "__doc__", None)
    if not isinstance(own, str) and entity.owner:
        own = getattr(function, "__doc__", None)
    if not isinstance(own, str) or not own.strip():
        return None
    if entity.kind == "class" and own.startswith(f"{value.__name__}("):
        return None
    return inspect.cleandoc(own)[:MAX_TEXT]
