"""What only the text of a library tells: stubs, overloads, positions, decorators, modules that cannot be imported."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import griffe

from apigap.discovery.surface import Entry, Fact, Reader, Surface
from apigap.records.candidate import ApiKind, Evidence, Parameter, ParameterKind

_KINDS: dict[griffe.ParameterKind, ParameterKind] = {
    griffe.ParameterKind.positional_only: "positional_only",
    griffe.ParameterKind.positional_or_keyword: "positional_or_keyword",
    griffe.ParameterKind.var_positional: "var_positional",
    griffe.ParameterKind.keyword_only: "keyword_only",
    griffe.ParameterKind.var_keyword: "var_keyword",
}
_LOOKUP_ERRORS = (griffe.GriffeError, KeyError, AttributeError, ValueError, RecursionError)


def supplement(surface: Surface, site_packages: Path) -> Surface:
    """`surface` with what griffe knows beside the run-time walk.

    A fact that the walk has is never replaced. New entries appear only in modules that could not be imported.
    Nothing is executed: the text is parsed.
    """
    loader = _load(surface, site_packages)
    entries = [_completed(entry, loader, site_packages) for entry in surface.entries]
    known = {path for entry in entries for path in entry.paths}
    for module in sorted(surface.failures):
        entries += [entry for entry in _static_entries(module, loader, site_packages) if entry.name not in known]
    return surface.model_copy(update={"entries": tuple(sorted(entries, key=lambda entry: entry.name))})


def _load(surface: Surface, site_packages: Path) -> griffe.GriffeLoader:
    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    loader = griffe.GriffeLoader(search_paths=[site_packages], allow_inspection=False)
    for top in surface.tops:
        try:
            loader.load(top, try_relative_path=False, find_stubs_package=True)
        except (ImportError, *_LOOKUP_ERRORS):
            continue  # compiled or broken text: the run-time walk stands alone
    loader.resolve_aliases(implicit=True, external=False)
    return loader


def _completed(entry: Entry, loader: griffe.GriffeLoader, site_packages: Path) -> Entry:
    found = _find(entry, loader)
    if found is None:
        return entry
    facts: dict[Fact, Reader] = dict(entry.facts)
    update: dict[str, object] = {"source": _position(found, site_packages)}
    if isinstance(found, griffe.Class):  # attributes that only `__init__` sets are not there to be walked
        attributes = {name for name, member in found.members.items() if member.is_attribute and name[0] != "_"}
        update["others"] = tuple(sorted({*entry.others, *attributes}))
    for fact, value in _facts(entry.kind, found):
        if fact not in facts and value is not None:
            update[fact] = value
            facts[fact] = "griffe"
    return entry.model_copy(update={**update, "facts": facts, "sources": (*entry.sources, "griffe")})


def _find(entry: Entry, loader: griffe.GriffeLoader) -> griffe.Object | None:
    home = f"{entry.defined_in}.{entry.qualname or entry.leaf}" if entry.defined_in else None
    for path in (home, *entry.paths):
        found = _lookup(path, loader) if path else None
        if found is not None and (found.is_class == (entry.kind == "class")):
            return found
    return None


def _lookup(path: str, loader: griffe.GriffeLoader) -> griffe.Object | None:
    """The class or function at `path`; where there is none the widest overload of that name, or the attribute."""
    found = _member(path, loader)
    if isinstance(found, griffe.Function | griffe.Class):
        return found
    owner, _, leaf = path.rpartition(".")
    parent = _member(owner, loader)
    overloads = parent.overloads.get(leaf) if isinstance(parent, griffe.Module | griffe.Class) else None
    return _widest(overloads) if overloads else found if isinstance(found, griffe.Attribute) else None


def _member(path: str, loader: griffe.GriffeLoader) -> griffe.Object | None:
    try:
        found = loader.modules_collection.get_member(path)  # not []: that looks up all that is inherited
        return found.final_target if isinstance(found, griffe.Alias) else found
    except _LOOKUP_ERRORS:
        return None


def _facts(kind: ApiKind, found: griffe.Object) -> Iterator[tuple[Fact, object]]:
    function = _callable(found)
    if function is not None and kind != "property":
        yield "parameters", _parameters(function, bound=kind in ("method", "classmethod", "class"))
    if function is not None and kind != "class" and function.returns is not None:
        yield "return_type", str(function.returns)
    if found.docstring is not None and found.docstring.value.strip():
        yield "docstring", found.docstring.value
    if any("deprecated" in decorator.callable_path.rpartition(".")[2] for decorator in _decorators(found)):
        yield "deprecated", True


def _callable(found: griffe.Object) -> griffe.Function | None:
    """The function whose signature counts: of overloads the widest, of a class its own `__init__`."""
    if isinstance(found, griffe.Class):
        member = found.members.get("__init__")
        return _callable(member) if isinstance(member, griffe.Function) else None
    if not isinstance(found, griffe.Function):
        return None
    return _widest(found.overloads) if found.overloads else found


def _widest(overloads: list[griffe.Function]) -> griffe.Function:
    return max(overloads, key=lambda overload: len(overload.parameters))


def _parameters(function: griffe.Function, bound: bool) -> tuple[Parameter, ...]:
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


def _decorators(found: griffe.Object) -> list[griffe.Decorator]:
    return found.decorators if isinstance(found, griffe.Function | griffe.Class) else []


def _position(found: griffe.Object, site_packages: Path) -> str | None:
    try:
        return f"{Path(str(found.filepath)).relative_to(site_packages)}:{found.lineno}"
    except _LOOKUP_ERRORS:
        return None


def _static_entries(module: str, loader: griffe.GriffeLoader, site_packages: Path) -> Iterator[Entry]:
    found = _member(module, loader)
    if not isinstance(found, griffe.Module):
        return
    exports = {str(export) for export in found.exports or ()}
    for leaf, member in found.members.items():
        if leaf.startswith("_") or not isinstance(member, griffe.Function | griffe.Class):
            continue
        evidence = (Evidence(kind="__all__", where=module),) if leaf in exports else ()
        yield _static_entry(member, module, evidence, site_packages)
        if isinstance(member, griffe.Class):
            for name, method in member.members.items():
                if not name.startswith("_") and _is_method(method):
                    yield _static_entry(method, module, evidence, site_packages)


def _is_method(member: griffe.Object | griffe.Alias) -> TypeGuard[griffe.Function | griffe.Attribute]:
    is_property = isinstance(member, griffe.Attribute) and "property" in member.labels
    return is_property or isinstance(member, griffe.Function)


def _static_entry(
    found: griffe.Function | griffe.Attribute | griffe.Class,
    module: str,
    evidence: tuple[Evidence, ...],
    site_packages: Path,
) -> Entry:
    kind = _kind(found)
    facts = {fact: value for fact, value in _facts(kind, found) if value is not None}
    described: dict[str, object] = {
        "name": found.path,
        "kind": kind,
        "paths": (found.path,),
        "evidence": evidence,
        "defined_in": module,
        "qualname": found.path.removeprefix(module + "."),
        "source": _position(found, site_packages),
        "facts": dict.fromkeys(facts, "griffe"),
        "sources": ("griffe",),
    }
    return Entry.model_validate({**described, **facts})


def _kind(found: griffe.Function | griffe.Attribute | griffe.Class) -> ApiKind:
    if isinstance(found, griffe.Class):
        return "class"
    if not isinstance(found.parent, griffe.Class):
        return "function"
    for kind in ("property", "classmethod", "staticmethod"):
        if kind in found.labels:
            return kind
    return "method"
