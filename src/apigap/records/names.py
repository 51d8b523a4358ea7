"""What to say of a name that nothing has."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], otherwise: str, *, cutoff: float = 0.5) -> str:
    """The three `known` names most like `name` as a question, or `otherwise` where none is like it.

    Capitals, `-`, `_` and blanks are all one. `cutoff` is the ratio of `difflib` from which names are alike, in 0..1.
    """
    written = {_folded(each): each for each in known}
    near = difflib.get_close_matches(_folded(name), written, n=3, cutoff=cutoff)
    return f"did you mean {' or '.join(written[each] for each in near)}?" if near else otherwise


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
