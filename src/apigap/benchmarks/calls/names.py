"""The names of functions as providers take them, and the functions that names in answers mean."""

import re
from collections.abc import Iterable

_STRANGE = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64


def provider_name(name: str) -> str:
    """A name as providers take it (`[A-Za-z0-9_-]{1,64}`): points and all other signs are underscores."""
    return _STRANGE.sub("_", name)[:_LONGEST]


class Names:
    """The functions of one query, by each name that an answer may call them."""

    def __init__(self, offered: Iterable[str]) -> None:
        names = list(offered)
        self._known = set(names)
        self._given = [provider_name(name) for name in names]
        self._meant = dict(zip(self._given, names, strict=True))

    @property
    def spellings(self) -> frozenset[str]:
        """The names, and the providers' forms of them."""
        return frozenset(self._known) | self._meant.keys()

    def meant(self, name: str) -> str:
        """The function that a name means: itself, or the only one that providers call so; else the name as it is."""
        return name if name in self._known or self._given.count(name) != 1 else self._meant[name]
