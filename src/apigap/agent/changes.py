"""The changes between two releases, a line for each: what was added, changed, moved, deprecated and removed."""

from apigap.discovery.diff import Finding, classify
from apigap.discovery.surface import Surface
from apigap.records.candidate import Change

_TOLD = ("added", "modified", "moved", "deprecated", "removed")
_LONGEST = 160


def change_lines(old: Surface, new: Surface) -> list[str]:
    """One line per change, by kind and name."""
    found = [finding for finding in classify(old, new) if finding.verdict in _TOLD]
    return [_line(one) for one in sorted(found, key=lambda one: (_TOLD.index(one.verdict), one.entry.name))]


def _line(finding: Finding) -> str:
    entry, former = finding.entry, finding.former
    if finding.verdict == "modified":
        return f"changed {entry.name}: {'; '.join(map(_change, finding.changes))}"[:_LONGEST]
    if finding.verdict == "moved" and former is not None:
        return f"moved {former.path} -> {entry.name}"
    signature = (entry.signature or "") if finding.verdict == "added" else ""
    return f"{finding.verdict} {entry.name}{signature} ({entry.kind})"[:_LONGEST]


def _change(change: Change) -> str:
    values = f": {change.old or 'none'} -> {change.new or 'none'}" if change.old or change.new else ""
    return f"{change.what} ({change.parameter}){values}"
