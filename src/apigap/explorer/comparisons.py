"""Comparisons with intervals: model against model, and with knowledge against without."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from apigap.analysis.compare import SEED
from apigap.explorer.rates import by_cluster
from apigap.explorer.scores import Score, is_check, of_ladder
from apigap.records.experiment import BASELINE
from apigap.statistics import PairedDifference, holm, paired_difference


@dataclass(frozen=True)
class Comparison:
    """The gain of `b` over `a` on what both were asked, in -1..1, with a 95 % interval.

    `kind` is `models` (a and b are columns, both under `condition`) or `knowledge` (of one `subject`: `condition`
    against none; a and b are cells). `before` and `after` are the scores of both. `p_holm` is corrected over all
    comparisons of the same kind, rung and condition, or column. A `check` shows the answers themselves: it is no cure.
    """

    kind: str
    rung: str
    condition: str
    subject: str
    a: str
    b: str
    units: int
    clusters: int
    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    check: bool


Cells = Mapping[tuple[str, str, str], Mapping[str, Score]]
Evaluators = Mapping[tuple[str, str], frozenset[str]]


def comparisons_of(scores: Sequence[Score], evaluators: Evaluators, draws: int) -> list[Comparison]:
    """All comparisons of what shares a unit, on new and changed APIs; `draws` of the bootstrap each.

    Columns whose verdicts are of different `evaluators` (by column and rung) are not compared.
    """
    cells: dict[tuple[str, str, str], dict[str, Score]] = defaultdict(dict)
    for one in scores:
        if one.side == "new":
            cells[one.rung, one.condition, one.subject][one.unit] = one
    return [*_of_models(cells, evaluators, draws), *_of_knowledge(cells, draws)]


def incomparable(evaluators: Evaluators) -> list[str]:
    """A line per rung on which columns are not compared, as different evaluators judged them."""
    found: dict[str, set[frozenset[str]]] = defaultdict(set)
    for (_, rung), own in evaluators.items():
        found[rung].add(own)
    return [
        f"{rung}: verdicts of different evaluators ({', '.join(sorted({name for own in every for name in own}))}) are "
        "not compared; judge the answers again with one version"
        for rung, every in sorted(found.items())
        if len(every) > 1
    ]


def _of_models(cells: Cells, evaluators: Evaluators, draws: int) -> Iterator[Comparison]:
    subjects: dict[tuple[str, str], list[str]] = defaultdict(list)
    for rung, condition, subject in sorted(cells):
        subjects[rung, condition].append(subject)
    for (rung, condition), names in subjects.items():
        pairs = [
            _compared("models", cells[rung, condition, a], cells[rung, condition, b], ("", a, b), draws)
            for a, b in combinations(names, 2)
            if evaluators[a, rung] == evaluators[b, rung]
        ]
        yield from _corrected([one for one in pairs if one])


def _of_knowledge(cells: Cells, draws: int) -> Iterator[Comparison]:
    conditions: dict[tuple[str, str], list[str]] = defaultdict(list)
    for rung, condition, subject in sorted(cells):
        conditions[rung, subject].append(condition)
    for (rung, subject), names in conditions.items():
        if BASELINE.name not in names:
            continue
        before = cells[rung, BASELINE.name, subject]
        found = [
            _compared("knowledge", before, cells[rung, name, subject], (subject, BASELINE.name, name), draws)
            for name in names
            if name != BASELINE.name
        ]
        yield from _corrected([one for one in found if one])


def _compared(
    kind: Literal["models", "knowledge"],
    before: Mapping[str, Score],
    after: Mapping[str, Score],
    names: tuple[str, str, str],
    draws: int,
) -> Comparison | None:
    shared = sorted(before.keys() & after.keys())
    if not shared:
        return None
    first, second = [before[unit] for unit in shared], [after[unit] for unit in shared]
    found, (mean_before, mean_after) = _paired(first, second, draws)
    one = second[0]
    return Comparison(
        kind, one.rung, one.condition, *names, len(shared), found.clusters, mean_before, mean_after, found.difference,
        found.low, found.high, found.p_value, found.p_value, is_check(one.rung, one.condition),
    )  # fmt: skip


def _paired(
    before: Sequence[Score], after: Sequence[Score], draws: int
) -> tuple[PairedDifference, tuple[float, float]]:
    """The paired difference over units; on the ladder over pieces of news, each of which counts once."""
    clusters = [one.cluster for one in before]
    sides = [one.value for one in before], [one.value for one in after]
    if of_ladder(before[0].rung):
        means = by_cluster(before), by_cluster(after)
        clusters = list(means[0])
        sides = [means[0][name] for name in clusters], [means[1][name] for name in clusters]
    found = paired_difference(*sides, clusters, SEED, draws)
    return found, (sum(sides[0]) / len(clusters), sum(sides[1]) / len(clusters))


def _corrected(found: Sequence[Comparison]) -> Iterator[Comparison]:
    """The comparisons with p-values that are corrected by Holm as one family."""
    adjusted = holm([one.p for one in found])
    yield from (replace(one, p_holm=p) for one, p in zip(found, adjusted, strict=True))
