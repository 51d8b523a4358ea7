"""From what a command names to advice on disk: releases are compared, answers read, a model may be asked again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apigap.advice.advise import advise, answered, candidates_by_name
from apigap.advice.proof import proven
from apigap.closing.asker import CellAsker
from apigap.cluster.engines import engine_of
from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.experiments.cell_judge import CellJudge
from apigap.exports.gap_export import read_gap
from apigap.models.generate import Generator
from apigap.models.trial import try_models
from apigap.projects.changes import Changes, changes_between
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean, path_part
from apigap.records.progress import Progress
from apigap.records.store import write_text
from apigap.records.task import Task
from apigap.reporting.advice_model import AdviceReport
from apigap.reporting.render import render_advice
from apigap.stages.first_releases import with_dates
from apigap.stages.versions import resolve_versions


@dataclass(frozen=True)
class AdviceRequest:
    """A library and its releases, or an experiment in `data`; `again` are APIs whose advice is put to the test."""

    library: str | None
    old: str | None
    new: str | None
    experiment: str | None
    tasks: Sequence[Path]
    again: Sequence[str]
    model: str | None
    data: Path
    out: Path | None = None
    unsafe_local: bool = False


@dataclass(frozen=True)
class Advised:
    """The report, and its page."""

    report: AdviceReport
    page: Path


def run_advice(
    request: AdviceRequest, settings: Settings, progress: Progress, make: MakeGenerator = Generator
) -> Advised:
    """Give advice, write it as a page and as JSON, and with `again` ask the model with the changed docstrings.

    Raises:
        UsageError: when a release cannot be told, or an API is named that is none of the experiment's.
        InfrastructureError: when a release cannot be read here.
        AnswersAwaited: when the model is a folder that lacks answers; the same command goes on.
    """
    if request.experiment is None:
        assert request.library is not None
        target = resolve_versions(
            request.library, request.old, request.new, request.model, cutoff=settings.gates.cutoff
        )
        if target.old is None:
            raise UsageError(f"{request.library} has no older release to compare with; name one with --old")
        changes = [_changes(request, (target.library, target.old, target.new), (), settings, progress)]
        return _written(request, f"{target.library}-{target.old}-{target.new}", advise(changes))
    gap = read_gap(request.data, request.experiment, (), request.tasks, bundles=False)
    assert gap.report is not None
    pairs = sorted({(task.library, task.old_version, task.version) for task in gap.asked if task.old_version})
    asked = {task.api_name for task in gap.asked}
    changes = [_changes(request, (name, str(old), new), asked, settings, progress) for name, old, new in pairs]
    report = advise(changes, answered(gap.report, request.data, request.experiment))
    name = path_part(request.experiment, "an experiment")
    if request.again:
        report = _asked_again(
            request, report, changes, gap.asked, request.model or gap.report.model, settings, progress, make
        )
    return _written(request, name, report)


def _changes(
    request: AdviceRequest,
    pair: tuple[str, str, str],
    asked: Collection[str],
    settings: Settings,
    progress: Progress,
) -> Changes:
    """The changes of a library between two releases: of the APIs that were `asked` about, else of all, dated."""
    library, old, new = pair
    found = changes_between(library, old, new, settings=settings, unsafe_local=request.unsafe_local, progress=progress)
    wanted = [one for one in found.candidates if one.api_name in asked] if asked else found.heads
    classes = [one for one in found.candidates if one.kind == "class"]
    dated = with_dates(found.library, wanted, found.old, found.new, progress)
    return replace(found, candidates=dated, classes=classes)


def _asked_again(
    request: AdviceRequest,
    report: AdviceReport,
    changes: Sequence[Changes],
    tasks: Sequence[Task],
    model: str,
    settings: Settings,
    progress: Progress,
    make: MakeGenerator,
) -> AdviceReport:
    names = [api.api_name for api in report.apis]
    for name in request.again:
        if name not in names:
            raise UsageError(
                f"there is no advice on {name!r}; {did_you_mean(name, names, 'leave --again out for a list')}"
            )
    chosen = [api for api in report.apis if api.api_name in request.again]
    asked = [task for task in tasks if task.api_name in request.again]
    try_models([(model, settings.generation.max_tokens)], progress)
    folder = _folder(request, str(request.experiment)) / "again"
    with (
        engine_of(settings.execution, request.unsafe_local, packages=settings.packages) as engine,
        Models(settings.generation, make) as models,
    ):
        asker = CellAsker(model, settings, models, CellJudge(asked, settings, engine, progress), progress)
        done = {one.api_name: one for one in proven(chosen, candidates_by_name(changes), asked, asker, folder)}
    return report.model_copy(update={"apis": tuple(done.get(api.api_name, api) for api in report.apis)})


def _written(request: AdviceRequest, name: str, report: AdviceReport) -> Advised:
    folder = _folder(request, name)
    write_text(folder / "advice.json", report.model_dump_json(indent=2) + "\n")
    write_text(folder / "advice.html", render_advice(report))
    return Advised(report, folder / "advice.html")


def _folder(request: AdviceRequest, name: str) -> Path:
    return request.out or request.data / "advice" / name
