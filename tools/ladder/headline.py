"""The sentences of the README on the ladder, from the kept scores.

.venv/bin/python -m tools.ladder.headline
"""

from collections.abc import Sequence

from apigap.benchmarks.items.summary import gaps_of
from tools.ladder.make_study import SCORES
from tools.ladder.study import WITHOUT, StudyScore, kept

SOLVER = "blind-solver-1"
EXISTS, PARAMETERS = "exists: told apart", "signature: F1 of names"
PROSE = "m_prose"


def headline(scores: Sequence[StudyScore]) -> list[str]:
    """The strong solver's knowledge of old APIs and of new ones, and what prose adds to that."""
    own = [one for one in scores if one.model == SOLVER]
    told = [_told_apart([one for one in own if one.group == group]) for group in ("control", "new")]
    libraries = len({one.library for one in own})
    f1, shown = (_gap(own, condition) for condition in (WITHOUT, PROSE))
    return [
        f"{libraries} releases of this autumn",
        f"tells {told[0]} old names from invented ones, and {told[1]} new ones",
        f"names the parameters of old APIs with an F1 of {f1[0]:.2f}, of new ones with {f1[1]:.2f}, "
        f"and with {shown[1]:.2f} when it is shown the documentation's prose",
    ]


def _told_apart(scores: Sequence[StudyScore]) -> str:
    values = [one.score for one in scores if (one.measure, one.condition) == (EXISTS, WITHOUT)]
    return f"{sum(value == 1 for value in values)} of {len(values)}"


def _gap(scores: Sequence[StudyScore], condition: str) -> tuple[float, float]:
    """The mean F1 of parameters' names: of old APIs, of new ones."""
    (gap,) = (one for one in gaps_of([s for s in scores if s.condition == condition]) if one.measure == PARAMETERS)
    assert gap.control is not None and gap.new is not None
    return gap.control, gap.new


def main() -> None:
    """Print the sentences as a page has them."""
    print("".join(f"> {sentence}\n" for sentence in headline(kept(SCORES))), end="")


if __name__ == "__main__":
    main()
