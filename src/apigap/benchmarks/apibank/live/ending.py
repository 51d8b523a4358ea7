"""The verdict on a dialogue that has come to its end: whether its goal is reached, and by which faults it is not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from apigap.benchmarks.apibank.errors import INVALID_ARGUMENT, MISSING_ARGUMENT, Refused
from apigap.benchmarks.apibank.judge import EVALUATOR as CALLS
from apigap.benchmarks.apibank.live.goals import NOTES
from apigap.benchmarks.apibank.live.play import Effect, Made, Play
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER
from apigap.benchmarks.call_faults import CallFault, by_gravity
from apigap.records.base import Record, content_hash
from apigap.records.manifest import file_hash
from apigap.records.sources import CodeIdentity

_CODE = CodeIdentity((__name__,), CALLS.without)
MOST_TOLD = 10


@cache
def evaluator() -> str:
    """Sixteen hex digits over what decides: the code, and the notes on recordings."""
    return content_hash([_CODE.digest, file_hash(NOTES)])


class Ending(Record):
    """The end of a dialogue.

    It has `reached` its goal where no row differs and, where the goal is the state of the start, all was looked up that
    the recording looks up. `faults` are empty then, the gravest first otherwise. `away` tells rows that differ, at most
    `MOST_TOLD` of the `rows_away`. `superfluous` calls changed nothing, `harmful` ones led away from the goal: neither
    are recorded, and they are counted by API in a dialogue that reaches its goal too.
    """

    reached: bool
    faults: tuple[CallFault, ...]
    rows_away: int
    away: tuple[str, ...]
    not_looked_up: tuple[str, ...]
    superfluous: dict[str, int]
    harmful: dict[str, int]

    def __str__(self) -> str:
        """One line for people."""
        if self.reached:
            return "the goal is reached"
        lacking = [f"not looked up: {', '.join(self.not_looked_up)}"] if self.not_looked_up else []
        more = self.rows_away - len(self.away)
        rest = [f"and {more} more rows"] if more else []
        return "; ".join([", ".join(self.faults), *self.away, *rest, *lacking])


def ending_of(play: Play, tried: bool = False) -> Ending:
    """The end of `play`; `tried` tells that an answer had what was meant as a call, and could not be read."""
    goal = play.goal
    lookups = () if goal is None or goal.changes else play.not_looked_up
    reached = not play.away and not lookups
    return Ending(
        reached=reached,
        faults=() if reached else by_gravity(_faults(play, tried)),
        rows_away=len(play.away),
        away=tuple(map(str, play.away[:MOST_TOLD])),
        not_looked_up=lookups,
        superfluous=_counted(play, "superfluous"),
        harmful=_counted(play, "harmful"),
    )


def _counted(play: Play, effect: Effect) -> dict[str, int]:
    return dict(sorted(Counter(made.asked.name for made in play.calls if made.effect == effect).items()))


def _faults(play: Play, tried: bool) -> Iterator[CallFault]:
    if not play.calls:
        yield "wrong format" if tried else "no call"
        return
    for number, made in enumerate(play.calls):
        if made.effect != "recorded":
            yield _fault(play, made, play.calls[:number])
            if made.refused is not None and made.asked.name == SEARCHER:
                yield _of_refusal(made.refused)
    if play.not_looked_up:
        yield "missed call"
    elif play.away and not any(made.effect == "harmful" for made in play.calls):
        yield "wrong order"


def _fault(play: Play, made: Made, earlier: Sequence[Made]) -> CallFault:
    """The fault of a call that is no recorded one, after `earlier` ones."""
    searches = [one for one in earlier if one.asked.name == SEARCHER]
    if made.asked.name not in play.script.registry.apis:
        return "hallucinated API"
    if made.asked.name == SEARCHER:
        return "search asked wrongly" if made.was_wanted else "superfluous call"
    if not play.not_looked_up:
        return "superfluous call"
    if not made.offered:
        return "search not asked" if SEARCHER in play.offered and not searches else "hallucinated API"
    if made.refused is not None:
        return _of_refusal(made.refused)
    if made.was_wanted:
        return "wrong value"
    found = any(one.effect == "recorded" for one in searches)
    return "wrong choice after search" if found else "wrong API"


def _of_refusal(refused: Refused) -> CallFault:
    if refused.kind == MISSING_ARGUMENT:
        return "missing argument" if " missing " in refused.message else "wrong value"
    if refused.kind == INVALID_ARGUMENT and refused.message.startswith("invalid parameter name"):
        return "unknown argument"
    return "wrong type"
