"""The weaker tier of evidence: an API's own docstring, where the stronger ones are missing.

They are missing where the source distribution brings fewer than `FEW_PAGES` pages of documentation and no inventory,
and most of what could be public has no other evidence. Public could be what has a docstring of its own and stands in
the module that defines it, which is neither private, nor of helpers (`testing` is for users' tests), nor a program.
"""

from apigap.discovery.evidence.documents import Documents
from apigap.discovery.surface import Entry, Surface
from apigap.discovery.walk import INTERNAL
from apigap.records.candidate import DATA_KINDS, Evidence

FEW_PAGES = 5
"""A README and a changelog or two say little of a library's APIs."""
_NOT_FOR_USERS = (INTERNAL - {"testing"}) | {"cli", "gui"}


def are_missing(surface: Surface, documents: Documents) -> bool:
    """Check that `surface`, with the evidence of `documents`, wants the weaker tier."""
    files = documents.files
    if files["inventory"] or files["documentation"] + files["docstrings"] >= FEW_PAGES:
        return False
    documented = _documented(surface)
    return 2 * sum(not entry.evidence for entry in surface.entries if entry.name in documented) > len(documented)


def with_docstrings(surface: Surface) -> Surface:
    """`surface` with the evidence `docstring` for the documented APIs that have no other."""
    documented = _documented(surface)
    entries = [
        entry.model_copy(update={"evidence": (Evidence(kind="docstring", where=entry.defined_in or ""),)})
        if entry.name in documented and not entry.evidence
        else entry
        for entry in surface.entries
    ]
    return surface.model_copy(update={"entries": tuple(entries)})


def _documented(surface: Surface) -> set[str]:
    """The names of what could be public; members only of such a class, of which fields need no words of their own."""
    free = {entry.name for entry in surface.entries if entry.owner is None and entry.docstring and _is_at_home(entry)}
    members = (entry for entry in surface.entries if entry.owner in free)
    return free | {entry.name for entry in members if entry.docstring or entry.kind in DATA_KINDS}


def _is_at_home(entry: Entry) -> bool:
    segments = entry.import_module.split(".")
    is_for_users = not any(segment in _NOT_FOR_USERS or segment.endswith(("util", "utils")) for segment in segments)
    return entry.defined_in == entry.import_module and is_for_users
