"""Signatures read off the object, or off the first lines of its docstring where the object has none."""

# Whatever a library raises is a fact about it, so everything is caught.
# ruff: noqa: BLE001
from __future__ import annotations

import enum
import inspect
import re
import types
from typing import Any

from .docstring_signatures import RECEIVERS, DocstringSignatures, parameter_record
from .fields import dictionary, model_fields_of
from .kinds import inner_of
from .limits import IMPORT_SECONDS, limited
from .texts import annotation_of, default_of, text_or_none

_MANGLED = re.compile(r"^_[A-Za-z]\w*?__(?=[A-Za-z])")
Parameters = list[dict[str, Any]]


class Signature:
    """The known facts on calling an object.

    `parameters` are None where nothing is known. `source` is `runtime`, or `docstring` where only that tells them.
    `overloads` are its forms where there are several, and `documented_names` the names in the docstring's first line:
    they are there also where another version of the library tells its signature in another way.
    """

    def __init__(self, parameters: Parameters | None = None, returns: str | None = None) -> None:
        self.parameters = parameters
        self.returns = returns
        self.source = "runtime"
        self.overloads: list[Parameters] = []
        self.documented_names: list[str] = []


def signature_of(value: Any, kind: str, owned: bool) -> Signature:
    """The signature of a function, a class or, `owned`, what a class keeps."""
    if kind == "property":
        annotations = dictionary(getattr(inner_of(value), "__annotations__", None))
        return Signature([], annotation_of(annotations.get("return", inspect.Signature.empty)))
    if kind == "class":
        if hasattr(value, "__required_keys__"):
            return Signature(_typed_dict_parameters(value))
        if issubclass(value, enum.Enum) or getattr(value, "_is_protocol", False):
            return Signature()
    target = inner_of(value) if owned else value
    found = _inspected(target, kind)
    if not isinstance(target, types.FunctionType) and (kind != "class" or found.parameters is None):
        _add_docstring_signatures(found, target, kind)
    return found


def _inspected(target: Any, kind: str) -> Signature:
    try:
        signature = limited(IMPORT_SECONDS, inspect.signature, target)
        parameters = list(signature.parameters.values())
        if kind in ("method", "classmethod") and parameters and _begins_with_receiver(target, parameters[0]):
            parameters = parameters[1:]
        known = [_parameter_of(parameter) for parameter in parameters]
        if kind != "class":
            return Signature(known, annotation_of(signature.return_annotation))
        _add_model_fields(target, known)
        return Signature(known)
    except BaseException:
        return Signature()


def _begins_with_receiver(target: Any, first: inspect.Parameter) -> bool:
    """Check that the first parameter is the object itself, which methods made in C name as they like or leave out."""
    if inspect.ismethod(target) or first.kind not in (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD):
        return False
    if isinstance(target, (types.MethodDescriptorType, types.ClassMethodDescriptorType)):
        text = text_or_none(getattr(target, "__text_signature__", None)) or ""
        return text.startswith("($") or first.name in RECEIVERS
    return True


def _add_docstring_signatures(signature: Signature, target: Any, kind: str) -> None:
    documented = DocstringSignatures(target, kind)
    signature.documented_names = documented.names
    if signature.parameters is None and documented.forms:
        signature.parameters = max(documented.forms, key=len)
        signature.overloads = documented.forms if len(documented.forms) > 1 else []
        signature.returns = documented.returns if kind != "class" else None
        signature.source = "docstring"


def _parameter_of(parameter: inspect.Parameter) -> dict[str, Any]:
    """A parameter as JSON."""
    variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    required = parameter.default is parameter.empty and not variable
    default = None if required or variable else default_of(parameter.default)
    name = _MANGLED.sub("__", parameter.name)
    return parameter_record(name, parameter.kind.name.lower(), annotation_of(parameter.annotation), default, required)


def _typed_dict_parameters(value: Any) -> Parameters:
    """The keys of a TypedDict as keyword parameters."""
    required = value.__required_keys__
    keys = value.__annotations__.items()
    return [parameter_record(key, "keyword_only", annotation_of(form), None, key in required) for key, form in keys]


def _add_model_fields(value: Any, parameters: Parameters) -> None:
    """Complete the parameters of a pydantic model from its fields: factories, requiredness, descriptions."""
    fields = model_fields_of(value)
    by_name = {alias: field for name, field in fields.items() for alias in (name, getattr(field, "alias", None))}
    for parameter in parameters:
        field = by_name.get(parameter["name"])
        if field is None or not hasattr(field, "is_required"):
            continue
        parameter["required"] = bool(field.is_required())
        factory = getattr(field, "default_factory", None)
        if factory is not None:
            parameter["default"] = f"<factory {default_of(factory)}>"
        parameter["description"] = text_or_none(getattr(field, "description", None))
