"""Stage 2 or 3 of one library by itself, with those before it unless their files are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from apigap.models.trial import try_models
from apigap.records.base import Json
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import Authors
from apigap.stages.driver import Stages
from apigap.stages.files import RESULT_OF_STAGE, files_beside, is_finished, named_files, stage_manifest, target_of
from apigap.stages.versions import resolve_versions


@dataclass(frozen=True)
class StageRequest:
    """A library by its name, or the file of its candidates, and where the files are that a stage reads and writes.

    `old`, `new` and the cutoff of `model` pick the releases of a library that is named. With `out` the file of the
    last stage has that name, else all are in the folder `data`. `knowledge` is the file of bundles that stage 3 of
    candidates goes on from.

    Raises:
        UsageError: for releases beside a file of candidates, or bundles beside a library's name.
    """

    library: str | Path
    model: str
    old: str | None = None
    new: str | None = None
    knowledge: Path | None = None
    data: Path = Path("data")
    out: Path | None = None

    def __post_init__(self) -> None:
        if isinstance(self.library, Path) and (self.old or self.new):
            raise UsageError(f"{self.library} says which releases it is about: leave out the old and the new one")
        if isinstance(self.library, str) and self.knowledge:
            raise UsageError(
                f"{self.knowledge} can only go with the candidates that it was made from: name their file in the place "
                f"of {self.library}"
            )

    def target(self, cutoff: date | None) -> Target:
        """The releases.

        Raises:
            UsageError: when they cannot be told.
        """
        if isinstance(self.library, Path):
            return target_of(self.library)
        return resolve_versions(self.library, self.old, self.new, self.model, cutoff=cutoff)

    def layout(self, stage: int) -> Layout:
        """The files of `stage` and of those before it.

        Raises:
            UsageError: when a file is not named, or is not there.
        """
        if self.out is None:
            if isinstance(self.library, Path):
                raise UsageError(f"say with --out where to write what is made of {self.library}")
            return Layout(self.data, self.model)
        if isinstance(self.library, str):
            return files_beside(self.out, stage)
        bundles = self.out if stage == 2 else _bundles_of(self.library, self.knowledge)
        return named_files(self.library, bundles, self.out)


@dataclass(frozen=True)
class StageRun:
    """The records of a library after a stage; those of a stage that was not run are empty.

    `file` is the stage's own JSONL file, `counts` what its manifest says of it.
    """

    target: Target
    candidates: Sequence[Candidate]
    bundles: Sequence[KnowledgeBundle]
    tasks: Sequence[Task]
    counts: Mapping[str, Json]
    file: Path


def run_stage(
    stage: int, request: StageRequest, settings: Settings, engine: Engine, progress: Progress, authors: Authors
) -> StageRun:
    """Run stage 2 or 3; what is done already is not done again.

    Raises:
        UsageError: when it cannot be told what to work on, or a file was made from something else.
        EnvironmentFailure: when a version cannot be installed.
    """
    layout = request.layout(stage)
    target = request.target(settings.gates.cutoff)
    if not is_finished(layout, target.library, stage):
        try_models(authors.asked(settings.author), progress)
    first = stage if isinstance(request.library, Path) else 1
    run = Stages(layout, settings, engine, progress, authors).run(target, last=stage, first=first)
    counts = stage_manifest(layout, target.library, stage).counts
    file = layout.stage(target.library, RESULT_OF_STAGE[stage])
    return StageRun(target, run.candidates, run.bundles, run.tasks, counts, file)


def _bundles_of(candidates: Path, knowledge: Path | None) -> Path:
    """The file of bundles that stage 3 goes on from, which must have its usages beside it."""
    if knowledge is None:
        raise UsageError(f"name the bundles of {candidates} with --knowledge: the file that `apigap extract` wrote")
    usages = knowledge.with_name(f"{knowledge.stem}.usages.jsonl")
    if not usages.exists():
        raise UsageError(
            f"there is no {usages}; make it with: apigap extract --candidates {candidates} --out {knowledge}"
        )
    return knowledge
