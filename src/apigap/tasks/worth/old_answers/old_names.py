"""The names that an older release has, as the search asks for them: functions in an order of likeness, and members."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from apigap.discovery.surface import Entry, Surface
from apigap.records.base import Json

_FUNCTIONS = ("function", "class", "classmethod", "staticmethod")
_WORD = re.compile(r"[a-z]{3,}")
_USUAL = frozenset({"the", "and", "for", "with", "that", "this", "from", "are", "not", "any", "all", "will", "can"})


@dataclass(frozen=True)
class OldNames:
    """The public names of one older release."""

    surface: Surface

    def functions(self, leaf: str, about: str, most: int) -> list[Json]:
        """(paths, parameters) of at most `most` functions and classes, those first that are most like `leaf`.

        `about` is what is written about the new API: who shares its words is near to it.
        """
        wanted = _words(f"{leaf} {about}")
        found = sorted(
            self._functions, key=lambda one: (one.leaf != leaf, -len(wanted & self._said[one.name]), one.name)
        )
        return [[list(_places(one)), _parameters(one)] for one in found[:most]]

    def members(self, classes: Collection[str]) -> dict[str, Json]:
        """The members of classes by the last name of the class: the parameters of each, None where not known."""
        return {name: self._members[name] for name in sorted(classes) if name in self._members}

    @cached_property
    def _functions(self) -> list[Entry]:
        return [one for one in self.surface.entries if one.kind in _FUNCTIONS]

    @cached_property
    def _said(self) -> dict[str, frozenset[str]]:
        return {one.name: _words(f"{one.leaf} {_first(one.docstring)}") for one in self._functions}

    @cached_property
    def _members(self) -> dict[str, dict[str, Json]]:
        found: dict[str, dict[str, Json]] = {}
        for one in self.surface.entries:
            if one.owner is None:
                for name in one.others:
                    found.setdefault(one.leaf, {}).setdefault(name, None)
                continue
            for path in (one.name, *one.paths):
                owner, _, leaf = path.rpartition(".")
                found.setdefault(owner.rpartition(".")[2], {})[leaf] = _parameters(one)
        return found


def _places(entry: Entry) -> Sequence[str]:
    """The paths of an entry, its own name first, then the shorter ones."""
    return tuple(dict.fromkeys((entry.name, *sorted(entry.paths, key=lambda path: (path.count("."), path)))))


def _parameters(entry: Entry) -> Json:
    if entry.parameters is None or entry.overloads:
        return None
    return [[one.name, one.kind, one.required, one.default] for one in entry.parameters]


def _first(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n\n")[0]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower().replace("_", " "))) - _USUAL
