"""Comparison of two surfaces: the APIs that are added, changed, moved or removed. A pure function of the two."""

from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from apigap.discovery.changes import NOT_BY_ITSELF, changes_between
from apigap.discovery.old_surface import Hidden, OldApi, OldSurface
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import DATA_KINDS, Candidate, Change, ChangeKind

Verdict = Literal[
    "added", "modified", "moved", "unchanged", "deprecated", "deprecated before", "removed", "told by its class",
    "without evidence", "unknown before",
]  # fmt: skip


class Finding(NamedTuple):
    """The result for one entry; `former` is the matching API of the old version.

    Of a removed API, which has no entry in the new version, `entry` is the former one. An unchanged one may have
    `changes` that make no candidate by themselves (its return annotation).
    """

    entry: Entry
    verdict: Verdict
    former: OldApi | None = None
    changes: tuple[Change, ...] = ()


def classify(old: Surface, new: Surface) -> list[Finding]:
    """The finding for every entry of `new`, then for what public entries of `old` it has no more.

    Added: under no public path before, not inherited, not moved, its home readable in the old version.
    Modified: its parameters differ, or how it is called. Moved: the same API under another path. A field or an enum
    member counts only where its class is none that says so: not that of a new or moved class, and not one that the
    class's constructor gained as a parameter.
    """
    former = OldSurface(old, new)
    variables = frozenset(new.variables)
    deprecated = {entry.name for entry in new.entries if entry.deprecated}
    before = {entry.name for entry in old.entries if entry.deprecated}
    # classes first: where a class went decides where its methods are looked for
    found: dict[str, Finding] = {}
    for entry in _classes_first(new):
        is_deprecated = entry.deprecated or entry.owner in deprecated
        finding = _finding(entry, former.find(entry), is_deprecated, before, variables)
        found[entry.name] = _unless_implied(finding, found.get(entry.owner or ""))
    return [*found.values(), *_removed(old, new)]


def candidates_of(findings: list[Finding], library: str, old_version: str | None, new_version: str) -> list[Candidate]:
    """The findings that are candidates, as records sorted by name."""
    found = [
        _candidate(finding, finding.verdict, library, old_version, new_version)
        for finding in findings
        if finding.verdict in ("added", "modified", "moved")
    ]
    return sorted(found, key=lambda candidate: candidate.api_name)


def _classes_first(surface: Surface) -> list[Entry]:
    return sorted(surface.entries, key=lambda entry: (entry.kind != "class", entry.name))


def _finding(
    entry: Entry, former: OldApi | Hidden | None, is_deprecated: bool, before: set[str], variables: Collection[str]
) -> Finding:
    if not entry.evidence:
        return Finding(entry, "without evidence")
    if is_deprecated:
        was = isinstance(former, OldApi) and bool({former.entry.name, former.entry.owner} & before)
        return Finding(entry, "deprecated before" if was else "deprecated")
    if former is None:
        return Finding(entry, "added")
    if former == "hidden":
        return Finding(entry, "unknown before")
    changes = changes_between(former.entry, entry, variables)
    if any(change.what not in NOT_BY_ITSELF for change in changes):
        return Finding(entry, "modified", former, changes)
    return Finding(entry, "unchanged" if former.path == entry.name else "moved", former, changes)


def _unless_implied(finding: Finding, owner: Finding | None) -> Finding:
    """A field or enum member tells nothing new where its class is new, has moved, or takes it as a new parameter."""
    entry = finding.entry
    if entry.kind not in DATA_KINDS or finding.verdict not in ("added", "moved") or owner is None:
        return finding
    gained = {c.parameter for c in owner.changes if c.what in ("parameter added", "parameter renamed")}
    if finding.verdict == "moved" or owner.verdict == "added" or entry.leaf in gained:
        return finding._replace(verdict="told by its class")
    return finding


def second_names(old: Surface, new: Surface, listed: Callable[[str], bool]) -> list[Finding]:
    """New names for what the old version had under another, and still has: functions and classes that the `__all__` of
    a module has, as `listed` says of a path.
    """
    former = OldSurface(old, new)
    return [
        Finding(entry.model_copy(update={"name": path}), "moved", was)
        for entry in _classes_first(new)
        if entry.owner is None and not entry.deprecated
        for path in _offered(entry)
        if path.rpartition(".")[2] != entry.leaf and former.at(path) is None
        if isinstance(was := former.find(entry), OldApi) and was.path in entry.paths and listed(path)
    ]


def _offered(entry: Entry) -> list[str]:
    """The paths of an entry that an `__all__` lists."""
    modules = {evidence.where for evidence in entry.evidence if evidence.kind == "__all__"}
    return [path for path in entry.paths if path.rpartition(".")[0] in modules]


def entries_gone(old: Surface, new: Surface) -> list[Entry]:
    """Entries of the old version that are nowhere in the new one: not moved, not inherited, not hidden."""
    later = OldSurface(new, old, parameters_may_be_attributes=False)
    return [entry for entry in _classes_first(old) if later.find(entry) is None]


def _removed(old: Surface, new: Surface) -> list[Finding]:
    return [Finding(entry, "removed") for entry in entries_gone(old, new) if entry.evidence]


def is_marked(path: str, entry: Entry) -> bool:
    """Check that the library itself marks this path of `entry` as public; of a method, that of its class."""
    module = (path.rpartition(".")[0] if entry.owner else path).rpartition(".")[0]
    return path == entry.name or any(evidence.where == module for evidence in entry.evidence)


def _candidate(
    finding: Finding, change: ChangeKind, library: str, old_version: str | None, new_version: str
) -> Candidate:
    entry, former = finding.entry, finding.former
    # a changed API goes by a public path that both versions have, where there is one
    shared = change == "modified" and former is not None and former.path in entry.paths
    name = former.path if shared and former and is_marked(former.path, entry) else entry.name
    return Candidate(
        api_name=name,
        kind=entry.kind,
        library=library,
        old_version=old_version,
        new_version=new_version,
        change=change,
        signature=entry.signature,
        parameters=entry.parameters or (),
        return_type=entry.return_type,
        docstring=entry.docstring,
        evidence=entry.evidence,
        changes=finding.changes if change == "modified" else (),
        old_signature=former.entry.signature if former else None,
        old_api_name=former.path if former and former.path != name else None,
        defined_in=entry.defined_in,
        import_module=(name.rpartition(".")[0] if entry.owner else name).rpartition(".")[0],
        sources=entry.sources,
    )
