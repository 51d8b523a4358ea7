"""Keywords that no signature showed: a decorator of the old release took them, or its code out of `**kwargs`, with a
warning; the new release takes them no more.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apigap.discovery.diff import Finding
from apigap.discovery.old_surface import OldApi
from apigap.discovery.retired.decorators import Told
from apigap.discovery.retired.parameter_changes import takes_any_keyword
from apigap.discovery.retired.release import Release


class LostKeyword(NamedTuple):
    """A keyword that no signature shows: what the old release said of it, and the API as it was and is."""

    finding: Finding
    former: OldApi
    told: Told


def lost_keywords(old: Release, new: Release, findings: Sequence[Finding]) -> Iterator[LostKeyword]:
    """Keywords of which the old release's source warns, that are no parameters, then or now, and of which the new one's
    does not say that they are deprecated.

    A function that takes any keyword by itself may take it still: it must have done so before, and the keyword must be
    written in its code no more.
    """
    for finding in findings:
        former, entry = finding.former, finding.entry
        if former is None or finding.verdict == "removed" or not entry.evidence:
            continue
        shown = {parameter.name for parameter in (*(former.entry.parameters or ()), *(entry.parameters or ()))}
        shown |= {one.parameter for one in new.told(entry) if one.parameter}
        told = {one.parameter: one for one in reversed(old.told(former.entry)) if one.parameter}
        for name in sorted(told.keys() - shown):
            if not takes_any_keyword(entry) or (
                takes_any_keyword(former.entry) and not new.mentions(entry, name) and not new.passes_on(entry, name)
            ):
                yield LostKeyword(finding, former, told[name])
