"""One library in several releases of one lock file: which of them code runs with here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.version import InvalidVersion, Version

from apigap.records.names import first_of
from apigap.records.parsing.json_shapes import is_list, is_object

_KEYS = ("resolution-markers", "markers", "marker")
"""The keys under which uv, poetry and pdm say where a release is taken, in this order."""


def chosen(packages: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], str]:
    """The newest release whose markers hold on this machine, and in words why; the newest of all where none do.

    `packages` are the entries of one library with their `version`, at least one; of a single one nothing is said.
    """
    newest_first = sorted(packages, key=_version, reverse=True)
    versions = list(dict.fromkeys(str(one["version"]) for one in newest_first))
    if len(versions) == 1:
        return newest_first[0], ""
    fitting = [one for one in newest_first if _holds(one)]
    taken = (fitting or newest_first)[0]
    many = len({one["version"] for one in fitting}) > 1
    why = "the newest whose markers hold here" if many else "its markers hold here" if fitting else "the newest"
    return taken, f"of {first_of(versions)} there: {why}"


def _holds(package: Mapping[str, Any]) -> bool:
    """True where a marker of the release holds on this machine, or none is given.

    Poetry writes a table by group where groups have different ones; one that it leaves out takes the release always.
    """
    by_group = package.get("markers")
    if is_object(by_group) and {*_texts(package.get("groups"))} - by_group.keys():
        return True
    markers = [marker for key in _KEYS for marker in _texts(package.get(key))]
    return not markers or any(map(_is_true, markers))


def _texts(value: Any) -> Iterator[str]:
    """The texts in what an entry says: a text, a list of texts, a table of them, or nothing."""
    for one in value if is_list(value) else value.values() if is_object(value) else [value]:
        if isinstance(one, str):
            yield one


def _is_true(marker: str) -> bool:
    try:
        return Marker(marker).evaluate()
    except (InvalidMarker, UndefinedComparison, UndefinedEnvironmentName, RecursionError):
        return False


def _version(package: Mapping[str, Any]) -> tuple[bool, Version]:
    """A key by which what is no version comes last."""
    try:
        return True, Version(str(package["version"]))
    except InvalidVersion:
        return False, Version("0")
