"""Stages 1 to 4 of libraries: every command that needs a stage comes here, and finished ones are not run again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apigap.evaluation.model_pool import Models
from apigap.gates.library_gates import LibraryGates
from apigap.gates.library_run import LibraryRun
from apigap.packages.environments import EnvironmentStore
from apigap.packages.workshop import environment_store
from apigap.records.configuration import Settings
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.target import Target
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import Authors
from apigap.stages.chain import LibraryChain


@dataclass(frozen=True)
class Stages:
    """The stages of any target, with the files of `layout`; `authors` are models that write tasks and prose."""

    layout: Layout
    settings: Settings
    engine: Engine
    progress: Progress
    authors: Authors = field(default_factory=Authors)
    store: EnvironmentStore | None = None

    def run(self, target: Target, last: int, first: int = 1) -> LibraryRun:
        """The records of the stages `first` to `last`, of which 4 is C1 alone: C2 and C3 are asked by `gate`.

        What stages before `first` made is read from their files, as it is.

        Raises:
            UsageError: when a file was made from something else, or the library is too large to install unasked.
            EnvironmentFailure: when a version cannot be installed.
        """
        store = self.store or environment_store(self.engine, self.settings.packages)
        chain = LibraryChain(target, self.layout, self.settings, self.engine, store, self.progress, self.authors)
        chain.prepare()
        candidates = chain.discover() if first == 1 else chain.read_candidates()
        run = LibraryRun(
            target,
            chain.new,
            chain.old,
            candidates,
            left_out=chain.left_out,
            retired=chain.retired(),
            notes=chain.notes(),
        )  # fmt: skip
        if first <= 2 <= last:
            run.bundles = chain.extract(candidates)
        if last >= 3:
            run.tasks = chain.generate(candidates)
            run.without_task = chain.without_task()
        if last >= 4:
            run.gates = self._gates.c1(run, chain.validity_gate(candidates))
        return run

    def gate(self, runs: Sequence[LibraryRun], models: Models, records: Path) -> None:
        """C2 and C3 over the valid tasks of `runs`, whose records go to the runs, to `records` and to stage 4's files.

        Raises:
            ModelUnavailable: when the model cannot be asked; what was answered before is kept.
        """
        self._gates.c2_and_c3(runs, models, records)

    @property
    def _gates(self) -> LibraryGates:
        return LibraryGates(self.settings, self.layout, self.engine, self.progress)
