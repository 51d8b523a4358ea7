"""The four stages of many libraries: each goes as far as it is asked, whatever befalls the others."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.models.trial import try_models
from apigap.records.base import Record
from apigap.records.configuration import Settings
from apigap.records.errors import ApigapError, Paused, UsageError
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.target import Target
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.driver import Stages
from apigap.stages.files import RESULT_OF_STAGE, is_finished
from apigap.stages.on_nodes import Errand, on_nodes, sent, stage_errand
from apigap.stages.versions import resolve_versions

STAGES = tuple(RESULT_OF_STAGE)


class PipelineRow(Record):
    """The fate of one library: the number of things that each stage left, None for a stage that was not run.

    It is `undecided` where infrastructure kept a gate from judging a task; `error` then says which gates.
    """

    library: str
    old_version: str | None = None
    new_version: str | None = None
    status: Literal["done", "undecided", "failed"]
    candidates: int | None = None
    bundles: int | None = None
    tasks: int | None = None
    valid: int | None = None
    filtered: int | None = None
    error: str | None = None


@dataclass(frozen=True)
class LibraryPipeline:
    """Stages of libraries for `model`, in the data folder `root`.

    `answers` is the model that C2 asks where that is another one
    (a mock), whose name the files then bear. `authors` are models that write tasks and prose.
    """

    model: str
    root: Path
    settings: Settings
    engine: Engine
    progress: Progress
    make_generator: MakeGenerator
    answers: str | None = None
    authors: Authors = NOBODY

    def run(
        self, libraries: Sequence[str], stages: Sequence[int], old: str | None = None, new: str | None = None
    ) -> Iterator[PipelineRow]:
        """A row per library, as it is done; of several libraries one that fails is a row too, and the next goes on.

        `old` and `new` name the releases, else the model's cutoff and the library's configuration do.

        Raises:
            UsageError: for a stage that there is not.
            ApigapError: what stood in the way of the only library.
        """
        for stage in stages:
            if stage not in STAGES:
                raise UsageError(
                    f"there is no stage {stage}; the stages are 1 discovery, 2 knowledge, 3 tasks, 4 gates"
                )
        made = self._made_on_nodes(libraries, sorted(set(stages))) if sent(self.settings.execution, libraries) else {}
        for library in libraries:
            if library in made:
                yield made[library]
                continue
            try:
                target = self._target(library, old, new)
            except ApigapError as error:
                yield self._failed(library, error, libraries)
                continue
            self._try_models(libraries, stages)
            try:
                yield self._library(target, sorted(set(stages)))
            except ApigapError as error:
                yield self._failed(library, error, libraries)

    def _target(self, library: str, old: str | None = None, new: str | None = None) -> Target:
        return resolve_versions(library, old, new, self.model, cutoff=self.settings.gates.cutoff)

    def _made_on_nodes(self, libraries: Sequence[str], asked: Sequence[int]) -> dict[str, PipelineRow]:
        """Have nodes run the stages that ask no model; gives the rows of libraries for which nothing is left to do."""
        last = 1 if self.authors.rewrite else 2 if self.authors.author else 3
        stages = [stage for stage in asked if stage <= last]
        errands: dict[str, Errand] = {}
        for library in libraries if stages else ():
            with suppress(ApigapError):  # told in its turn
                target = self._target(library)
                files_of = self.answers or self.model
                errands[library] = stage_errand(target.library, self._words(library, stages), files_of, target)
        brought = on_nodes(self.engine, self.settings, list(errands.values()), self.root, self.progress)
        rows: dict[str, PipelineRow] = {}
        for library, one in zip(errands, brought, strict=True):
            if one.error is not None:
                rows[library] = self._failed(library, one.error, libraries)
            elif asked[-1] <= last:
                rows[library] = PipelineRow.model_validate(one.printed[0])
        return rows

    def _words(self, library: str, stages: Sequence[int]) -> list[str]:
        mock = ["--mock-llm"] if self.answers else []
        return ["pipeline", "--library", library, "--stages", *map(str, stages), "--model", self.model, *mock]

    @staticmethod
    def _failed(library: str, error: ApigapError, libraries: Sequence[str]) -> PipelineRow:
        """The row of a library that failed; of the only one the error is raised."""
        if len(libraries) == 1 or isinstance(error, Paused):
            raise error
        return PipelineRow(library=library, status="failed", error=str(error))

    def _try_models(self, libraries: Sequence[str], stages: Sequence[int]) -> None:
        """Ask each model for one word before anything is built, where a stage that asks it is still to be run."""
        layout = Layout(self.root, self.answers or self.model)
        to_do = {stage for stage in stages for library in libraries if not is_finished(layout, library, stage)}
        gates = [
            (self.answers or self.model, self.settings.generation.max_tokens),
            (self.settings.gates.c3_solver, None),
        ]
        authors = self.authors.asked(self.settings.author)
        try_models([*(gates if 4 in to_do else ()), *(authors if to_do & {2, 3} else ())], self.progress)

    def _library(self, target: Target, asked: Sequence[int]) -> PipelineRow:
        layout, last = Layout(self.root, self.answers or self.model), asked[-1]
        _check_earlier(target, layout, asked)
        stages = Stages(layout, self.settings, self.engine, self.progress, self.authors)
        run = stages.run(target, last)
        if last == 4:
            with Models(self.settings.generation, self.make_generator) as models:
                stages.gate([run], models, layout.stage(target.library, "stage4_novelty"))
        return PipelineRow(
            library=target.library,
            old_version=target.old,
            new_version=target.new,
            status="undecided" if run.wanting else "done",
            candidates=len(run.candidates),
            bundles=len(run.bundles) if last >= 2 else None,
            tasks=len(run.tasks) if last >= 3 else None,
            valid=len(run.passing("c1")) if last == 4 else None,
            filtered=len(run.filtered()) if last == 4 else None,
            error=run.wanting or None,
        )


def _check_earlier(target: Target, layout: Layout, asked: Sequence[int]) -> None:
    """Refuse a stage that is asked for without those before it, from whose files it goes on, unless they are whole."""
    for stage in range(1, asked[-1]):
        if stage not in asked and not is_finished(layout, target.library, stage):
            raise UsageError(
                f"stage {asked[-1]} of {target.library} goes on from stage {stage}, which is not done; "
                f"run the same command with --stages {stage} first"
            )
