"""Two runs on the same tasks: is the difference real, and which samples make it?"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from apigap.analysis.judged import JudgedCell, read_cell
from apigap.analysis.task_facts import TaskFacts, facts_of, find_tasks
from apigap.analysis.verdicts import Flags, Sample, Verdicts, shared_rows
from apigap.benchmarks.base import benchmark_names, find_benchmark
from apigap.evaluation.benchmark import Benchmark
from apigap.evaluation.gains import MeasuredGain, gains_of
from apigap.evaluation.paths import manifest_path
from apigap.models.spending.cell_cost import CellCost, kept_cost
from apigap.records.errors import UsageError
from apigap.records.manifest import read_manifest
from apigap.records.result import Prediction, Result
from apigap.records.store import first_line, read_records
from apigap.statistics import CellEstimate, PairedDifference, estimate_cell, mcnemar, paired_difference
from apigap.statistics.clusters import Floats

SEED = 20260912
NOVELAPI = "novelapi"
"""The benchmark of experiments, whose cells do not say it."""
CELL, SCORE = "results", "score "
"""The stage of an experiment's cell, and how that of `apigap score` begins; see their manifests."""


@dataclass(frozen=True)
class Flip:
    """A sample that passes on one side alone; `before` and `after` are `pass`, a label or `suspect`."""

    task_id: str
    sample: int
    api_name: str
    before: str
    after: str


@dataclass(frozen=True)
class Compared:
    """B against A.

    `a` and `b` are over all samples of each side; `gain` is over the tasks with a sample that both have judged,
    None where there is none. `lowest` and `highest` are its bounds were all samples without a clear verdict (infra,
    cut, suspect) on all shared tasks decided against or for B. `mcnemar` takes samples as independent, for reference.
    `infra` of the `shared` samples have no verdict on a side, `unclear` have none or are suspect.
    `relabelled` counts the shared samples that fail on both sides with another label. `only_a` and `only_b` are
    the samples that the other side does not have, `notes` what was overlooked because it was asked to. `gains` are
    those in the measures of the `benchmark`, where it has others than passing. `costs` are those of both.
    """

    a: CellEstimate
    b: CellEstimate
    gain: PairedDifference | None
    lowest: float
    highest: float
    mcnemar: float
    shared: int
    infra: int
    unclear: int
    flips: tuple[Flip, ...]
    relabelled: int
    only_a: tuple[Sample, ...]
    only_b: tuple[Sample, ...]
    notes: tuple[str, ...]
    benchmark: str = NOVELAPI
    gains: tuple[MeasuredGain, ...] = ()
    costs: tuple[CellCost | None, CellCost | None] = (None, None)

    def is_regression(self, alpha: float) -> bool:
        """True if B is worse than A, by a sign-flip p-value below `alpha`."""
        return self.gain is not None and self.gain.difference < 0 and self.gain.p_value < alpha


def compare(
    a: str | PathLike[str],
    b: str | PathLike[str],
    *,
    tasks: Sequence[str | PathLike[str]] = (),
    force: bool = False,
    seed: int = SEED,
    draws: int = 10_000,
) -> Compared:
    """Compare two runs sample by sample: the difference with its interval, and which samples flipped.

    Args:
        a: A results file, or the folder of a cell of an experiment: before.
        b: The same, after.
        tasks: The tasks files; by default those of the data folder and of the starter benchmark. They are needed only
            where results do not say what their tasks are about.
        force: Compare although the evaluators or the tasks are different ones; `notes` then says so.
        seed: Of the bootstrap.
        draws: Of the bootstrap.

    Returns:
        Rates as shares from 0 to 1, the `gain` of b over a with its 95 % interval and p-value, and the `flips`.

    Raises:
        UsageError: When there are no results, a task's API is unknown, nothing is shared, or (without `force`)
            the sides were judged by different evaluators or made from different tasks.
    """
    sides = [Path(a), Path(b)]
    for path in sides:
        _demand_results(path)
    first, second = (read_cell(path) for path in sides)
    names = [benchmark_of(cell) for cell in (first, second)]
    if names[0] != names[1]:
        raise UsageError(f"{a} has results of {names[0]}, {b} of {names[1]}; compare two runs of one benchmark")
    notes = disagreements(first, second)
    if notes and not force:
        raise UsageError(f"{notes[0]}; give --force to compare what they share all the same")
    facts = _facts(first, second, [Path(path) for path in tasks])
    compared = compare_cells(first, second, facts, notes, seed, draws)
    gains = _measured_gains(first, second, names[0])
    costs = kept_cost(first.path), kept_cost(second.path)
    return replace(compared, benchmark=names[0], gains=tuple(gains), costs=costs)


def _measured_gains(a: JudgedCell, b: JudgedCell, benchmark: str) -> list[MeasuredGain]:
    """Gains in the measures of a benchmark; where passing is all of them nothing is read for it."""
    measures = find_benchmark(benchmark).measures if benchmark in benchmark_names() else Benchmark.measures
    if measures is Benchmark.measures:
        return []
    before, after = (read_records(cell.path, Result) for cell in (a, b))
    return gains_of(before, after, measures)


def benchmark_of(cell: JudgedCell) -> str:
    """What a cell holds the results of, as its manifest says: a benchmark, or another command, as `apibank live`.

    With the manifest of a cell they are an experiment's; without any, where programs were judged in a sandbox.

    Raises:
        UsageError: without a manifest, for results of which it cannot be told what they are of.
    """
    path = manifest_path(cell.path)
    if path.exists():
        return benchmark_of_stage(read_manifest(path).stage)
    detail = next(read_records(cell.path, Result)).detail
    if detail and "isolation" not in detail:
        raise UsageError(f"{path} is missing, which says what {cell.path} has results of; copy it, too")
    return benchmark_of_stage(CELL)


def benchmark_of_stage(stage: str) -> str:
    """The benchmark that a manifest's stage tells, see `benchmark_of`."""
    if stage.startswith(SCORE):
        return stage.removeprefix(SCORE).replace(" ", "-")
    return NOVELAPI if stage == CELL else stage


def _demand_results(path: Path) -> None:
    """Refuse a predictions file with the command that judges it."""
    if not path.is_file():
        return
    first = first_line(path)
    with contextlib.suppress(ValidationError):
        Prediction.from_line(first)
        raise UsageError(
            f"{path} holds answers, not verdicts; judge them first: apigap score BENCHMARK --predictions {path} "
            "--out RESULTS"
        )


def _facts(a: JudgedCell, b: JudgedCell, tasks: Sequence[Path]) -> dict[str, TaskFacts]:
    """The API of each task: from the results, or, where these do not say it, from tasks files."""
    about = {**a.about, **b.about}
    if not tasks and about.keys() == a.verdicts.task_ids | b.verdicts.task_ids:
        return {task_id: TaskFacts(task_id=task_id, api_name=name) for task_id, name in about.items()}
    known = find_tasks(given=tasks)
    if not tasks:
        for folder in {_data_folder(a.path), _data_folder(b.path)} - {None}:
            known |= find_tasks(folder)
    return facts_of(a.verdicts.task_ids | b.verdicts.task_ids, known, f"{a.path} and {b.path}")


def disagreements(a: JudgedCell, b: JudgedCell) -> tuple[str, ...]:
    """Reasons why two sides must not be compared: more than one evaluator, or other tasks."""
    found: list[str] = []
    evaluators = sorted(a.evaluators | b.evaluators)
    if len(evaluators) > 1:
        found.append(
            f"the verdicts are of different evaluators: {', '.join(sorted(a.evaluators))} in {a.path}, "
            f"{', '.join(sorted(b.evaluators))} in {b.path}"
        )
    ours, theirs = a.made_from.get("tasks"), b.made_from.get("tasks")
    if ours is not None and theirs is not None and ours != theirs:
        shared = len(a.verdicts.task_ids & b.verdicts.task_ids)
        found.append(
            f"the sides were made from different tasks: {a.path} has {len(a.verdicts.task_ids)}, {b.path} "
            f"{len(b.verdicts.task_ids)}, and {shared} ids are in both"
        )
    return tuple(found)


def compare_cells(
    a: JudgedCell,
    b: JudgedCell,
    facts: Mapping[str, TaskFacts],
    notes: Sequence[str] = (),
    seed: int = SEED,
    draws: int = 10_000,
    with_flips: bool = True,
) -> Compared:
    """Compare two cells sample by sample; `facts` holds the tasks of both. Flips are told where they are wanted.

    Raises:
        UsageError: when no sample is in both.
    """
    before, after = shared_rows(a.verdicts, b.verdicts)
    if not len(before):
        raise UsageError(f"{a.path} and {b.path} have no sample of the same task in common; score the same tasks")
    judged = before.judged & after.judged
    flipped = judged & (before.passed != after.passed)
    lowest, highest = _bounds(before, after)
    return Compared(
        a=estimate_cell(a.counts(facts)),
        b=estimate_cell(b.counts(facts)),
        gain=gain_of(before.where(judged), after.where(judged), facts, seed, draws),
        lowest=lowest,
        highest=highest,
        mcnemar=mcnemar(*(int(np.count_nonzero(flipped & side.passed)) for side in (before, after))),
        shared=len(before),
        infra=int(np.count_nonzero(~judged)),
        unclear=int(np.count_nonzero(~(before.clear & after.clear))),
        flips=_flips(before.where(flipped), after.where(flipped), facts) if with_flips else (),
        relabelled=int(np.count_nonzero(before.failed & after.failed & (before.label != after.label))),
        only_a=tuple(a.verdicts.without(b.verdicts).samples),
        only_b=tuple(b.verdicts.without(a.verdicts).samples),
        notes=tuple(notes),
    )


def gain_of(
    before: Verdicts, after: Verdicts, facts: Mapping[str, TaskFacts], seed: int, draws: int
) -> PairedDifference | None:
    """The paired difference over tasks, each the mean over its samples; None where there is none. See `shared_rows`."""
    if not len(before):
        return None
    tasks = tasks_of(before)
    apis = [facts[task].api_name for task in tasks]
    return paired_difference(rates(before, before.passed), rates(after, after.passed), apis, seed, draws)


def tasks_of(rows: Verdicts) -> list[str]:
    """The tasks that have a row, in order."""
    return [rows.names[place] for place in np.unique(rows.task).tolist()]


def rates(rows: Verdicts, flags: Flags) -> Floats:
    """The share of each task's rows that have the flag, in the order of `tasks_of`."""
    counts = np.bincount(rows.task)
    there = counts > 0
    return np.bincount(rows.task, weights=flags)[there] / counts[there]


def _flips(before: Verdicts, after: Verdicts, facts: Mapping[str, TaskFacts]) -> tuple[Flip, ...]:
    return tuple(
        Flip(*sample, facts[sample[0]].api_name, old.words, new.words)
        for (sample, old), (_, new) in zip(before, after, strict=True)
    )


def _bounds(before: Verdicts, after: Verdicts) -> tuple[float, float]:
    """The difference were every unclear sample decided against B, and for it."""
    against = rates(after, after.passed) - rates(before, ~before.failed)
    in_favour = rates(after, ~after.failed) - rates(before, before.passed)
    return float(against.mean()), float(in_favour.mean())


def _data_folder(results: Path) -> Path | None:
    """The data folder that a cell's results lie in: DATA/results/EXPERIMENT/CELL/results.jsonl."""
    parents = results.resolve().parents
    return parents[3] if len(parents) > 3 and parents[2].name == "results" else None
