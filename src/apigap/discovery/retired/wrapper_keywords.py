"""Keywords that a decorator of the old release took, with a warning, and that the new release takes no more."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from apigap.discovery.diff import Finding
from apigap.discovery.old_surface import OldApi
from apigap.discovery.retired.decorators import Told
from apigap.discovery.surface import Entry

Tells = Callable[[Entry], Iterable[Told]]


class LostKeyword(NamedTuple):
    """A keyword that no signature shows: what the old release's decorator said of it, and the API as it was and is."""

    finding: Finding
    former: OldApi
    told: Told


def lost_keywords(old: Tells, new: Tells, findings: Sequence[Finding]) -> Iterator[LostKeyword]:
    """Keywords of the old release's decorators that are no parameters, then or now, and of which the new one's
    decorators do not say that they are deprecated. `old` and `new` give what each release's source says of an entry.

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
        shown |= {one.parameter for one in new(finding.entry) if one.parameter}
        for told in old(former.entry):
            if told.kind == "decorator" and told.parameter and told.parameter not in shown:
                yield LostKeyword(finding, former, told)
