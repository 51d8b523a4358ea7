"""All that the explorer shows, in one form whatever wrote the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.explorer.answers import Asked, asked_of
from apigap.explorer.apis import Api, Help, Place, apis_of, condition_order, needs_of
from apigap.explorer.comparisons import Comparison, comparisons_of, incomparable
from apigap.explorer.horizons import LadderReading, ladders_of
from apigap.explorer.rates import Rate, rates_of
from apigap.explorer.runs import Runs, read_runs, shown_path
from apigap.explorer.scores import Score, evaluators_of, rungs_of, scores_of
from apigap.records.base import Json
from apigap.records.errors import UsageError
from apigap.records.progress import Progress

_STEPS = 4


@dataclass(frozen=True)
class Subject:
    """A column: a model, with what is known of it, the files that it is read from, and its evaluators."""

    name: str
    model: str
    facts: Mapping[str, Json]
    files: tuple[str, ...]
    evaluators: tuple[str, ...]
    answers: int
    without_verdict: int


@dataclass(frozen=True)
class Dataset:
    """Subjects, rungs (the lowest first) and conditions in order; APIs with the most important first."""

    subjects: Sequence[Subject]
    rungs: Sequence[str]
    conditions: Sequence[str]
    libraries: Mapping[str, Sequence[str]]
    apis: Sequence[Api]
    scores: Sequence[Score]
    rates: Sequence[Rate]
    comparisons: Sequence[Comparison]
    ladders: Sequence[LadderReading]
    needs: Mapping[tuple[Place, str], Help]
    asked: Mapping[Place, Sequence[Asked]]
    missing: Sequence[str]


def read_dataset(
    folders: Sequence[Path],
    beside: Sequence[Path] = (),
    *,
    draws: int = 10_000,
    force: bool = False,
    progress: Progress,
) -> Dataset:
    """All that runs in `folders` say. `beside` are files of tasks or items elsewhere; `draws` are those of an interval.

    Raises:
        UsageError: when there are no results, none of them says what it is about, or (without `force`) a column has
            verdicts of different evaluators.
        CorruptRecord: for a line that is not what its file holds.
    """
    step = progress.step("reading runs")
    step(0, _STEPS)
    found = read_runs(folders, beside, force)
    step(1, _STEPS)
    scores = scores_of(found)
    if not scores:
        raise UsageError("; ".join(found.missing) or "none of the results has a verdict")
    evaluators = evaluators_of(found)
    rates = rates_of(scores)
    step(2, _STEPS)
    comparisons = comparisons_of(scores, evaluators, draws)
    step(3, _STEPS)
    dataset = Dataset(
        subjects=_subjects(found),
        rungs=rungs_of(scores),
        conditions=sorted({one.condition for one in scores}, key=condition_order),
        libraries=_libraries(found, scores),
        apis=apis_of(found, scores),
        scores=scores,
        rates=rates,
        comparisons=comparisons,
        ladders=ladders_of(found),
        needs=needs_of(found, scores),
        asked=asked_of(found),
        missing=(*found.missing, *incomparable(evaluators)),
    )
    step(_STEPS, _STEPS)
    return dataset


def _subjects(found: Runs) -> list[Subject]:
    subjects: list[Subject] = []
    for name in sorted({run.subject for run in found.runs}):
        own = [run for run in found.runs if run.subject == name]
        subjects.append(
            Subject(
                name=name,
                model=own[0].model,
                facts=next((run.facts for run in own if run.facts), own[0].facts),
                files=tuple(shown_path(run.path) for run in own),
                evaluators=tuple(sorted({one for run in own for one in run.evaluators})),
                answers=sum(len(run.results) for run in own),
                without_verdict=sum(not one.has_verdict for run in own for one in run.results),
            )
        )
    return subjects


def _libraries(found: Runs, scores: Sequence[Score]) -> dict[str, list[str]]:
    """The libraries with the pairs of releases that were asked about, as `3.6.1 → 3.7`."""
    versions: dict[str, set[str]] = {one.library: set() for one in scores}
    for one in (*found.tasks.values(), *found.items.values()):
        if one.library in versions:
            versions[one.library].add(f"{one.old_version or '(nothing)'} → {one.version}")
    return {library: sorted(versions[library]) for library in sorted(versions)}
