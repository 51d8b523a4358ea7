"""Imports every public module and collects what they hold."""

# Whatever a library raises is a fact about it, so everything is caught.
# ruff: noqa: BLE001
from __future__ import annotations

import importlib
import time
import types
from collections.abc import Callable
from typing import Any

from .describe import describe
from .evidence import belongs, evidence_of, exports_of
from .fields import Fact, enum_members, own_annotations, own_fields
from .kinds import class_of, kind_of, member_kind, top_of, vars_of
from .limits import limited
from .public_object import PublicObject
from .texts import text_of

TOTAL_SECONDS = 600
_MISSING = object()


class Walk:
    """Collects what the modules hold; every object is kept, so that an id stays its own.

    `report` receives where the walk is before the library's code gets the control, and at least once a second.
    """

    def __init__(self, tops: list[str], seconds: int, report: Callable[[str], object]) -> None:
        self.tops = set(tops)
        self.seconds = seconds
        self.report = report
        self.found: dict[int, PublicObject] = {}
        self.members: dict[object, PublicObject] = {}
        self.variables: set[str] = set()
        self.failures: dict[str, str] = {}
        self.aliases: dict[str, Any] = {}
        self._reported: tuple[str, float] = ("", 0.0)

    def run(self, modules: list[str], skipped: dict[str, str]) -> dict[str, Any]:
        """Import all modules but `skipped`, look at them, and give the result as JSON."""
        imported = self._import_all(modules, dict(skipped))
        for name, module in imported.items():
            self._report_position(name)
            self._module(name, module)
        for name, module in sorted(self.aliases.items()):
            if name not in imported:
                self._module(name, module, is_alias=True)
        classes = [found for found in self.found.values() if found.kind == "class"]
        relations = {id(found.value): self._class(found) for found in sorted(classes, key=PublicObject.canonical)}
        entries: list[dict[str, Any]] = []
        for found in (*self.found.values(), *self.members.values()):
            self._report_position(found.module)
            entries.append(describe(found, self.tops, relations.get(id(found.value))))
        return {
            "tops": sorted(self.tops),
            "modules": sorted(imported),
            "failures": self.failures,
            "variables": sorted(self.variables),
            "entries": sorted(entries, key=lambda entry: entry["name"]),
        }

    def _report_position(self, name: str) -> None:
        now = time.monotonic()
        if name != self._reported[0] or now - self._reported[1] > 1:
            self._reported = (name, now)
            self.report(name)

    def _import_all(self, modules: list[str], skipped: dict[str, str]) -> dict[str, Any]:
        """Import in order, and once more what failed: the second time a circular import may be closed."""
        imported: dict[str, Any] = {}
        waiting = [name for name in modules if name not in skipped]
        until = time.monotonic() + TOTAL_SECONDS
        while waiting:
            self.failures = dict(skipped)
            before = len(imported)
            for name in waiting:
                self._import(name, imported, skipped, until)
            waiting = [name for name in self.failures if name not in skipped]  # what a circle may have broken
            if len(imported) == before:
                break
        return dict(sorted(imported.items()))

    def _import(self, name: str, imported: dict[str, Any], skipped: dict[str, str], until: float) -> None:
        package = next((package for package in _packages(name) if package in self.failures), None)
        if package:  # Python would try it again, and take as long
            self.failures[name] = f"its package {package} could not be imported"
            return
        if time.monotonic() > until:
            self.failures[name] = f"not reached: the imports before it took more than {TOTAL_SECONDS} s"
            return
        self._report_position(name)
        try:
            imported[name] = limited(self.seconds, importlib.import_module, name)
        except BaseException as error:
            self.failures[name] = f"{type(error).__name__}: {text_of(error, 200)}"
            if isinstance(error, ModuleNotFoundError) or not isinstance(error, (ImportError, AttributeError)):
                skipped[name] = self.failures[name]  # no circle does that: a second time gives the same, as slowly

    def _module(self, name: str, module: Any, is_alias: bool = False) -> None:
        """Look at all that `module` holds; paths through an alias, which no `import` takes, are no evidence."""
        listed = set[str]() if is_alias else exports_of(module)
        own = vars_of(module) if class_of(module) is types.ModuleType else {}
        names = {*self._names(name, module), *(listed or ())}
        hidden = (leaf for leaf in own if leaf not in names and class_of(own[leaf]) is not types.ModuleType)
        self.variables.update(f"{name}.{leaf}" for leaf in hidden)  # by a `__dir__`
        for leaf in sorted(names):
            if not leaf.startswith("_"):
                self._name(name, module, leaf, own.get(leaf, _MISSING), listed)

    def _names(self, name: str, module: Any) -> list[str]:
        try:
            return [leaf for leaf in limited(self.seconds, dir, module) if type(leaf) is str]
        except BaseException as error:
            self.failures[name] = f"its __dir__ fails with {type(error).__name__}: {text_of(error, 200)}"
            return [leaf for leaf in vars_of(module) if type(leaf) is str]

    def _name(self, name: str, module: Any, leaf: str, value: Any, listed: set[str] | None) -> None:
        path, explicit = f"{name}.{leaf}", listed is not None and leaf in listed
        try:
            if value is _MISSING:
                value = limited(self.seconds, getattr, module, leaf)
            kind = kind_of(value, leaf)
            is_own = bool(kind) and belongs(value, explicit, self.tops)
            evidence = evidence_of(name, leaf, module, value, listed) if is_own else None
        except AttributeError:
            return  # `__all__` or `__dir__` names what is not there
        except BaseException as error:  # a lazy attribute that needs something not installed, or a proxy
            self.variables.add(path)
            if explicit:
                self.failures[path] = f"{type(error).__name__}: {text_of(error, 200)}"
            return
        if kind and is_own:
            found = self.found.setdefault(id(value), PublicObject(value, kind))
            found.paths[path] = evidence
        elif not isinstance(value, types.ModuleType):
            self.variables.add(path)
        elif explicit and top_of(getattr(value, "__name__", None)) in self.tops:
            self.aliases[path] = value  # `numpy.char` was once a module of another name

    def _class(self, entity: PublicObject) -> dict[str, list[str]]:
        """Record the methods reported under this class; give its public bases, and its names that are no entries."""
        path = entity.canonical()
        self._report_position(entity.module)
        cls: Any = entity.value
        bases: list[str] = []
        others: set[str] = set()
        seen: set[str] = set()
        mro: tuple[type, ...] = cls.__mro__
        for base in mro[:-1]:
            names = [name for name in vars(base) if type(name) is str and name[:1] != "_" and name not in seen]
            known = self.found.get(id(base))
            if base is not cls and known is not None and known.evident:
                bases.append(known.canonical())
            elif base is cls or belongs(base, False, self.tops):
                others.update(self._own(path, cls, base, names, seen))
                if base is not cls and known is not None:
                    bases.append(known.canonical())
            else:
                others.update(names)
            seen.update(names)
        return {"bases": bases, "others": sorted(others)}

    def _own(self, path: str, cls: Any, base: type, names: list[str], seen: set[str]) -> set[str]:
        evidence = self.found[id(cls)].paths[path]
        data = {name for name in own_annotations(base) if type(name) is str and not name.startswith("_")}
        facts = self._data(cls, base)
        for name, (kind, fact) in facts.items():
            if name not in seen:
                self._member((id(cls), name), fact, kind, cls, f"{path}.{name}", evidence)
        for name in names:
            if name in facts:
                continue
            raw = vars(base)[name]
            try:
                kind = member_kind(raw, cls)
            except BaseException:
                kind = None
            if kind:
                self._member(id(raw), raw, kind, cls, f"{path}.{name}", evidence)
            else:
                data.add(name)
        return data - set(facts)

    def _data(self, cls: Any, base: type) -> dict[str, tuple[str, Fact]]:
        """The enum members and fields that `base` declares for `cls`, each with its kind."""
        try:
            members = enum_members(base)
            if members:
                return {name: ("enum_member", Fact(base.__name__)) for name in members}
            return {name: ("field", fact) for name, fact in own_fields(cls, base).items()}
        except BaseException:
            return {}

    def _member(self, key: object, raw: Any, kind: str, cls: type, path: str, evidence: list[str] | None) -> None:
        found = self.members.setdefault(key, PublicObject(raw, kind, owner=cls))
        found.paths[path] = evidence


def _packages(name: str) -> list[str]:
    """The packages that a module lies in, the outermost first."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]
