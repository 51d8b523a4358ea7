"""S: the qualified name and the parameters, with the descriptions that the release has."""

import ast
import copy
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.surface import render_signature
from apigap.knowledge.components.annotations import plain_annotation
from apigap.knowledge.components.definition import definition_of, docstring_of
from apigap.knowledge.components.docstrings import (
    DocumentedParameter,
    documented_parameters,
    documented_return,
    shorten,
)
from apigap.knowledge.components.fields import FieldDeclaration, fields_of, form_of, members_of
from apigap.knowledge.components.sources import Located, Sources, sources_of
from apigap.records.candidate import Candidate, Parameter
from apigap.records.knowledge import Surface

_OPAQUE = re.compile(r"^<(?!factory [\w.]+>$|no value>$)|\bobject>|PydanticUndefined|^NOTHING$|<lambda>")
_MOST_FORMS = 6
_LONG = 80


class SourceSignature(NamedTuple):
    """The annotations and defaults in the source of a function, by parameter."""

    annotations: Mapping[str, str]
    defaults: Mapping[str, str]
    returns: str | None = None


_NOTHING = SourceSignature({}, {})


def surface_of(candidate: Candidate, site_packages: Path | None = None) -> Surface:
    """The surface of `candidate`; no type, default or description is invented.

    A type that the signature leaves out is what the docstring writes in its place. With `site_packages`, where the
    release is installed, its text is read too: what a class declares of its fields, a default that no `repr` shows,
    the forms of an overloaded call, the members of an enumeration, the docstring of the method that is overridden.
    """
    if site_packages is None:
        return _surface(candidate, documented_parameters(candidate.docstring or ""), _NOTHING, {})
    sources = sources_of(site_packages)
    found = definition_of(candidate, sources)
    docstring = docstring_of(candidate, sources)
    documented = documented_parameters(docstring)
    if found is None:
        return _surface(candidate, documented, _NOTHING, {})
    is_class = candidate.kind == "class"
    declared = fields_of(found, sources) if is_class else {}
    maker = _constructor(found, sources) if is_class else found
    if is_class and maker is not None and isinstance(maker.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        documented = {**documented_parameters(ast.get_docstring(maker.node) or ""), **documented}
    form = form_of(found, sources) if is_class else None
    surface = _surface(
        candidate, documented, _source_signature(maker), declared if form not in (None, "protocol", "enum") else {}
    )
    return surface.model_copy(
        update={
            "form": form,
            "members": tuple(members_of(found)) if form == "enum" or _is_compiled_enum(candidate, found) else (),
            "overloads": tuple(_forms(maker)) if maker is not None else (),
            "return_type": surface.return_type or documented_return(docstring),
        }
    )


def _surface(
    candidate: Candidate,
    documented: Mapping[str, DocumentedParameter],
    signature: SourceSignature,
    declared: Mapping[str, FieldDeclaration],
) -> Surface:
    own = [parameter for parameter in candidate.parameters if parameter.name not in ("self", "cls")]
    if not own and candidate.signature is None:
        own = [_of_field(field) for field in declared.values() if field.init and not field.name.startswith("_")]
    parameters = tuple(_described(parameter, documented, signature, declared.get(parameter.name)) for parameter in own)
    declared_type = candidate.return_type and plain_annotation(candidate.return_type).annotation
    returns = signature.returns if signature.returns and candidate.kind != "class" else declared_type
    known = candidate.signature is not None and candidate.kind != "property"
    return Surface(
        s_name=candidate.api_name,
        kind=candidate.kind,
        signature=render_signature(parameters, returns) if known else None,
        parameters=parameters,
        return_type=returns or documented_return(candidate.docstring or ""),
    )


def _of_field(field: FieldDeclaration) -> Parameter:
    return Parameter(
        name=field.name, kind="keyword_only", annotation=field.annotation or None, default=field.written,
        required=field.written is None, description=field.description,
    )  # fmt: skip


def _described(
    parameter: Parameter,
    documented: Mapping[str, DocumentedParameter],
    signature: SourceSignature,
    field: FieldDeclaration | None,
) -> Parameter:
    found = documented.get(parameter.name, DocumentedParameter(None, None))
    plain = plain_annotation(parameter.annotation) if parameter.annotation else None
    said = (parameter.description, plain and plain.description, found.description, field and field.description)
    description = next((text for text in said if text), None)
    annotation = signature.annotations.get(parameter.name) or (plain.annotation if plain else None) or found.annotation
    annotation = re.sub(r"<class '([\w.]+)'>", r"\1", annotation) if annotation else None
    if field is not None and annotation is not None and "<" in annotation:  # a repr, where the text has the type
        annotation = field.annotation or annotation
    return parameter.model_copy(
        update={
            "description": shorten(description) if description else None,
            "annotation": annotation,
            "default": _default(parameter, signature.defaults.get(parameter.name), field),
        }
    )


def _default(parameter: Parameter, source_text: str | None, field: FieldDeclaration | None) -> str | None:
    """The default as the walk read it, or as its author wrote it where the value has no text of its own."""
    if parameter.required or parameter.default is None or not _OPAQUE.search(parameter.default):
        return parameter.default
    text = field.written if field is not None and field.written is not None else source_text
    return text if text is not None and len(text) <= _LONG else parameter.default


def _constructor(located: Located, sources: Sources) -> Located | None:
    """The constructor that the class writes or inherits."""
    return sources.member(located, "__init__") or sources.member(located, "__new__")


def _source_signature(maker: Located | None) -> SourceSignature:
    """Annotations and defaults of a function as its author wrote them; a stub's `...` is no default."""
    node = maker.node if maker is not None else None
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return _NOTHING
    spec = node.args
    places = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(reversed(places), reversed(spec.defaults), strict=False)]
    pairs += [(arg, value) for arg, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
    defaults = {argument.arg: ast.unparse(value) for argument, value in pairs}
    every = [*places, *spec.kwonlyargs, *([spec.vararg] if spec.vararg else []), *([spec.kwarg] if spec.kwarg else [])]
    annotations = {each.arg: _type_text(each.annotation) for each in every if each.annotation is not None}
    returns = _type_text(node.returns) if node.returns is not None else None
    return SourceSignature(annotations, {name: text for name, text in defaults.items() if text != "..."}, returns)


def _type_text(node: ast.expr) -> str:
    """The annotation without what else it carries, and without the quotes of a forward reference."""
    quoted = node.value if isinstance(node, ast.Constant) else None
    return plain_annotation(quoted if isinstance(quoted, str) else ast.unparse(node)).annotation


def _forms(maker: Located) -> list[str]:
    """The signatures of an overloaded call, without the object that it is made on; at most six."""
    forms: list[str] = []
    for node in maker.overloads:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            spec = copy.deepcopy(node.args)
            for places in (spec.posonlyargs, spec.args):
                if places and maker.owner is not None and places[0].arg in ("self", "cls"):
                    del places[0]
            returns = (
                f" -> {ast.unparse(node.returns)}" if node.returns and node.name not in ("__init__", "__new__") else ""
            )
            forms.append(plain_annotation(f"({ast.unparse(spec)}){returns}").annotation)
    return list(dict.fromkeys(forms))[:_MOST_FORMS]


def _is_compiled_enum(candidate: Candidate, located: Located) -> bool:
    """Check for a stub's class that a binding made of an enumeration of C++."""
    cls = located.node
    bases = [ast.unparse(base) for base in cls.bases] if isinstance(cls, ast.ClassDef) else []
    return (
        candidate.kind == "class"
        and located.module.is_stub
        and any(base.endswith("Boost.Python.enum") for base in bases)
    )
