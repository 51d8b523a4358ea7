"""`apigap verify`: submitted runs checked, and those that are sound ranked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from apigap.analysis.compare import NOVELAPI
from apigap.records.base import Record
from apigap.records.manifest import file_hash
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_files import load_tasks
from apigap.verification.checks import Check, State, worst
from apigap.verification.contamination import Contamination, contamination_of, part_of
from apigap.verification.manifests import manifest_checks
from apigap.verification.prompts import prompt_check
from apigap.verification.ranking import Rank, ranks
from apigap.verification.rejudging import NAME, Again, rejudge
from apigap.verification.rows import board_rates, row_checks
from apigap.verification.submission import Submission, read_submission, submitted

_NOT_JUDGING = ("contamination", "prompts")
"""Checks whose outcome says nothing of verdicts."""


class VerifiedRun(Record):
    """A run with its checks. `pass_at_1` (0..1, cut answers as not passed) and `rank` never stand without an interval.

    `rank` is None where the run is not sound, or no other sound one of the same condition was given. `seed` drew the
    answers that were judged again; None where all were wanted, or none was judged.
    """

    run: str
    model: str | None
    condition: str
    state: State
    checks: tuple[Check, ...]
    judged_again: int = 0
    wrong_at_most: float | None = None
    seed: int | None = None
    pass_at_1: float | None = None
    interval: tuple[float, float] | None = None
    contamination: Contamination | None = None
    rank: Rank | None = None


@dataclass(frozen=True)
class Terms:
    """The terms of a check: the tasks that had to be answered, and what is judged again.

    `minutes` bound for each run the time for reading its answers, and that for judging them again.
    """

    tasks: Path
    knowledge: Sequence[Path]
    sample: int | None
    seed: int
    cutoff: date | None
    minutes: float = 30.0

    @property
    def again(self) -> Again:
        """The part of each run that is judged again."""
        return Again(self.sample, self.seed, self.minutes)


def verify(runs: Sequence[Path], terms: Terms, engine: Engine, progress: Progress) -> list[VerifiedRun]:
    """Check every run below `runs`, and rank those that are sound among others of their condition.

    Raises:
        UsageError: when there is no run, or no such tasks.
        CorruptRecord: when the tasks cannot be read.
    """
    tasks_file = tasks_path(terms.tasks)
    tasks = {task.task_id: task for task in load_tasks(tasks_file)}
    verifier = _Verifier(tasks, file_hash(tasks_file), terms, engine, progress)
    found = [verifier.run(path) for path in submitted(runs)]
    return _ranked([one for one, _ in found], [rates for _, rates in found], tasks)


@dataclass(frozen=True)
class _Verifier:
    tasks: Mapping[str, Task]
    tasks_file: str
    terms: Terms
    engine: Engine
    progress: Progress

    def run(self, path: Path) -> tuple[VerifiedRun, Mapping[str, float]]:
        """The run whose verdicts are in `path`, and its rates per task."""
        run = read_submission(path)
        if run.benchmark != NOVELAPI:
            told = f"verdicts of {run.benchmark} are not checked by this command: judge the answers again instead"
            return _verified(run, [Check(name="benchmark", state="unchecked", told=told)]), {}
        checks = [*manifest_checks(run, self.tasks_file), *row_checks(run, self.tasks, self.terms.minutes)]
        checks.append(prompt_check(run, self.tasks, self.terms.knowledge))
        rates = {task: rate for task, rate in board_rates(run.results).items() if task in self.tasks}
        dated, contamination = contamination_of(run.model, self.tasks, rates, self.terms.cutoff)
        checks.append(dated)
        return self._judged(run, checks, rates, contamination), rates

    def _judged(
        self, run: Submission, checks: list[Check], rates: Mapping[str, float], contamination: Contamination | None
    ) -> VerifiedRun:
        """The run with its answers judged again, where nothing speaks against it before and the evaluator is here."""
        again, bound, seed = 0, None, None
        against = next((one for one in checks if one.state != "sound" and one.name not in _NOT_JUDGING), None)
        if against is None:
            found = rejudge(run, self.tasks, self.terms.again, self.engine, self.progress)
            checks, again, bound, seed = [*checks, found.check], found.count, found.at_most, found.seed
        else:
            told = f"no answer was judged again, since the check before it is {against.state}: {against.name}"
            checks = [*checks, Check(name=NAME, state="unchecked", told=told)]
        whole = part_of([(self.tasks[task].api_name, rate) for task, rate in rates.items()])
        return _verified(
            run,
            checks,
            judged_again=again,
            wrong_at_most=bound,
            seed=seed,
            pass_at_1=whole.pass_at_1,
            interval=whole.interval,
            contamination=contamination,
        )


def _verified(run: Submission, checks: Sequence[Check], **found: Any) -> VerifiedRun:
    return VerifiedRun(
        run=str(run.path), model=run.model, condition=run.condition, state=worst(checks), checks=tuple(checks), **found
    )


def _ranked(
    runs: Sequence[VerifiedRun], rates: Sequence[Mapping[str, float]], tasks: Mapping[str, Task]
) -> list[VerifiedRun]:
    """The runs, those that are sound with their rank among the sound ones of the same condition and tasks."""
    groups: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
    for place, run in enumerate(runs):
        if run.state == "sound" and run.interval is not None:
            groups[run.condition, frozenset(rates[place])].append(place)
    found = list(runs)
    for (_, ids), places in groups.items():
        if len(places) > 1:
            apis = {task: tasks[task].api_name for task in ids}
            for place, rank in zip(places, ranks([rates[one] for one in places], apis), strict=True):
                found[place] = runs[place].model_copy(update={"rank": rank})
    return found
