"""The faults of a call, or of a row of calls, by name: one list for all benchmarks of tool use.

docs/taxonomy.md says what each means. A verdict never depends on it: it says why, not whether.
"""

from collections.abc import Iterable
from typing import Literal, get_args

CallFault = Literal[
    "no call",
    "wrong format",
    "hallucinated API",
    "search not asked",
    "search asked wrongly",
    "wrong choice after search",
    "wrong API",
    "missing argument",
    "unknown argument",
    "wrong type",
    "wrong value",
    "missed call",
    "wrong order",
    "superfluous call",
]
CALL_FAULTS: tuple[CallFault, ...] = get_args(CallFault)
"""All faults, the gravest first: of those that apply the first is *the* fault."""


def by_gravity(faults: Iterable[CallFault]) -> tuple[CallFault, ...]:
    """Faults, each once, the gravest first."""
    return tuple(sorted(set(faults), key=CALL_FAULTS.index))
