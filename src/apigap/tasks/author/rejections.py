"""Counts of why tries of a model as author were rejected, by kind of reason."""

import re
from collections import Counter
from collections.abc import Iterable

_TRY = re.compile(r"\w+, try \d+: (?:no other inputs could be found for it: )?(?P<reason>.*)", re.DOTALL)
_DETAIL = re.compile(r" in scenario .*|[:;,] .*", re.DOTALL)
_OWN = re.compile(r"`[^`]*`")
_NUMBER = re.compile(r"\d+")


def rejected_tries(reasons: Iterable[str]) -> dict[str, int]:
    """The number of rejected tries by kind, the commonest first; numbers are N, quoted code is left out.

    `reasons` are those of the log of stage 3: the ones that are of no try are passed over.
    """
    kinds = Counter(_kind(match["reason"]) for reason in reasons if (match := _TRY.match(reason)))
    return dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))


def _kind(reason: str) -> str:
    return _NUMBER.sub("N", _DETAIL.sub("", _OWN.sub("a line", reason)))
