"""A second opinion on discovery: the versions that a library's own texts name, beside what the comparison found."""

from typing import Literal

from apigap.records.candidate import Candidate


def second_evidence(candidate: Candidate) -> Literal["agrees", "silent", "contradicts"]:
    """The agreement of what the library writes about its versions with the finding: new, changed or moved.

    It contradicts where it speaks of an added API, or of an added parameter, as one of the old version.
    """
    added_api = candidate.change == "added"
    changed = {change.parameter for change in candidate.changes}
    relevant = [m for m in candidate.mentions if added_api or m.parameter is None or m.parameter in changed]
    if any(mention.in_series for mention in relevant):
        return "agrees"
    added = {change.parameter for change in candidate.changes if change.what == "parameter added"}
    earlier = [mention for mention in relevant if mention.kind in ("versionadded", "versionchanged")]
    return "contradicts" if any(added_api or mention.parameter in added for mention in earlier) else "silent"
