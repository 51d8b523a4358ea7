"""Announcements of a project about a release, entry by entry, and whether discovery found them.

An entry is by hand: what the project's own list says is new, changed or gone, with the names that it speaks of. Whether
it was found is computed from what `apigap discover --json` wrote.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from apigap.discovery.discover import Discovery
from apigap.discovery.importance.order import in_rank_order
from apigap.records.base import Record, content_hash
from apigap.records.candidate import Candidate
from apigap.records.retired import Retirement, RetirementKind

Apart = Literal["", "data", "undocumented"]
EntryKind = Literal["new", "signature", "deprecated", "removed", "renamed", "moved", "default"]
ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
DRAWN = 60
_NAME = re.compile(r"([\w.]+)(?:\((\w+)\))?")
_GONE: tuple[RetirementKind, ...] = ("removed", "renamed", "moved")
_RETIRED: dict[EntryKind, tuple[RetirementKind, ...]] = {
    "deprecated": ("deprecated",),
    "removed": _GONE,
    "renamed": _GONE,
    "moved": _GONE,
    "default": ("default changed",),
    "signature": ("removed", "renamed", "default changed"),
}


class Entry(Record):
    """One entry of a project's own list that names an API or a parameter.

    `names` are full dotted paths, `module.f(parameter)` for a parameter; ` or ` stands between paths to the same
    object. `entry` says it in the words of who read it. `source` is the file and line, else the page. `cause` says why
    discovery does not find it, where it does not. `apart` is why an entry is counted by itself: it speaks of data
    (constants, settings, attributes: discovery is of what can be called), or the list itself says `undocumented`.
    """

    library: str
    old_version: str
    new_version: str
    kind: EntryKind
    names: tuple[str, ...]
    entry: str
    source: str
    cause: str = ""
    apart: Apart = ""


class Outcome(Entry):
    """An entry with what discovery made of it.

    It is `found` where all its names are; `seen` has the candidates and former names that these are, `missing` the
    names that nothing is. `rank` is the best place of a candidate in the order of importance, from 1.
    """

    found: bool
    seen: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    rank: int | None = None


class Target(NamedTuple):
    """One path that an entry names, and the parameter if it speaks of one."""

    path: str
    parameter: str | None


def targets(name: str) -> list[Target]:
    """The paths of one name of an entry.

    Raises:
        ValueError: when `name` is not of the form that `Entry` describes.
    """
    found: list[Target] = []
    for path in name.split(" or "):
        match = _NAME.fullmatch(path.strip())
        if match is None:
            raise ValueError(f"{name!r} names no API; write module.f or module.f(parameter)")
        found.append(Target(match[1], match[2]))
    return found


def drawn(entries: Sequence[Entry]) -> list[Entry]:
    """At most `DRAWN` entries of each library, by hash, in the order of the list."""
    kept: list[Entry] = []
    for library in dict.fromkeys(entry.library for entry in entries):
        own = [entry for entry in entries if entry.library == library]
        chosen = sorted(own, key=lambda entry: content_hash([entry.library, entry.source, list(entry.names)]))[:DRAWN]
        kept += [entry for entry in own if entry in chosen]
    return kept


def same_object(one: str, other: str) -> bool:
    """Check that two dotted paths can be of one object: the same last names, in packages of which one holds the other.

    The last names begin with the first that has a capital letter, so `lib.C.m` and `lib.a.C.m` can be, and `lib.m` and
    `lib.C.m` cannot.
    """
    (modules, names), (other_modules, other_names) = _parts(one), _parts(other)
    short, long = sorted((modules, other_modules), key=len)
    return names == other_names and long[: len(short)] == short


def _parts(path: str) -> tuple[list[str], list[str]]:
    segments = path.split(".")
    first = next((place for place, name in enumerate(segments) if name[:1].isupper()), len(segments) - 1)
    return segments[:first], segments[first:]


class Register:
    """The candidates of a discovery in the order of importance, and what it says was taken away."""

    def __init__(self, discovery: Discovery) -> None:
        self.ranked = in_rank_order(discovery.candidates)
        self._retired = discovery.retired

    def outcome(self, entry: Entry) -> Outcome:
        """The outcome of `entry` in the discovery."""
        seen: dict[str, None] = {}
        ranks: list[int] = []
        missing: list[str] = []
        for name in entry.names:
            places = [place for target in targets(name) for place in self.candidates_of(target, entry.kind)]
            former = [_label(one) for target in targets(name) for one in self._taken_away(target, entry.kind)]
            labels = [self.ranked[place].api_name for place in places] + former
            seen |= dict.fromkeys(labels)
            ranks += places
            missing += [] if labels else [name]
        known = entry.model_dump() | {"cause": entry.cause if missing else ""}
        rank = min(ranks) + 1 if ranks else None
        return Outcome.model_validate(
            {**known, "found": not missing, "seen": tuple(seen), "missing": tuple(missing), "rank": rank}
        )

    def candidates_of(self, target: Target, kind: EntryKind) -> list[int]:
        """Places in `ranked` of the candidates that are what an entry of that kind says of `target`."""
        return [place for place, one in enumerate(self.ranked) if _is_said(one, target, kind)]

    def _taken_away(self, target: Target, kind: EntryKind) -> Iterator[Retirement]:
        kinds = _RETIRED.get(kind, ())
        for one in self._retired:
            is_inside = one.api_kind in ("module", "class") and f"{target.path}.".startswith(f"{one.old_name}.")
            is_module_of = kind in ("moved", "removed") and one.old_name.startswith(f"{target.path}.")
            is_same = same_object(one.old_name, target.path) and one.parameter == target.parameter
            if one.kind in kinds and (is_same or (target.parameter is None and (is_inside or is_module_of))):
                yield one


def _is_said(candidate: Candidate, target: Target, kind: EntryKind) -> bool:
    names = [candidate.api_name, *([candidate.old_api_name] if candidate.old_api_name else [])]
    if kind == "deprecated" or not any(same_object(name, target.path) for name in names):
        return False
    if target.parameter is None:
        return candidate.change == "moved" or kind not in ("moved", "renamed", "removed")
    if candidate.change == "added":
        return kind != "removed" and any(one.name == target.parameter for one in candidate.parameters)
    wanted = {"removed": ("parameter removed", "parameter renamed"), "default": ("default changed",)}.get(kind)
    return any(
        target.parameter in (change.parameter, change.old) and (wanted is None or change.what in wanted)
        for change in candidate.changes
    )


def _label(one: Retirement) -> str:
    return f"{one.old_name}({one.parameter})" if one.parameter else one.old_name
