"""Why a run ends before all is there that was ordered."""

from typing import NamedTuple


class Ending(NamedTuple):
    """`why`, and what a person can do about it: `remedy` is a sentence of its own, without its full stop."""

    why: str
    remedy: str


OTHER_MODEL = (
    "its answers are kept, so the same command ends the same way; another model (--model) or --seed needs another --out"
)
