"""The name that users write, where a distribution shows the same API in several top-level packages.

It is the one that the documentation describes, else the one in the package that bears the distribution's name:
`attrs.define` rather than `attr.define`, which has fewer letters.
"""

from collections.abc import Container

from packaging.utils import canonicalize_name

from apigap.discovery.surface import Entry, Surface


def with_written_names(surface: Surface, described: Container[str], distribution: str) -> Surface:
    """`surface` with such names; the former ones stay among the `paths`. Ask before evidence of documents is added.

    `described` are the names that pages are about.
    """
    own = canonicalize_name(distribution).replace("-", "_")
    renamed = {
        entry.name: name
        for entry in surface.entries
        if entry.owner is None and (name := _written(entry, described, own)) != entry.name
    }
    if not renamed:
        return surface
    entries = [_renamed(entry, renamed) for entry in surface.entries]
    return surface.model_copy(update={"entries": tuple(sorted(entries, key=lambda entry: entry.name))})


def _written(entry: Entry, described: Container[str], own: str) -> str:
    """The best of the paths that the library marks as public in other packages, else the name that it has."""
    marked = {evidence.where for evidence in entry.evidence}
    paths = [path for path in entry.paths if path.rpartition(".")[0] in marked]
    best: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (path.count("."), len(path), path)):
        best.setdefault(_top(path), path)
    best[_top(entry.name)] = entry.name
    return min(best.values(), key=lambda path: (path not in described, _top(path) != own, path != entry.name))


def _renamed(entry: Entry, renamed: dict[str, str]) -> Entry:
    owner = renamed.get(entry.owner or "")
    name = f"{owner}.{entry.leaf}" if owner else renamed.get(entry.name, entry.name)
    bases = tuple(renamed.get(base, base) for base in entry.bases)
    return entry.model_copy(update={"name": name, "paths": tuple(sorted({*entry.paths, name})), "bases": bases})


def _top(path: str) -> str:
    return path.partition(".")[0]
