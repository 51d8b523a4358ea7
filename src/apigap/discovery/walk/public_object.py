"""Objects that the walk has met, each with all the public paths that lead to it."""

from __future__ import annotations

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
        """The best path: with evidence, under the object's own name, short; without any, where the code is."""
        if len(self.paths) == 1:
            return next(iter(self.paths))
        own = getattr(self.value, "__name__", None)
        home = None if self.evident else home_of(self.value)

        def rank(path: str) -> tuple[bool, bool, bool, int, int, str]:
            module, _, leaf = path.rpartition(".")
            unmarked, elsewhere = self.paths[path] is None, home is not None and module != home
            return (unmarked, leaf != own, elsewhere, path.count("."), len(path), path)

        return min(self.paths, key=rank)
