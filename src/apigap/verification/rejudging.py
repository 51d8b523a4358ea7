"""Answers judged again: a sample that the run's own hash and a number of the verifier's choose, for a time at most."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apigap.benchmarks.novelapi.judge import CodeItem, NovelApiJudge
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.evaluation.cut_answers import settling
from apigap.evaluation.item import Item
from apigap.evaluation.judged_samples import items_of
from apigap.models.extraction import extract_code
from apigap.records.errors import InfrastructureError
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.verification.checks import Check, check_of
from apigap.verification.manifests import environments_of
from apigap.verification.submission import Submission

NAME = "judged again"
_TOGETHER = 16
_MISSED = 0.05 * (1 - 1e-9)  # products of fractions are a little off


@dataclass(frozen=True)
class Rejudged:
    """The check, the number of answers that were judged again, and `at_most`: the share of verdicts that may still be
    wrong, at a level of 95 %; None where nothing can be said. `seed` is that of the sample, None where all were wanted.
    """

    check: Check
    count: int = 0
    at_most: float | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Again:
    """The part that is judged again: `sample` answers (None: all), drawn with `seed`, for so many minutes at most."""

    sample: int | None
    seed: int
    minutes: float


def rejudge(run: Submission, tasks: Mapping[str, Task], again: Again, engine: Engine, progress: Progress) -> Rejudged:
    """Judge answers again, without any memory of earlier verdicts; environments are made before the time begins."""
    chosen = choose(run, again.sample, again.seed)
    if not chosen:
        return Rejudged(Check(name=NAME, state="unchecked", told="no answer was judged again"))
    try:
        homes = homes_at_hand([tasks[row.task_id] for row in chosen], engine, progress)
        until = time.monotonic() + 60 * again.minutes
        found = _judge(_items(run, tasks, chosen, until), len(chosen), NovelApiJudge(engine, homes), progress, until)
    except InfrastructureError as error:
        return Rejudged(Check(name=NAME, state="unchecked", told=f"nothing can be judged here: {error}"))
    here, theirs = locks_of(homes), environments_of(run.manifest)
    other = frozenset(key for key, lock in here.items() if theirs.get(key) != lock)
    compared = _compared(chosen, found, other, tasks, len(run.results), again.minutes)
    return _drawn_with(again, compared) if len(chosen) < len(run.results) else compared


def _drawn_with(again: Again, found: Rejudged) -> Rejudged:
    """The finding with what draws the same answers again, whatever was found: whoever is accused may look as well."""
    told = f"{found.check.told}; drawn with --sample {again.sample} --seed {again.seed}"
    return replace(found, check=found.check.model_copy(update={"told": told}), seed=again.seed)


def choose(run: Submission, sample: int | None, seed: int) -> list[Result]:
    """The verdicts to be looked at, which nobody chooses who does not know the seed."""
    rows = sorted(run.results, key=lambda row: (row.task_id, row.sample))
    if sample is None or sample >= len(rows):
        return rows
    drawn = random.Random(f"{run.digest}/{seed}").sample(range(len(rows)), sample)  # noqa: S311  no secret
    return [rows[place] for place in sorted(drawn)]


def _items(run: Submission, tasks: Mapping[str, Task], chosen: Sequence[Result], until: float) -> list[CodeItem]:
    """The answers that were chosen, as many as can be read in the time: finding code in a hostile one takes seconds."""
    wanted = {(row.task_id, row.sample) for row in chosen}
    asked = [row for row in run.predictions if row.task_id in tasks]
    return [
        Item(one.task, one.sample, extract_code(one.artifact, one.task.context_code), one.ended)
        for key, one in items_of(tasks, asked).items()
        if key in wanted and time.monotonic() < until
    ]


def _judge(
    items: Sequence[CodeItem], of: int, judge: NovelApiJudge, progress: Progress, until: float
) -> dict[tuple[str, int], Result]:
    """The verdicts that are there when the time is over, of `of` that were wanted.

    The clock is looked at between batches: fails that are held against their references come at a batch's end.
    """
    step, found = progress.step("verdicts"), dict[tuple[str, int], Result]()
    step(0, of)

    def ready(result: Result) -> None:
        found[result.task_id, result.sample] = result
        step(len(found), of)

    for first in range(0, len(items), _TOGETHER):
        if time.monotonic() > until:
            break
        batch = items[first : first + _TOGETHER]
        judge.score_all(batch, settling(batch, ready))
    return found


def _compared(
    chosen: Sequence[Result],
    found: Mapping[tuple[str, int], Result],
    other_locks: frozenset[str],
    tasks: Mapping[str, Task],
    of: int,
    minutes: float,
) -> Rejudged:
    """The finding of the verdicts of here on those that were handed in; what was not judged agrees with nothing."""
    wrong, unclear = list[str](), list[str]()
    for row in chosen:
        here = found.get((row.task_id, row.sample))
        if here is None or (here.outcome, here.label) == (row.outcome, row.label):
            continue
        task = tasks[row.task_id]
        told = f"task {row.task_id}, sample {row.sample}: {_words(row)} there, {_words(here)} here"
        met_limit = here.detail.get("limit") or (row.outcome != "pass" and row.detail.get("limit"))
        by_machine = here.outcome == "infra" or met_limit
        if by_machine or f"{task.library} {task.version}" in other_locks:
            unclear.append(told)
        else:
            wrong.append(told)
    count = len(found)
    left = len(chosen) - count
    if wrong:
        return Rejudged(check_of(NAME, wrong, ""), count)
    if left:
        told = (
            f"{left} of {len(chosen)} answers were not judged: the {minutes:g} minutes of --judging-minutes were "
            f"over; {count - len(unclear)} get the same verdict"
        )
        return Rejudged(Check(name=NAME, state="unchecked", told=told), count)
    if unclear:
        reason = "a limit was met, the machine stood in the way, or dependencies are others here"
        told = f"{len(unclear)} of {count} verdicts differ where {reason}; first {unclear[0]}"
        return Rejudged(Check(name=NAME, state="unchecked", told=told), count)
    bound = at_most(count, of)
    locks = f"; {len(other_locks)} environments have other dependencies here" if other_locks else ""
    share = f", so at most {bound:.1%} of all {of} verdicts are others (95 %)" if bound else ""
    return Rejudged(check_of(NAME, (), f"{count} of {of} answers get the same verdict{share}{locks}"), count, bound)


def at_most(count: int, of: int) -> float:
    """The share of wrong verdicts that a sample of `count` out of `of` without any would miss with 5 %.

    Exact for drawing without replacement: the largest number of wrong rows of which none is drawn with at least 5 %.
    """
    if count >= of:
        return 0.0
    wrong, missed = 0, 1.0
    while wrong < of - count:
        missed *= (of - count - wrong) / (of - wrong)
        if missed < _MISSED:
            break
        wrong += 1
    return wrong / of


def _words(row: Result) -> str:
    return f"{row.outcome} ({row.label})" if row.label else row.outcome
