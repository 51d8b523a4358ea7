"""What a library gained, changed or moved between two surfaces. A pure function of the two."""

from typing import Literal, NamedTuple

from apigap.discovery.changes import changes_between
from apigap.discovery.former import Former, FormerSurface, Hidden
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Candidate, Change, ChangeKind

Verdict = Literal["added", "modified", "moved", "unchanged", "deprecated", "without evidence", "unknown before"]


class Finding(NamedTuple):
    """What became of one entry of the new version; `former` is what it was."""

    entry: Entry
    verdict: Verdict
    former: Former | None = None
    changes: tuple[Change, ...] = ()


def diff(old: Surface, new: Surface, library: str, old_version: str | None, new_version: str) -> list[Candidate]:
    """The candidates of `new` against `old`, sorted by name.

    Added: under no public path before, not inherited, not moved, its home readable in the old version.
    Modified: its parameters differ (annotations do not count). Moved: the same API under another path.
    Deprecated APIs, and those that nothing marks as public, are no candidates.
    """
    return candidates_of(classify(old, new), library, old_version, new_version)


def classify(old: Surface, new: Surface) -> list[Finding]:
    """The finding for every entry of `new`."""
    former = FormerSurface(old, new)
    deprecated = {entry.name for entry in new.entries if entry.deprecated}
    # classes first: where a class went decides where its methods are looked for
    ordered = sorted(new.entries, key=lambda entry: (entry.kind != "class", entry.name))
    return [_finding(entry, former.find(entry), entry.deprecated or entry.owner in deprecated) for entry in ordered]


def candidates_of(findings: list[Finding], library: str, old_version: str | None, new_version: str) -> list[Candidate]:
    """The findings that are candidates, as records sorted by name."""
    found = [
        _candidate(finding, finding.verdict, library, old_version, new_version)
        for finding in findings
        if finding.verdict in ("added", "modified", "moved")
    ]
    return sorted(found, key=lambda candidate: candidate.api_name)


def _finding(entry: Entry, former: Former | Hidden | None, deprecated: bool) -> Finding:
    if deprecated:
        return Finding(entry, "deprecated")
    if not entry.evidence:
        return Finding(entry, "without evidence")
    if former is None:
        return Finding(entry, "added")
    if former == "hidden":
        return Finding(entry, "unknown before")
    changes = changes_between(former.entry, entry)
    if changes:
        return Finding(entry, "modified", former, changes)
    return Finding(entry, "unchanged" if former.path == entry.name else "moved", former)


def _candidate(
    finding: Finding, change: ChangeKind, library: str, old_version: str | None, new_version: str
) -> Candidate:
    entry, former = finding.entry, finding.former
    # a changed API goes by the path that both versions have, where there is one
    shared = change == "modified" and former is not None and former.path in entry.paths
    name = former.path if shared and former else entry.name
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
        changes=finding.changes,
        old_signature=former.entry.signature if former else None,
        old_api_name=former.path if former and former.path != name else None,
        defined_in=entry.defined_in,
        import_module=(name.rpartition(".")[0] if entry.owner else name).rpartition(".")[0],
        sources=entry.sources,
    )
