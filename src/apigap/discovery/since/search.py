"""A search for where something begins in a series of which every place is dear to look at: pure, numbers only."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

Answer = Literal["absent", "present", "unknown"]


class Beginning(NamedTuple):
    """The first place that is not known to lack the thing, nor to come before one that does.

    It is `exact` where the thing is seen there, is seen to be missing at the place before, and is missing nowhere
    after that has been looked at.
    """

    place: int
    exact: bool


def beginnings(things: int, places: int, look: Callable[[int], Sequence[Answer]]) -> list[Beginning]:
    """The beginning of each of `things` (0, 1, ...) among `places`, by halving; all have begun at the last place.

    `look` tells of every thing at once what one place has, and is called at most once per place. Around each beginning
    two places before it and one after it are looked at too: what comes, goes and comes again shows there.
    """
    seen: dict[int, Sequence[Answer]] = {}
    while wanted := Counter(place for thing in range(things) for place in _wanted(thing, places, seen)):
        place = min(wanted, key=lambda place: (-wanted[place], place))
        seen[place] = look(place)
    return [_beginning(thing, places, seen) for thing in range(things)]


def _wanted(thing: int, places: int, seen: Mapping[int, Sequence[Answer]]) -> list[int]:
    """The places still to be looked at: the middle of what is left, and at its end the neighbours."""
    low, first = _bounds(thing, places, seen)
    if first - low > 1:
        return [(low + first) // 2]
    return [place for place in range(max(0, first - 2), min(places, first + 2)) if place not in seen]


def _bounds(thing: int, places: int, seen: Mapping[int, Sequence[Answer]]) -> tuple[int, int]:
    """The last place that is known to lack the thing before any that has it, and the first after it that may have it.

    -1 lies before all. Places before one that lacks it lack it too, whatever is known of them.
    """
    has = min((place for place, answers in seen.items() if answers[thing] == "present"), default=places - 1)
    low = max((place for place, answers in seen.items() if place < has and answers[thing] == "absent"), default=-1)
    return low, min(
        (place for place, answers in seen.items() if low < place and answers[thing] != "absent"), default=has
    )


def _beginning(thing: int, places: int, seen: Mapping[int, Sequence[Answer]]) -> Beginning:
    first = _bounds(thing, places, seen)[1]
    goes = any(place >= first and answers[thing] == "absent" for place, answers in seen.items())
    return Beginning(first, exact=seen[first][thing] == "present" and not goes)
