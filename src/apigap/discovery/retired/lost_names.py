"""The names of an old surface that the new one has no more: of what is gone, and of what has another name now."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from apigap.discovery.diff import Finding
from apigap.discovery.surface import Entry, Surface
from apigap.records.retired import RetiredKind


class LostName(NamedTuple):
    """A public name of the old release; `now` is where the new one has the same object, None where it has not."""

    path: str
    kind: RetiredKind
    entry: Entry | None = None
    now: str | None = None


class Shown(NamedTuple):
    """Answers on a path of the old release: do its documents and programs write it, does an `__all__` list it?"""

    written: Callable[[str], bool]
    listed: Callable[[str], bool]


def lost_names(old: Surface, new: Surface, findings: Sequence[Finding], shown: Shown) -> list[LostName]:
    """The lost names by path: modules, what was removed, former paths, and data of the top-level packages.

    Members of a class that is itself lost are told by it. Of further paths to one object, and of data, those count
    that the library marks as public and that its own documents and programs write.
    """
    written = shown.written
    found: dict[str, LostName] = {}
    lost_data = (lost for lost in _data(old, new) if written(lost.path))
    modules = (lost for lost in _modules(old, new) if written(lost.path))
    for lost in (*modules, *_removed(findings), *_former_paths(new, findings, shown), *lost_data):
        found.setdefault(lost.path, lost)
    classes = {lost.path for lost in found.values() if lost.kind == "class"}
    kept = (lost for lost in found.values() if lost.path.rpartition(".")[0] not in classes)
    return sorted(kept, key=lambda lost: lost.path)


def _removed(findings: Sequence[Finding]) -> Iterator[LostName]:
    for finding in findings:
        entry = finding.entry
        if finding.verdict == "removed" and _was_seen(entry):
            yield LostName(entry.name, entry.kind, entry)


def _was_seen(entry: Entry) -> bool:
    """Check that the old release was seen to have it; what its text alone has may never have been there."""
    return "runtime" in entry.sources or (entry.sources == ("griffe",) and not entry.owner)


def _modules(old: Surface, new: Surface) -> Iterator[LostName]:
    """Modules that are no more, the outermost alone."""
    there = {*new.modules, *new.failures, *new.variables}
    gone = {module for module in old.modules if module not in there}
    yield from (LostName(module, "module") for module in gone if module.rpartition(".")[0] not in gone)


def _former_paths(new: Surface, findings: Sequence[Finding], shown: Shown) -> Iterator[LostName]:
    """Paths of the old release to what the new one has elsewhere."""
    there = {path for entry in new.entries for path in entry.paths} | set(new.variables)
    for finding in findings:
        former = finding.former
        if former is None or finding.verdict in ("removed", "told by its class"):
            continue
        entry = former.entry
        for path in _marked_paths(entry):
            if (
                (_is_best(path, entry) or shown.written(path) or _is_second_name(path, entry, shown))
                and path not in there
                and _same_owner(path, finding.entry, former.path)
            ):
                now = _path_now(path, finding.entry) if _is_its_place(finding.entry) else None
                yield LostName(path, entry.kind, entry, now)


def _is_best(path: str, entry: Entry) -> bool:
    """Check for the best name of an object, which is not only one of those that modules happen to import."""
    is_marked = any(evidence.kind != "docstring" for evidence in entry.evidence)
    return path == entry.name and (is_marked or entry.owner is not None or entry.import_module == entry.defined_in)


def _is_second_name(path: str, entry: Entry, shown: Shown) -> bool:
    """Check for a name of its own, not only another module, that an `__all__` has."""
    return entry.owner is None and path.rpartition(".")[2] != entry.leaf and shown.listed(path)


def _path_now(path: str, entry: Entry) -> str:
    """The path of an object that has the last name of `path` still; else the one that it is best known by."""
    leaf = path.rpartition(".")[2]
    alike = [other for other in entry.paths if other.rpartition(".")[2] == leaf]
    return entry.name if entry.leaf == leaf or not alike else min(alike, key=lambda other: (other.count("."), other))


def _is_its_place(entry: Entry) -> bool:
    """Check that an object is where something marks it as public or where its code is, not where it is imported.

    Programs that use it may do so under another path.
    """
    is_marked = any(evidence.kind not in ("used", "docstring") for evidence in entry.evidence)
    return is_marked or entry.owner is not None or entry.import_module == entry.defined_in


def _same_owner(path: str, entry: Entry, former: str) -> bool:
    """Of a member only a name of its own counts: where its class went is told by the class."""
    return entry.owner is None or (path == former and path.rpartition(".")[2] != entry.leaf)


def _marked_paths(entry: Entry) -> list[str]:
    """The paths by which the library itself shows the object: its best one, and those that a package exports."""
    modules = {evidence.where for evidence in entry.evidence if evidence.kind in ("__all__", "re-export")}
    return [path for path in entry.paths if path == entry.name or path.rpartition(".")[0] in modules]


def _data(old: Surface, new: Surface) -> Iterator[LostName]:
    """Constants and other data of the top-level packages."""
    there = {*new.variables, *new.modules, *(path for entry in new.entries for path in entry.paths)}
    for path in old.variables:
        if path.count(".") == 1 and path not in there:
            yield LostName(path, "data")
