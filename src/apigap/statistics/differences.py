"""Gap, cure and knowledge: mean differences of matched pairs, with libraries as strata."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Floats
from apigap.statistics.intervals import Interval, as_rates, clustered_wilson

Group = Literal["new", "control", "twin", "control twin"]
SIDES: dict[Group, str] = {
    "new": "new APIs",
    "control": "old APIs",
    "twin": "twins of new APIs",
    "control twin": "twins of old APIs",
}
FEWEST_PAIRS = 5
"""With fewer pairs no interval is given: see "The ladder" in docs/statistics.md."""
Term = tuple[int, Group, str]
_HALF = 0.5
_SAME = 12  # decimals: sums of thirds that differ by rounding are the same sum


@dataclass(frozen=True)
class Answers:
    """Answers to items of one rung, one row each; all columns have the same length.

    `matches` holds the matched pair of each row: a new API, its control and the twins of both share it. Pairs of
    different libraries are different whatever they are called. `scores` lie in 0..1. `families` holds the piece of
    news that the new API of the pair is one of, such as one parameter of many methods: its pairs count together as
    one. Without it each pair is news by itself.
    """

    libraries: Sequence[str]
    apis: Sequence[str]
    matches: Sequence[str]
    groups: Sequence[Group]
    conditions: Sequence[str]
    scores: ArrayLike
    families: Sequence[str] | None = None

    def __post_init__(self) -> None:
        columns = (self.libraries, self.apis, self.matches, self.groups, self.conditions, self.families or self.matches)
        counts = [len(column) for column in columns] + [int(np.size(np.asarray(self.scores)))]
        if len(set(counts)) > 1:
            raise UsageError(f"the columns of the answers have {counts} rows; give one value of each per answer")
        as_rates(self.scores, self.libraries)


@dataclass(frozen=True)
class Difference:
    """A mean over families of matched pairs, each counting once, with a 95 % interval and a p-value that agree.

    `low`, `high` and `p_value` are None where `reason` says why; `estimate` too where nothing could be compared.
    The interval excludes 0 exactly where the p-value is below 1 - level. `pairs`, `families` and `libraries` count what
    it stands on, `left_out` the pairs of which one side was not asked.
    """

    estimate: float | None
    low: float | None
    high: float | None
    level: float
    p_value: float | None
    pairs: int
    libraries: int
    left_out: int
    reason: str | None
    families: int = 0


@dataclass(frozen=True)
class RungLevel:
    """The mean score of the controls, and whether it is above chance: only then is a gap stated."""

    controls: Interval
    chance: float
    above: bool


def rung_level(answers: Answers, condition: str, chance: float, level: float = 0.95) -> RungLevel:
    """The level of controls in `condition`: above `chance` where the lower bound of their mean is (by API)."""
    if not 0 <= chance < 1:
        raise UsageError(f"a chance level of {chance} is not in 0..1; it is one over the number of options")
    asked = _chosen(answers, "control", condition)
    scores = np.asarray(answers.scores, dtype=np.float64)[asked]
    names = [f"{answers.libraries[row]}\0{answers.apis[row]}" for row in np.flatnonzero(asked).tolist()]
    controls = clustered_wilson(scores, names, level)
    return RungLevel(controls, chance, controls.low > chance)


def gap(answers: Answers, condition: str, chance: float, level: float = 0.95) -> Difference:
    """Mean score on controls minus on new APIs, paired by match; none is stated below the rung (`rung_level`)."""
    found = _difference(answers, ((1, "control", condition), (-1, "new", condition)), level)
    rung = rung_level(answers, condition, chance, level)
    if found.pairs == 0 or rung.above:
        return found
    below = f"controls are not above chance ({rung.controls.estimate:.2f} against {chance:.2f}): below the rung"
    reason = found.reason or below  # of few pairs it is said that they are few: what their controls score shows nothing
    return replace(found, estimate=None, low=None, high=None, p_value=None, reason=reason)


def cure(answers: Answers, without: str, with_: str, level: float = 0.95) -> Difference:
    """The gain of condition `with_` over `without` on new APIs, minus that on controls; in -2..2."""
    terms: tuple[Term, ...] = ((1, "new", with_), (-1, "new", without), (-1, "control", with_), (1, "control", without))
    return _difference(answers, terms, level)


def knowledge(
    answers: Answers, condition: str, level: float = 0.95, of: Literal["new", "control"] = "new"
) -> Difference:
    """Mean score on new APIs (or controls) minus on their twins, which nobody can know: what is not guessed."""
    twins: Group = "twin" if of == "new" else "control twin"
    return _difference(answers, ((1, of, condition), (-1, twins, condition)), level)


def known_gap(answers: Answers, condition: str, level: float = 0.95) -> Difference:
    """The gap in what is not guessed: controls minus their twins, less new APIs minus theirs; in -2..2."""
    terms: tuple[Term, ...] = (
        (1, "control", condition), (-1, "control twin", condition), (-1, "new", condition), (1, "twin", condition),
    )  # fmt: skip
    return _difference(answers, terms, level)


def paired_mean(values: ArrayLike, libraries: Sequence[str], level: float = 0.95) -> tuple[float, float, float]:
    """Interval and two-sided p-value of the mean of one value per pair: (low, high, p).

    The variance is pooled within libraries (the CR2 variance of a mean with strata: Bell & McCaffrey 2002; Pustejovsky
    & Tipton 2018, doi:10.1080/07350015.2016.1247004), so that libraries may differ; a library with one pair is set
    against the mean of all. Two pairs of +0.5 and -0.5 are added, after Bonett & Price (2012,
    doi:10.3102/1076998611411915), who add +1 and -1 for single answers: else the interval has no width where all pairs
    agree. Student's t with as many degrees of freedom as pairs, added ones too, have beyond their libraries.
    """
    from scipy.special import stdtr, stdtrit  # pyright: ignore[reportMissingTypeStubs]

    gains, groups = _in_order(np.asarray(values, dtype=np.float64), libraries)
    count = len(gains)
    sizes = np.bincount(groups)
    alone = (sizes == 1)[groups]
    mean, means = float(gains.mean()), np.bincount(groups, weights=gains) / sizes
    within = (gains - means[groups]) ** 2 * (sizes / np.maximum(sizes - 1, 1))[groups]
    squares = float(np.where(alone, (gains - mean) ** 2 * count / max(count - 1, 1), within).sum())
    squares += 2 * _HALF**2 + 2 * count / (count + 2) * mean**2
    strata = int((sizes > 1).sum()) + int(bool(alone.any()))
    freedom = count + 2 - strata
    centre, error = float(gains.sum()) / (count + 2), float(np.sqrt(squares)) / (count + 2)
    margin = float(stdtrit(freedom, (1 + level) / 2)) * error
    p_value = 2 * float(stdtr(freedom, -abs(centre) / error))
    return min(centre - margin, mean), max(centre + margin, mean), p_value


def _difference(answers: Answers, terms: Sequence[Term], level: float) -> Difference:
    """The mean over families of a signed sum of mean scores of their pairs, one for each (sign, group, condition)."""
    parts = [_means(answers, group, condition) for _, group, condition in terms]
    every = sorted(set[tuple[str, str]]().union(*parts))
    whole = [pair for pair in every if all(pair in part for part in parts)]
    if not whole:
        missing = sorted(
            {
                f"{SIDES[group]} in {condition}" if condition else SIDES[group]
                for (_, group, condition), part in zip(terms, parts, strict=True)
                if not part
            }
        )
        reason = f"nothing was asked of {', '.join(missing)}" if missing else "no pair was asked on both sides"
        return Difference(None, None, None, level, None, 0, 0, len(every), reason)
    values = np.array(
        [sum(sign * part[pair] for (sign, _, _), part in zip(terms, parts, strict=True)) for pair in whole]
    )
    values, libraries = _by_family(values.round(_SAME), whole, answers)
    estimate, left_out = float(np.sort(values).mean()), len(every) - len(whole)
    reason = None if len(values) >= FEWEST_PAIRS else _few(len(whole), len(values))
    found = Difference(
        estimate, None, None, level, None, len(whole), len(set(libraries)), left_out, reason, len(values)
    )
    if reason:
        return found
    low, high, p_value = paired_mean(values, libraries, level)
    most = float(len(terms) // 2)
    return replace(found, low=max(low, -most), high=min(high, most), p_value=p_value)


def _few(pairs: int, families: int) -> str:
    """The reason for no interval of so few."""
    counted = "1 pair is" if pairs == 1 else f"{pairs} pairs are"
    if families < pairs:
        counted = f"{pairs} pairs that are {families} piece{'' if families == 1 else 's'} of news are"
    return f"{counted} too few for an interval; it needs {FEWEST_PAIRS}"


def _by_family(values: Floats, pairs: Sequence[tuple[str, str]], answers: Answers) -> tuple[Floats, list[str]]:
    """The mean of the values of each family of pairs, and its library."""
    known = zip(answers.libraries, answers.matches, answers.families or answers.matches, strict=True)
    family = {(library, match): own for library, match, own in known}
    found: dict[tuple[str, str], list[float]] = {}
    for pair, value in zip(pairs, values.tolist(), strict=True):
        found.setdefault((pair[0], family[pair]), []).append(value)
    means = [float(np.sort(np.array(own)).mean()) for own in found.values()]
    return np.array(means).round(_SAME), [library for library, _ in found]


def _means(answers: Answers, group: Group, condition: str) -> Mapping[tuple[str, str], float]:
    """The mean score of each pair's side, by (library, match)."""
    found: dict[tuple[str, str], list[float]] = {}
    scores = np.asarray(answers.scores, dtype=np.float64)
    for row in np.flatnonzero(_chosen(answers, group, condition)).tolist():
        found.setdefault((answers.libraries[row], answers.matches[row]), []).append(float(scores[row]))
    return {pair: float(np.sort(np.array(values)).mean()) for pair, values in found.items()}


def _chosen(answers: Answers, group: Group, condition: str) -> NDArray[np.bool_]:
    is_group = np.asarray(answers.groups, dtype=np.str_) == group
    return is_group & (np.asarray(answers.conditions, dtype=np.str_) == condition)


def _in_order(values: Floats, libraries: Sequence[str]) -> tuple[Floats, NDArray[np.intp]]:
    """Values with the number of their library, in an order that the order of rows does not show in."""
    if len(values) != len(libraries):
        raise UsageError(f"{len(values)} values but {len(libraries)} libraries; give one library per pair")
    number = {name: position for position, name in enumerate(sorted(set(libraries)))}
    groups = np.array([number[library] for library in libraries], dtype=np.intp)
    order = np.lexsort((values, groups))
    return values[order], groups[order]
