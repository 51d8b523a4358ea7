"""Objects that the walk has met, each with all the public paths that lead to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .kinds import home_of


class PublicObject:
    """One object and the public paths that lead to it; `paths` maps each to its evidence or None."""

    def __init__(self, value: Any, kind: str, owner: type | None = None) -> None:
        self.value = value
        self.kind = kind
        self.owner = owner
        self.paths: dict[str, list[str] | None] = {}

    @property
    def evident(self) -> bool:
        """True when the library marks any path as public."""
        return any(self.paths.values())

    @property
    def module(self) -> str:
        """The module of the best path, as the walk reached it."""
        path = self.canonical().rpartition(".")[0]
        return path.rpartition(".")[0] if self.owner else path

    def canonical(self) -> str:
        """The best of its paths."""
        if len(self.paths) == 1:
            return next(iter(self.paths))
        own = getattr(self.value, "__name__", None)
        return best_path(self.paths, own, None if self.evident else home_of(self.value))


def best_path(paths: Mapping[str, object], own_name: str | None, home: str | None) -> str:
    """The path that is marked as public, ends in the object's own name, lies in its `home`, and is short."""

    def rank(path: str) -> tuple[bool, bool, bool, int, int, str]:
        module, _, leaf = path.rpartition(".")
        elsewhere = home is not None and module != home
        return (paths[path] is None, leaf != own_name, elsewhere, path.count("."), len(path), path)

    return min(paths, key=rank)
