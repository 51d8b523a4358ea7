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


def faults_of_sets(
    expected: Iterable[str], chosen: Iterable[str], *, invented: Iterable[str] = (), unplaced: Iterable[str] = ()
) -> tuple[CallFault, ...]:
    """The faults of a choice of APIs by name: `chosen` against `expected`, as sets.

    `invented` are chosen names that nobody offered; `unplaced` are chosen names that leave open which of several
    offered APIs is meant. One too many beside one too few is another API; what is left over is missed or superfluous.
    """
    want, have, strange, unclear = set(expected), set(chosen), set(invented), set(unplaced)
    missed, wrong, others = len(want - have), len(have - want), len(have - want - strange - unclear)
    seen: dict[CallFault, bool] = {
        "hallucinated API": bool(strange),
        "wrong format": bool(unclear),
        "wrong API": bool(missed and others),
        "missed call": missed > wrong,  # each wrong one stands in the place of one that is missed
        "superfluous call": others > missed,
    }
    return by_gravity(fault for fault, is_there in seen.items() if is_there)
