"""Where a candidate is defined in its release: in source, or, for compiled code, in a stub."""

from collections.abc import Iterator

from apigap.knowledge.sources import Located, Sources
from apigap.records.candidate import DATA_KINDS, Candidate

MEMBERS = frozenset(("method", "classmethod", "staticmethod", "property", *DATA_KINDS))


def located(candidate: Candidate, sources: Sources) -> Located | None:
    """The definition of `candidate`, of a field or an enum member that of its class; None where only a binary has it.

    Source comes before stubs, the module that holds the code before the one that callers import.
    """
    for stub in (False, True):
        for module, path in _places(candidate):
            found = sources.find(module, path, stub)
            if found is not None:
                return found
    return None


def _places(candidate: Candidate) -> Iterator[tuple[str, tuple[str, ...]]]:
    public = candidate.api_name.removeprefix(f"{candidate.import_module}.").split(".")
    names = candidate.api_name.split(".")
    if candidate.kind in DATA_KINDS:
        public, names = public[:-1], names[:-1]
    least = 2 if candidate.kind in MEMBERS - DATA_KINDS else 1
    if candidate.defined_in:
        yield candidate.defined_in, tuple(names[-least:])
        if len(public) > least:
            yield candidate.defined_in, tuple(public)
    yield candidate.import_module, tuple(public)
