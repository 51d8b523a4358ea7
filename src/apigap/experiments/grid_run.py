"""Several models on several groups: one experiment for each pair, all in one data folder, one after the other."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from apigap.evaluation.model_pool import Models
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.group_config import GroupConfig, find_group
from apigap.experiments.groups import build_group, group_of_tasks
from apigap.experiments.named import spec_of, write_grid
from apigap.experiments.plans import Terms, plan_of
from apigap.experiments.sources import read_group
from apigap.knowledge.bundle_files import read_bundles
from apigap.models.generate import connections_of
from apigap.models.model_facts import MOCK
from apigap.models.spending.budget import purse
from apigap.models.spending.workload import Workload
from apigap.models.trial import try_models
from apigap.records.errors import (
    AnswersAwaited,
    ApigapError,
    EnvironmentFailure,
    ModelUnavailable,
    Paused,
    UsageError,
)
from apigap.records.experiment import ExperimentSpec, GridSpec
from apigap.records.layout import Layout
from apigap.records.result import Prediction
from apigap.sandbox.engine import Engine
from apigap.tasks.task_files import load_tasks

Summaries = dict[str, dict[str, Any]]
"""The summary of each judged cell, by the cell's name."""
_GIVEN = ("baseline", "oracle")
"""Deliveries whose prompts say the same of a task in whatever group it is."""


@dataclass(frozen=True)
class Given:
    """The tasks of all groups where they are not those of stage 4, with their bundles; `limit` bounds each group's."""

    tasks: Path | None = None
    knowledge: Sequence[Path] = ()
    limit: int = 0


@dataclass(frozen=True)
class CellWork:
    """The work that is left in one cell of an experiment."""

    experiment: str
    cell: str
    model: str
    tasks: int
    work: Workload


def plan_grid(
    models: Sequence[str], groups: Sequence[str], given: Given, cells: Sequence[str], terms: Terms
) -> tuple[list[Plan], dict[str, str]]:
    """A plan for each model and group, model by model, and the experiments that have no tasks, with the reason.

    Undivided groups come first, in their order: where a task is in several groups, it counts in the first one. Each
    group is gathered anew for its model, as `apigap group build` does.

    Raises:
        UsageError: for an unknown group or cell, and where no group has tasks.
    """
    configs = sorted(map(find_group, dict.fromkeys(groups)), key=lambda config: config.split != "none")
    plans: list[Plan] = []
    without: dict[str, str] = {}
    for model in dict.fromkeys(models):
        for config in configs:
            name = spec_of(config.name, model).experiment
            try:
                _build(config, model, given, terms.root)
                source = read_group(config.name, model, terms.root, given.limit)
            except UsageError as error:
                without[name] = str(error).partition("; ")[0]
                continue
            plan = plan_of(name, model, source, cells, terms)
            plans.append(plan.with_model(mock_name(model)) if terms.mock else plan)
    if not plans:
        first = next(iter(without.values()), "name models and groups")
        raise UsageError(f"no group has tasks: ask those of a file (as --tasks starter), or make a group's; {first}")
    return plans, without


def _build(config: GroupConfig, model: str, given: Given, root: Path) -> None:
    if given.tasks is None:
        build_group(config, model, root)
    else:
        tasks = load_tasks(given.tasks)
        group_of_tasks(config, model, root, tasks, read_bundles(given.knowledge, tasks))


def mock_name(model: str) -> str:
    """The name of the made-up answers in the place of those of `model`."""
    return model if model.startswith(MOCK) else f"{MOCK}{Layout(Path(), model).slug}"


class Grid:
    """The steps of all experiments of a grid. Each goes on where it was ended; what one lacks keeps no other."""

    def __init__(self, plans: Sequence[Plan], terms: Terms) -> None:
        self.terms = terms
        self.studies = [terms.experiment(plan) for plan in plans]

    def workloads(self) -> list[CellWork]:
        """The work that is left, cell by cell; a prompt that several groups of a model have in common is asked once."""
        rows: list[CellWork] = []
        for _, studies in self._by_model():
            asked: set[str] = set()
            for study in studies:
                plan = study.plan
                for cell in study.cells:
                    work = study.workload(cell, asked if cell.delivery in _GIVEN else ())
                    rows.append(CellWork(plan.experiment, cell.name, study.model_of(cell), len(plan.tasks), work))
                given = [cell.condition for cell in study.cells if cell.delivery in _GIVEN]
                asked |= {f"{task.task_id}/{condition}" for task in plan.tasks for condition in given}
        return rows

    def _announce(self) -> None:
        """Tell what each model is about to be asked."""
        rows = self.workloads()
        for model in dict.fromkeys(row.model for row in rows):
            work = Workload.total(row.work for row in rows if row.model == model)
            if work.requests:
                self.terms.progress.note(purse().told(model, work, self.terms.connections or connections_of(model)))

    @property
    def answered(self) -> bool:
        """True if any cell is answered in full."""
        return any(study.answered for study in self.studies)

    @property
    def runs_code(self) -> bool:
        """True where answers cannot be asked for without sandboxes."""
        return any(study.runs_code for study in self.studies)

    def _try_models(self) -> None:
        most = self.terms.settings.generation.max_tokens
        asked = dict.fromkeys(model for study in self.studies for model in study.asked)
        try_models(((model, most) for model in asked), self.terms.progress)

    def generate(self, engine: Engine | None = None) -> None:
        """The answers of all experiments, model by model; a model stays in memory for all its groups.

        Every model is tried first, and then it is told what all of them are about to be asked. With an `engine`
        answers are judged meanwhile, see `Experiment.generate`.

        Raises:
            ModelUnavailable: when a model could not be asked; the others have been asked by then.
            AnswersAwaited: when a model is a folder that lacks answers.
            BudgetSpent: as soon as a limit is reached.
        """
        self._try_models()
        self._announce()
        held = _Held()
        for _, studies in self._by_model():
            tasks = [task for study in studies for task in study.plan.tasks]
            make, known = self.terms.generators(tasks), dict[str, Prediction]()
            with held.holding(ModelUnavailable), Models(self.terms.settings.generation, make) as pool:
                for study in studies:
                    with held.holding(AnswersAwaited):
                        study.generate(pool, known, engine)
                    known |= {k: v for c in study.cells if c.delivery in _GIVEN for k, v in study.answers(c).items()}
        held.release()

    def evaluate(self, engine: Engine, found: dict[str, Summaries]) -> None:
        """Judge every cell that is answered in full; the summaries go by experiment into `found`.

        Raises:
            EnvironmentFailure: when the libraries of an experiment could not be installed; the others are judged.
        """
        held = _Held()
        for study in self.studies:
            with held.holding(EnvironmentFailure):
                found[study.plan.experiment] = study.evaluate(engine)
        held.release()

    def write_spec(self) -> GridSpec:
        """Add the experiments to the list in the data folder, which `apigap analyze` reads."""
        plans = [study.plan for study in self.studies]
        specs = tuple(
            ExperimentSpec(
                experiment=plan.experiment, group=plan.group, model=plan.model,
                cells=tuple(cell.name for cell in plan.cells),
            )
            for plan in plans
        )  # fmt: skip
        return write_grid(self.terms.root, GridSpec(experiments=specs))

    def _by_model(self) -> Iterator[tuple[str, list[Experiment]]]:
        return ((model, list(own)) for model, own in groupby(self.studies, key=lambda study: study.plan.model))


class _Held:
    """Errors that wait until the others have been worked through."""

    def __init__(self) -> None:
        self._errors: list[ApigapError] = []

    @contextmanager
    def holding(self, kind: type[ApigapError]) -> Generator[None]:
        """Keep an error of the kind for later."""
        try:
            yield
        except kind as error:
            self._errors.append(error)

    def release(self) -> None:
        """Raise the first error, or the first pause where nothing else was kept."""
        for error in sorted(self._errors, key=lambda error: isinstance(error, Paused)):
            raise error
