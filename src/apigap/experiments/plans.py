"""From what a command names to a plan, and from a plan to an experiment: the same for one and for a grid of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apigap.evaluation.model_pool import MakeGenerator
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.grid import parse_cells
from apigap.experiments.mock_agents import mock_agents
from apigap.experiments.named import find_experiment
from apigap.experiments.sources import Source, read_group
from apigap.models.generate import Generator
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.task import Task


@dataclass(frozen=True)
class Terms:
    """The settings of experiments, the folder of their files, and how models are asked: with `mock` none really is."""

    settings: Settings
    root: Path
    progress: Progress
    mock: bool = False
    connections: int | None = None

    def experiment(self, plan: Plan) -> Experiment:
        """The steps of a plan."""
        return Experiment(plan, self.settings, self.root, self.progress, self.generators(plan.tasks))

    def generators(self, tasks: Sequence[Task]) -> MakeGenerator:
        """The maker of the generators that answer prompts about `tasks`."""
        if self.mock:
            return mock_agents(tasks, self.settings.generation)
        return partial(Generator, connections=self.connections)


def plan_of_name(experiment: str, model: str | None, cells: Sequence[str], limit: int, terms: Terms) -> Plan:
    """The plan of an experiment by its name, on the tasks of its built group.

    Raises:
        UsageError: when there is no such experiment, cell or group.
    """
    spec = find_experiment(experiment)
    asked = model or spec.model
    return plan_of(experiment, asked, read_group(spec.group, asked, terms.root, limit), cells or spec.cells, terms)


def plan_of(experiment: str, model: str, source: Source, cells: Sequence[str], terms: Terms) -> Plan:
    """The plan on what a source holds; what it leaves out is told."""
    if source.without:
        some = ", ".join(source.without[:3])
        terms.progress.note(
            f"{len(source.without)} tasks are left out, since their API has no knowledge bundle (first {some}); give "
            "bundles with --knowledge, or make those of the starter benchmark with: apigap starter bundles"
        )
    return Plan(experiment, source.group, model, source.tasks, source.bundles, parse_cells(cells))
