"""The four stages of libraries, for one model: each library goes as far as it is asked, whatever befalls the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from apigap.audit.gate_stage import Gating
from apigap.audit.report import LibraryRun
from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.packages.workshop import environment_store
from apigap.records.base import Record
from apigap.records.configuration import Settings
from apigap.records.errors import ApigapError, UsageError
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest
from apigap.records.progress import Progress
from apigap.records.store import read_bytes
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.chain import LibraryChain, Target
from apigap.stages.versions import resolve_versions

STAGES = (1, 2, 3, 4)
FILES = {1: "stage1_discovery", 2: "stage2_knowledge", 3: "stage3_tasks", 4: "stage4_filtered"}


class PipelineRow(Record):
    """What became of one library: how much each stage left, None for a stage that was not run.

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
        for library in libraries:
            try:
                cutoff = self.settings.gates.cutoff
                target = resolve_versions(library, old, new, self.model, cutoff=cutoff)
                yield self._library(target, sorted(set(stages)))
            except ApigapError as error:
                if len(libraries) == 1:
                    raise
                yield PipelineRow(library=library, status="failed", error=str(error))

    def _library(self, target: Target, stages: Sequence[int]) -> PipelineRow:
        layout = Layout(self.root, self.answers or self.model)
        self._check_earlier(target, layout, stages)
        chain = LibraryChain(
            target, layout, self.settings, self.engine, environment_store(self.engine), self.progress, self.authors
        )
        chain.prepare()
        last = stages[-1]
        candidates = chain.discover()
        bundles = chain.extract(candidates) if last >= 2 else None
        tasks = chain.generate(candidates) if last >= 3 else None
        row = PipelineRow(
            library=target.library,
            old_version=target.old,
            new_version=target.new,
            status="done",
            candidates=len(candidates),
            bundles=len(bundles) if bundles is not None else None,
            tasks=len(tasks) if tasks is not None else None,
        )
        if last < 4 or bundles is None or tasks is None:
            return row
        run = LibraryRun(target, chain.home(tasks), candidates, bundles, tasks, chain.check(candidates, tasks))
        with Models(self.settings.generation, self.make_generator) as models:
            gating = Gating(layout.model, self.settings, layout, self.engine, models, self.progress)
            gating.run([run], layout.stage(target.library, "stage4_novelty"))
        counts = {"valid": len(run.passing("c1")), "filtered": len(run.filtered())}
        told = {"status": "undecided", "error": run.wanting} if run.wanting else {}
        return row.model_copy(update={**counts, **told})

    def _check_earlier(self, target: Target, layout: Layout, stages: Sequence[int]) -> None:
        """A stage that is asked for without those before it goes on from their files, which must be whole."""
        for stage in range(1, stages[-1]):
            manifest = layout.manifest(layout.stage(target.library, FILES[stage]))
            if stage not in stages and not (manifest.exists() and _complete(manifest)):
                raise UsageError(
                    f"stage {stages[-1]} of {target.library} goes on from stage {stage}, which is not done; "
                    f"run the same command with --stages {stage} first"
                )


def _complete(path: Path) -> bool:
    return Manifest.model_validate_json(read_bytes(path)).complete
