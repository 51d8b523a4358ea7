"""Keywords that a decorator of the old release took, with a warning, and that the new release takes no more."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from apigap.discovery.diff import Finding
from apigap.discovery.old_surface import OldApi
from apigap.discovery.retired.decorators import Told

if TYPE_CHECKING:
    from apigap.discovery.retired.retire import Release


class LostKeyword(NamedTuple):
    """A keyword that no signature shows: what the old release's decorator said of it, and the API as it was and is."""

    finding: Finding
    former: OldApi
    told: Told


def lost_keywords(old: "Release", new: "Release", findings: Sequence[Finding]) -> Iterator[LostKeyword]:
    """Keywords of the old release's decorators that are no parameters, then or now, and of which the new one's
    decorators do not say that they are deprecated.

    A function that takes any keyword by itself may take it still, so it counts for nothing.
    """
    for finding in findings:
        former = finding.former
        if former is None or finding.verdict == "removed" or not finding.entry.evidence:
            continue
        parameters = (*(former.entry.parameters or ()), *(finding.entry.parameters or ()))
        if any(parameter.kind == "var_keyword" for parameter in parameters):
            continue
        shown = {parameter.name for parameter in parameters}
        shown |= {one.parameter for one in new.told(finding.entry) if one.parameter}
        for told in old.told(former.entry):
            if told.kind == "decorator" and told.parameter and told.parameter not in shown:
                yield LostKeyword(finding, former, told)
