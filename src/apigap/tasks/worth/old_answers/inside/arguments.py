"""Lists of arguments to try: what the answer is given, in all orders and in part, by place and by keyword."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

MOST = 40
_PLACED = ("positional_only", "positional_or_keyword")
_SINGLES = ("True", "False", "None")


def argument_lists(
    atoms: Sequence[str], keywords: dict[str, str], parameters: Sequence[Any] | None
) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """At most 40 pairs (by place, by keyword) that `parameters` take, where these are known.

    `parameters` are (name, kind, whether it is required, default); `keywords` are those of the answer. An input that
    is called as a parameter is passed by keyword too. Those that come first are most like the answer.
    """
    named = dict(keywords)
    if parameters is not None:
        known = {one[0] for one in parameters if one[1] in ("positional_or_keyword", "keyword_only")}
        named.update({atom: atom for atom in atoms if atom in known and atom not in named})
        if not any(one[1] == "var_keyword" for one in parameters):
            named = {name: value for name, value in named.items() if name in known}
    found = (pair for chosen in _subsets(named) for pair in _placed(atoms, chosen))
    fit = (pair for pair in found if parameters is None or _fits(pair[0], pair[1], parameters))
    yield from itertools.islice(fit, MOST)


def flags(parameters: Sequence[Any] | None, given: dict[str, str], placed: int) -> list[tuple[str, str]]:
    """Switches of a function that are not given, turned over: at most four."""
    if parameters is None:
        return []
    free = [one for n, one in enumerate(parameters) if n >= placed and one[0] not in given and one[1] in _PLACED[1:]]
    free += [one for one in parameters if one[1] == "keyword_only" and one[0] not in given]
    return [(one[0], str(one[3] == "False")) for one in free if one[3] in ("True", "False")][:4]


def text_of(placed: Sequence[str], named: dict[str, str]) -> str:
    """The arguments as they are written."""
    return ", ".join((*placed, *(f"{name}={value}" for name, value in named.items())))


def _subsets(named: dict[str, str]) -> Iterator[dict[str, str]]:
    """All of the keywords, all but one, one, none."""
    names = list(named)
    sizes = dict.fromkeys((len(names), len(names) - 1, 1, 0))
    for size in (one for one in sizes if one >= 0):
        for chosen in itertools.combinations(names, size):
            yield {name: named[name] for name in chosen}


def _placed(atoms: Sequence[str], named: dict[str, str]) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """What is left of the atoms by place: all of them first, in their order, then in others, then fewer."""
    rest = [atom for atom in atoms if atom not in named.values() and atom not in _SINGLES]
    for size in range(len(rest), -1, -1):
        orders = itertools.permutations(rest, size) if size <= 3 else itertools.combinations(rest, size)
        for order in orders:
            yield order, named


def _fits(placed: Sequence[str], named: dict[str, str], parameters: Sequence[Any]) -> bool:
    """Check that a call binds: no name twice, nothing required left out, no more places than there are."""
    places = [one for one in parameters if one[1] in _PLACED]
    open_ended = any(one[1] == "var_positional" for one in parameters)
    if len(placed) > len(places) and not open_ended:
        return False
    taken = {one[0] for one in places[: len(placed)]}
    required = {one[0] for one in parameters if one[2] and one[1] not in ("var_positional", "var_keyword")}
    return not taken & named.keys() and required <= taken | named.keys()
