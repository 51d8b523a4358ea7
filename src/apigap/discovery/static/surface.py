"""A surface from text alone, by the rules of the run-time walk. Nothing of the library is imported or run."""

import re
from collections.abc import Sequence
from pathlib import Path

import griffe
from packaging.utils import canonicalize_name

from apigap.discovery.static.classes import StaticClass, constructor_of
from apigap.discovery.static.dynamic_exports import DynamicExports
from apigap.discovery.static.griffe_facts import facts_of, kind_of, parameters_of, position_of, without_collection
from apigap.discovery.static.library_text import Known, LibraryText
from apigap.discovery.static.tree import StaticTree, fetch_tree
from apigap.discovery.surface import Entry, Surface, cached_surface, says_deprecated
from apigap.discovery.walk import INTERNAL
from apigap.discovery.walk.public_object import best_path
from apigap.packages.index import Release
from apigap.records.candidate import ApiKind, Evidence, Parameter
from apigap.records.paths import cache_home
from apigap.records.sources import modules_hash

_READERS = (
    *(
        f"apigap.discovery.static.{name}"
        for name in ("classes", "computed_names", "dynamic_exports", "griffe_facts", "lazy_exports")
    ),
    *(f"apigap.discovery.static.{name}" for name in ("lent_members", "library_text", "surface", "tree")),
    "apigap.discovery.surface",
)
_PLACEHOLDERS = re.compile(r"\.dummy_\w*objects$")  # of transformers and diffusers: each only says what to install
Api = griffe.Function | griffe.Class | griffe.Attribute


def read_static(releases: Sequence[Release]) -> Surface:
    """The surface of the first release, its companions' modules included; read once, then kept under its hash.

    Raises:
        InfrastructureError: when the index cannot be reached, or a release has no files to read.
    """
    first = releases[0]
    tree = fetch_tree(releases)
    name = f"{canonicalize_name(first.library)}-{first.version}-{tree.key[:16]}-{modules_hash(*_READERS)[:8]}.json"
    kept = cache_home() / "surfaces" / "static" / name
    return cached_surface(kept, lambda: static_surface(first.library, first.version, tree))


def static_surface(library: str, version: str, tree: StaticTree) -> Surface:
    """The surface of the text in `tree`."""
    with without_collection():
        text = LibraryText(tree)
        walk = StaticWalk(text, tree.root)
        entries = walk.entries()
    return Surface(
        library=library,
        version=version,
        reading="static",
        tops=tree.modules.tops,
        modules=tuple(sorted(text.modules)),
        failures=text.failures,
        variables=tuple(sorted(walk.variables)),
        entries=tuple(sorted(entries, key=lambda entry: entry.name)),
    )


class StaticObject:
    """One object of the text, and the public paths that lead to it with their evidence."""

    def __init__(self, value: Api, kind: ApiKind, owner: griffe.Class | None = None) -> None:
        self.value = value
        self.kind: ApiKind = kind
        self.owner = owner
        self.paths: dict[str, Evidence | None] = {}

    @property
    def evident(self) -> bool:
        """True when any path is marked as public."""
        return any(self.paths.values())

    def canonical(self) -> str:
        """The best of its paths."""
        return best_path(self.paths, self.value.name, None if self.evident else self.value.module.path)


class StaticWalk:
    """Collects what the public modules hold; `variables` are public names that are no entries."""

    def __init__(self, text: LibraryText, root: Path) -> None:
        self._text = text
        self._root = root
        self._found: dict[str, StaticObject] = {}
        self._members: dict[str, StaticObject] = {}
        self._classes: dict[str, StaticClass] = {}
        self.variables: set[str] = set()

    def entries(self) -> list[Entry]:
        """All entries, in no order."""
        for name, module in self._text.modules.items():
            self._module(name, module)
        classes = [found for found in self._found.values() if found.kind == "class"]
        relations = {found.value.path: self._class(found) for found in sorted(classes, key=StaticObject.canonical)}
        return [
            self._entry(found, *relations.get(found.value.path, ((), ())))
            for found in (*self._found.values(), *self._members.values())
        ]

    def _module(self, name: str, module: griffe.Module) -> None:
        additions = self._text.lazy(module).additions
        listed = _listed(module)
        if listed is not None or additions.names:
            listed = {*(listed or ()), *additions.names}
        for leaf in sorted({*module.members, *(listed or ())}):
            if leaf.startswith("_") or self._text.is_guarded(module, leaf):
                continue
            value = self._text.resolve(module, leaf)
            if isinstance(value, griffe.Function | griffe.Class) and not _PLACEHOLDERS.search(value.module.path):
                found = self._found.setdefault(value.path, StaticObject(value, kind_of(value)))
                explicit = listed is not None and (leaf in listed or _is_looped(additions, module, leaf))
                found.paths[f"{name}.{leaf}"] = _evidence(module, value, listed is not None, explicit)
            elif not isinstance(value, griffe.Module):
                self.variables.add(f"{name}.{leaf}")

    def _class(self, entity: StaticObject) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Record the members reported under this class; give its public bases, and its names that are no entries."""
        path = entity.canonical()
        assert isinstance(entity.value, griffe.Class)
        cls = self._class_of(entity.value)
        bases: list[str] = []
        others: set[str] = set()
        seen: set[str] = set()
        lent: set[str] = set()
        for base in cls.lineage:
            names = [name for name in base.members if not name.startswith("_") and name not in seen]
            seen.update(names)
            known = self._found.get(base.path)
            if base is not entity.value and known is not None and known.evident:
                bases.append(known.canonical())
                continue
            others.update(self._own(entity, path, base, names))
            lent |= self._text.lent.get(base.path, set())
            if base is not entity.value and known is not None:
                bases.append(known.canonical())
        return tuple(bases), tuple(sorted({*others, *((cls.given | lent) - seen)}))

    def _own(self, owner: StaticObject, path: str, base: griffe.Class, names: list[str]) -> set[str]:
        """Record the members that `base` gives the class at `path`; those of its names that are none."""
        assert isinstance(owner.value, griffe.Class)
        cls = self._class_of(base)
        others: set[str] = set()
        for name in names:
            member = base.members[name]
            kind = cls.kind_of_member(member)
            if kind is None or not isinstance(member, griffe.Function | griffe.Attribute):
                others.add(name)
                continue
            found = self._members.setdefault(member.path, StaticObject(member, kind, owner.value))
            found.paths[f"{path}.{name}"] = owner.paths[path]
        return others

    def _class_of(self, value: griffe.Class) -> StaticClass:
        known = self._classes.get(value.path)
        if known is None:
            known = self._classes[value.path] = StaticClass(value)
        return known

    def _entry(self, entity: StaticObject, bases: tuple[str, ...], others: tuple[str, ...]) -> Entry:
        value = entity.value
        maker = constructor_of(self._class_of(value)) if isinstance(value, griffe.Class) else None
        facts = {fact: known for fact, known in facts_of(entity.kind, value) if known is not None}
        if maker is not None:
            facts.pop("parameters", None)
            if maker.parameters is not None:
                facts["parameters"] = maker.parameters
        overloads: tuple[tuple[Parameter, ...], ...] = ()
        if isinstance(value, griffe.Function):
            overloads = overloads_of(value, entity.kind)
            if not overloads:  # what is written out counts more than the forms that a type checker sees
                facts["parameters"] = parameters_of(value, bound=entity.kind in ("method", "classmethod"))
        elif isinstance(value, griffe.Attribute) and value.annotation is not None:
            facts["return_type"] = str(value.annotation)
        docstring = facts.get("docstring")
        is_buried = "deprecated" in value.module.path.split(".")
        if is_buried or says_deprecated(docstring if isinstance(docstring, str) else None):
            facts["deprecated"] = True
        evidence = {(item.kind, item.where): item for item in entity.paths.values() if item is not None}
        described: dict[str, object] = {
            "name": entity.canonical(),
            "kind": entity.kind,
            "paths": tuple(sorted(entity.paths)),
            "evidence": tuple(evidence[key] for key in sorted(evidence)),
            "defined_in": value.module.path,
            "qualname": value.path.removeprefix(value.module.path + "."),
            "source": position_of(value, self._root),
            "borrowed": maker is not None and maker.borrowed,
            "overloads": overloads,
            "bases": bases,
            "others": others,
            "facts": dict.fromkeys(facts, "griffe"),
            "sources": ("griffe",),
        }
        return Entry.model_validate({**described, **facts})


def overloads_of(value: griffe.Function, kind: ApiKind) -> tuple[tuple[Parameter, ...], ...]:
    """The forms of a function that a stub tells by overloads only; none where it is written out, or has one form."""
    forms = value.overloads or []
    if len(forms) < 2 or not any(form is value for form in forms):
        return ()
    return tuple(parameters_of(form, bound=kind in ("method", "classmethod")) for form in forms)


def _listed(module: griffe.Module) -> set[str] | None:
    """The names in `__all__`; None where there is none, or griffe cannot tell what is in it."""
    if module.exports is None:
        return None
    names = {str(name) for name in module.exports}
    written = module.members.get("__all__")
    is_empty = isinstance(written, griffe.Attribute) and str(written.value) in ("[]", "()")
    return names if names or is_empty else None


def _is_looped(additions: DynamicExports, module: griffe.Module, leaf: str) -> bool:
    """Check that the name came by `from ... import *`, and a loop puts the names of that module into `__all__`."""
    member = module.members.get(leaf)
    if not isinstance(member, griffe.Alias) or not member.wildcard_imported:
        return False
    origin = member.target_path.rpartition(".")[0]
    return any(f".{origin}".endswith(f".{loop.module}") and loop.takes(leaf) for loop in additions.loops)


def _evidence(module: griffe.Module, value: Known, has_all: bool, explicit: bool) -> Evidence | None:
    """The same rule as in the run-time walk."""
    name = module.path
    if has_all:
        return Evidence(kind="__all__", where=name) if explicit else None
    segments = name.split(".")
    is_package = module.is_init_module or isinstance(module.filepath, list)
    if len(segments) > 1 and (not is_package or INTERNAL.intersection(segments)):
        return None
    home = value.module.path
    if f"{home}.".startswith(f"{name}.") and (home != name or "." not in name):
        return Evidence(kind="re-export", where=name)
    return None
