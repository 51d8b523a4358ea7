"""The entry of the surface for one object that the walk has met."""

from __future__ import annotations

import inspect
from typing import Any

from .fields import Fact, model_fields_of
from .kinds import home_of, inner_of, top_of, vars_of
from .public_object import PublicObject
from .signatures import Signature, signature_of
from .texts import MAX_TEXT, text_or_none


def describe(found: PublicObject, tops: set[str], relations: dict[str, list[str]] | None) -> dict[str, Any]:
    """The entry of a function, a class or what a class keeps, as JSON."""
    value = found.value
    if isinstance(value, Fact):
        return _data(found, value)
    function = inner_of(value) if found.owner else value
    signature = signature_of(value, found.kind, owned=found.owner is not None)
    home = home_of(value)
    home = home_of(found.owner) if found.owner and not isinstance(home, str) else home
    return {
        **_head(found, home, text_or_none(getattr(function, "__qualname__", None)), signature),
        "borrowed": _is_borrowed(found, tops),
        "docstring": docstring_of(found, function),
        "deprecated": any("__deprecated__" in vars_of(marked) for marked in (value, function)),  # PEP 702
        **(relations or {"bases": [], "others": []}),
    }


def _head(found: PublicObject, home: Any, qualname: str | None, signature: Signature) -> dict[str, Any]:
    return {
        "name": found.canonical(),
        "kind": found.kind,
        "paths": sorted(found.paths),
        "evidence": sorted({tuple(evidence) for evidence in found.paths.values() if evidence}),
        "defined_in": home if isinstance(home, str) else None,
        "qualname": qualname,
        "parameters": signature.parameters,
        "overloads": signature.overloads,
        "documented_names": signature.documented_names,
        "parameters_from": signature.source,
        "return_type": signature.returns,
    }


def _data(found: PublicObject, fact: Fact) -> dict[str, Any]:
    """A field or an enum member: it has a type and maybe a description, and nothing to call."""
    owner: Any = found.owner
    qualname = f"{getattr(owner, '__qualname__', '')}.{found.canonical().rpartition('.')[2]}"
    return {
        **_head(found, home_of(owner), qualname, Signature(returns=fact.annotation)),
        "borrowed": False,
        "docstring": fact.description,
        "deprecated": False,
        "bases": [],
        "others": [],
    }


def _is_borrowed(found: PublicObject, tops: set[str]) -> bool:
    """Check for a signature of another library: a method from there, or a class that builds its instances there."""
    if found.kind != "class":
        return top_of(home_of(inner_of(found.value) if found.owner else found.value)) not in tops
    bases: tuple[type, ...] = found.value.__mro__[:-1]
    makers = [base for base in bases if {"__init__", "__new__"} & set(vars(base))]
    own_fields = model_fields_of(found.value) or hasattr(found.value, "__required_keys__")
    return bool(makers) and top_of(makers[0].__module__) not in tops and not own_fields


def docstring_of(found: PublicObject, function: Any) -> str | None:
    """The object's own docstring; what `object` or the dataclass machinery lends is none."""
    value = found.value
    own = vars_of(value).get("__doc__") if found.kind == "class" else getattr(value, "__doc__", None)
    if not isinstance(own, str) and found.owner:
        own = getattr(function, "__doc__", None)
    if not isinstance(own, str) or not own.strip():
        return None
    if found.kind == "class" and own.startswith(f"{value.__name__}("):
        return None
    return inspect.cleandoc(own)[:MAX_TEXT]
