"""Names that users give: what to say of one that nothing has, and which can stand in a path."""

import difflib
from collections.abc import Iterable, Sequence

from apigap.records.errors import UsageError


def did_you_mean(name: str, known: Iterable[str], otherwise: str, *, cutoff: float = 0.5) -> str:
    """The three `known` names most like `name` as a question, or `otherwise` where none is like it.

    Capitals, `-`, `_` and blanks are all one. `cutoff` is the ratio of `difflib` from which names are alike, in 0..1.
    """
    written = {_folded(each): each for each in known}
    near = difflib.get_close_matches(_folded(name), written, n=3, cutoff=cutoff)
    return f"did you mean {' or '.join(written[each] for each in near)}?" if near else otherwise


def first_of(names: Sequence[str], most: int = 5) -> str:
    """At most `most` of the names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def path_part(name: str, what: str) -> str:
    """`name` where it can stand as one folder or file of a path; `what` is what it names, such as `an experiment`.

    Raises:
        UsageError: for a name that is empty, leads elsewhere (`..`, `/`), is hidden, or holds a control character.
    """
    if not name or name.startswith(".") or any(sign in "/\\" or not sign.isprintable() for sign in name):
        raise UsageError(f"{name!r} is no name for {what}: it is part of a path, so give it no / and no dot in front")

    return name


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
