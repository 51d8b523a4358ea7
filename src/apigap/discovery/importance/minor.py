"""Candidates that nobody has to be told of: warnings about versions, type variables, plumbing."""

import re
from collections.abc import Callable

from apigap.discovery.importance.signs import Subject, is_in_room, is_named, is_only_written

_OF_VERSIONS = re.compile(r"Deprecat|Removed|Since_?\d|Warning$|VersionError$|PendingDeprecation")
_TYPE_VARIABLE = re.compile(r"_?[A-Z]\d?$|_?[A-Z]\w*_(?:T|co|contra)$")


def minor_reason(subject: Subject) -> str:
    """The reason why the candidate is minor; empty where it is not.

    What the library itself announces is minor only where its name says that it is about versions or types.
    """
    named = next((reason for reason, applies in _BY_NAME.items() if applies(subject)), "")
    if named or is_named(subject):
        return named
    return next((reason for reason, applies in _UNLESS_NAMED.items() if applies(subject)), "")


def _is_of_versions(subject: Subject) -> bool:
    candidate = subject.candidate
    return candidate.kind == "class" and bool(_OF_VERSIONS.search(candidate.leaf))


def _is_type_variable(subject: Subject) -> bool:
    candidate = subject.candidate
    is_bare = candidate.kind == "class" and not candidate.parameters
    return is_bare and bool(_TYPE_VARIABLE.match(candidate.leaf))


def _has_moved_along(subject: Subject) -> bool:
    """A member is where its class is."""
    return subject.candidate.change == "moved" and subject.entry.owner is not None


_BY_NAME: dict[str, Callable[[Subject], bool]] = {
    "a warning or error about versions": _is_of_versions,
    "a type variable": _is_type_variable,
    "a private name": lambda subject: any(part.startswith("_") for part in subject.candidate.api_name.split(".")),
}
_UNLESS_NAMED: dict[str, Callable[[Subject], bool]] = {
    "overrides a member of a base class": lambda subject: bool(subject.sources.overridden(subject.entry)),
    "lies among the library's own machinery": is_in_room,
    "moved along with its class": _has_moved_along,
    "is only written differently": is_only_written,
}
