"""One thing that is wrong with a call."""

from typing import NamedTuple

from apigap.benchmarks.call_faults import CallFault


class Finding(NamedTuple):
    """A fault, the place where it stands (`city`, `guests[1].name`; empty for the whole call) and a sentence on it."""

    fault: CallFault
    place: str
    told: str


_LONGEST = 120


def shown(value: object) -> str:
    """A value in a sentence, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
