"""Lookup of a new version's APIs in the old version: under the same path, inherited, moved, or hidden from view."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, NamedTuple

from apigap.discovery.surface import Entry, Surface

DOC_CHARACTERS = 400


class OldApi(NamedTuple):
    """An entry of the old version, and the path under which it is the counterpart of the new one."""

    entry: Entry
    path: str


Hidden = Literal["hidden"]
"""The name was there in the old version, or may have been, but nothing can be compared."""


class OldSurface:
    """Finds the counterpart of a new entry in the old surface. Ask for classes before their methods.

    What a class's docstring describes may be an attribute that cannot be seen; what it lists among the parameters
    counts as one only where `parameters_may_be_attributes`.
    """

    def __init__(self, old: Surface, new: Surface, *, parameters_may_be_attributes: bool = True) -> None:
        self._documents = _documents_attribute if parameters_may_be_attributes else _lists_attribute
        read_as_text = {entry.defined_in for entry in old.entries if entry.sources == ("griffe",)}
        self._failures = tuple(set(old.failures) - read_as_text)
        self._variables = set(old.variables)
        self._by_path = {path: entry for entry in old.entries for path in entry.paths}
        self._still_there = {path for entry in new.entries for path in entry.paths}
        self._by_home = _unique((_home(entry), entry) for entry in old.entries)
        self._by_shape = _unique((_shape(entry), entry) for entry in old.entries)
        self._moved_classes: dict[str, str] = {}
        self._new_classes: set[str] = set()
        self._hidden: set[str] = set()
        self._subclasses: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in new.entries:
            for base in entry.bases:
                self._subclasses[base].append(entry)

    def find(self, new: Entry) -> OldApi | Hidden | None:
        """The old entry that `new` continues; `hidden` where it cannot be told; None where it is new."""
        for path in self._candidate_paths(new):
            found = self.at(path)
            if isinstance(found, str):
                self._hidden.add(new.name)
                return found
            if found is not None:
                return self._matched(new, OldApi(found, path))
        moved = self._moved(new)
        if moved is not None:
            return self._matched(new, OldApi(moved, moved.name))
        if new.owner in self._hidden or self._was_unreadable(new):
            self._hidden.add(new.name)
            return "hidden"
        if new.kind == "class":
            self._new_classes.add(new.name)
        return self._pulled_up(new)

    def _matched(self, new: Entry, former: OldApi) -> OldApi:
        if new.kind == "class" and former.entry.name != new.name:
            self._moved_classes[new.name] = former.entry.name
        return former

    def _candidate_paths(self, new: Entry) -> list[str]:
        """The canonical path first; of a method also the path in a class that has moved."""
        paths = [new.name, *(path for path in new.paths if path != new.name)]
        former_owner = self._moved_classes.get(new.owner or "")
        return [*paths, f"{former_owner}.{new.leaf}"] if former_owner else paths

    def at(self, path: str) -> Entry | Hidden | None:
        """The old entry that the public `path` leads to, through an inherited member as well."""
        if path in self._by_path:
            return self._by_path[path]
        owner_path, _, leaf = path.rpartition(".")
        if path in self._variables or owner_path in self._variables:
            return "hidden"
        owner = self._by_path.get(owner_path)
        return self._member(owner, leaf) if owner and owner.kind == "class" else None

    def _member(self, owner: Entry, leaf: str) -> Entry | Hidden | None:
        """A method that the class has itself or inherits from a public base, in the order of inheritance."""
        for name in (owner.name, *owner.bases):
            entry = self._by_path.get(f"{name}.{leaf}")
            if entry is not None:
                return entry
            cls = self._by_path.get(name)
            if cls is not None and (leaf in cls.others or self._documents(cls, leaf)):
                return "hidden"
        return None

    def _moved(self, new: Entry) -> Entry | None:
        """The same code under another path, or its double under a path that is no more."""
        found = self._by_home.get(_home(new))
        if found is not None and found.kind == new.kind:
            return found
        double = self._by_shape.get(_shape(new))
        return double if double is not None and not self._still_there.intersection(double.paths) else None

    def _pulled_up(self, new: Entry) -> OldApi | None:
        """A former member of the class that is now inherited from a base that is new: it went there."""
        if new.owner not in self._new_classes:
            return None
        for cls in self._subclasses[new.owner]:
            path = f"{self._moved_classes.get(cls.name, cls.name)}.{new.leaf}"
            found = self._by_path.get(path)
            inherited = (base for base in (cls.name, *cls.bases) if f"{base}.{new.leaf}" in self._still_there)
            if found is not None and next(inherited, None) == new.owner:
                return OldApi(found, path)
        return None

    def _was_unreadable(self, new: Entry) -> bool:
        """Check whether the API lives in a module that the old version could not import."""
        homes = {new.defined_in or "", *(path.rpartition(".")[0] for path in new.paths)}
        return any(f"{home}.".startswith(f"{failed}.") for home in homes for failed in self._failures)


def _documents_attribute(cls: Entry, leaf: str) -> bool:
    """Check that a class's docstring lists the attribute: its constructor may set it in ways that cannot be seen."""
    return _writes_item(cls.docstring or "", leaf)


def _writes_item(text: str, leaf: str) -> bool:
    return bool(re.search(rf"^[\s*-]*`*{re.escape(leaf)}`*\s*(?::|\(|$)", text, re.MULTILINE))


def _lists_attribute(cls: Entry, leaf: str) -> bool:
    """Check that a class's docstring has the attribute in the section of that name."""
    section = re.split(r"^\s*Attributes\s*(?::|\n\s*-{3,})", cls.docstring or "", maxsplit=1, flags=re.MULTILINE)[1:]
    return any(_writes_item(text, leaf) for text in section)


def _home(entry: Entry) -> str:
    if not entry.defined_in or not entry.qualname or "<" in entry.qualname:
        return ""
    return f"{entry.defined_in}:{entry.qualname}"


def _shape(entry: Entry) -> str:
    """The traits that a moved function or class keeps; empty for methods, and for what says too little."""
    if entry.owner or not entry.docstring or entry.parameters is None:
        return ""
    parameters = ",".join(f"{parameter.kind} {parameter.name}" for parameter in entry.parameters)
    return f"{entry.leaf}|{entry.kind}|{parameters}|{entry.docstring[:DOC_CHARACTERS]}"


def _unique(pairs: Iterable[tuple[str, Entry]]) -> dict[str, Entry]:
    """Only keys that are not empty and belong to one entry: the others identify nothing."""
    groups: defaultdict[str, list[Entry]] = defaultdict(list)
    for key, entry in pairs:
        groups[key].append(entry)
    return {key: entries[0] for key, entries in groups.items() if key and len(entries) == 1}
