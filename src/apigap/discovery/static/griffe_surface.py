"""Facts that only a library's text has: stubs, overloads, positions, decorators, modules that cannot be imported."""

import logging
from collections.abc import Iterator
from pathlib import Path

import griffe

from apigap.discovery.static.griffe_facts import (
    LOOKUP_ERRORS,
    facts_of,
    is_method,
    kind_of,
    position_of,
    widest,
    without_collection,
)
from apigap.discovery.surface import Entry, Fact, Reader, Surface
from apigap.records.candidate import Evidence


class _Finder(griffe.ModuleFinder):
    """Leaves out the library's own tests: half of the text of numpy and pandas, and nothing public in it."""

    def submodules(self, module: griffe.Module) -> list[tuple[tuple[str, ...], Path]]:
        """The modules below a package."""
        return [found for found in super().submodules(module) if not any(map(_is_test, found[0]))]


def _is_test(name: str) -> bool:
    return name in ("tests", "conftest") or name.startswith("test_")


def supplement(surface: Surface, site_packages: Path) -> Surface:
    """`surface` with what griffe knows beside the run-time walk.

    A fact that the walk has is never replaced. New entries appear only in modules that could not be imported.
    Nothing is executed: the text is parsed.
    """
    with without_collection():
        loader = _load(surface, site_packages)
        entries = [_completed(entry, loader, site_packages) for entry in surface.entries]
        known = {path for entry in entries for path in entry.paths}
        for module in sorted(surface.failures):
            entries += [entry for entry in _static_entries(module, loader, site_packages) if entry.name not in known]
    return surface.model_copy(update={"entries": tuple(sorted(entries, key=lambda entry: entry.name))})


def _load(surface: Surface, site_packages: Path) -> griffe.GriffeLoader:
    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    loader = griffe.GriffeLoader(search_paths=[site_packages], allow_inspection=False, store_source=False)
    loader.finder = _Finder([site_packages])
    for top in surface.tops:
        try:
            loader.load(top, try_relative_path=False, find_stubs_package=True)
        except (ImportError, *LOOKUP_ERRORS):
            continue  # compiled or broken text: the run-time walk stands alone
    loader.resolve_aliases(implicit=True, external=False)
    return loader


def _completed(entry: Entry, loader: griffe.GriffeLoader, site_packages: Path) -> Entry:
    found = _find(entry, loader)
    if found is None:
        return entry
    facts: dict[Fact, Reader] = dict(entry.facts)
    update: dict[str, object] = {"source": position_of(found, site_packages)}
    if isinstance(found, griffe.Class):  # attributes that only `__init__` sets are not there to be walked
        attributes = {n for n, member in found.members.items() if isinstance(member, griffe.Attribute) and n[0] != "_"}
        update["others"] = tuple(sorted({*entry.others, *attributes}))
    for fact, value in facts_of(entry.kind, found):
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
    return widest(overloads) if overloads else found if isinstance(found, griffe.Attribute) else None


def _member(path: str, loader: griffe.GriffeLoader) -> griffe.Object | None:
    try:
        found = loader.modules_collection.get_member(path)  # not []: that looks up all that is inherited
        return found.final_target if isinstance(found, griffe.Alias) else found
    except LOOKUP_ERRORS:
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
                if not name.startswith("_") and is_method(method):
                    yield _static_entry(method, module, evidence, site_packages)


def _static_entry(
    found: griffe.Function | griffe.Attribute | griffe.Class,
    module: str,
    evidence: tuple[Evidence, ...],
    site_packages: Path,
) -> Entry:
    kind = kind_of(found)
    facts = {fact: value for fact, value in facts_of(kind, found) if value is not None}
    described: dict[str, object] = {
        "name": found.path,
        "kind": kind,
        "paths": (found.path,),
        "evidence": evidence,
        "defined_in": module,
        "qualname": found.path.removeprefix(module + "."),
        "source": position_of(found, site_packages),
        "facts": dict.fromkeys(facts, "griffe"),
        "sources": ("griffe",),
    }
    return Entry.model_validate({**described, **facts})
