"""Advice on the documentation of a release: facts of each API from its text and from answers, and what to change."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.advice.facts import ApiFacts
from apigap.advice.rules import advices_of, amended
from apigap.closing.files import ClosingFiles
from apigap.knowledge.conditions import CONDITIONS
from apigap.projects.changes import Changes
from apigap.records.candidate import Candidate
from apigap.records.errors import UsageError
from apigap.records.store import read_text
from apigap.reporting.advice_model import AdviceReport, ApiAdvice
from apigap.reporting.cells import ApiRow, api_rows, cells_of
from apigap.reporting.closing_model import ClosingReport
from apigap.reporting.entries import TITLES
from apigap.reporting.model import AuditReport, SampleEntry
from apigap.reporting.tools_model import Share

_COMPONENTS = ("exemplars", "parameters", "prose", "code", "name")
_PIECES = {
    "signature": "parameters", "example": "exemplars", "more examples": "exemplars", "prose": "prose",
    "source code": "code",
}  # fmt: skip


@dataclass(frozen=True)
class Answered:
    """The findings on a model: the report of an experiment, and where it was closed the report on that."""

    report: AuditReport
    closing: ClosingReport | None = None


def answered(report: AuditReport, root: Path, experiment: str) -> Answered:
    """The answers of an experiment in the data folder `root`, with the closing of it where there is one."""
    record = ClosingFiles(root, experiment).record
    return Answered(report, ClosingReport.model_validate_json(read_text(record)) if record.exists() else None)


def advise(changes: Sequence[Changes], answers: Answered | None = None) -> AdviceReport:
    """Changes to make in the documentation of each API that is new or changed.

    With answers, only APIs that were asked about; else those that stand for their family.

    Raises:
        UsageError: when none of the APIs that were asked about is among the changes.
    """
    facts = [one for each in changes for one in _facts(each, answers)]
    if answers and not facts:
        raise UsageError(
            "none of the APIs that the experiment asks about is new or changed between the releases of its tasks; "
            "leave --experiment out for advice without answers"
        )
    found = [_advice(one) for one in facts]
    apis = sorted((one for one in found if one.advices), key=lambda one: (-one.failed.right, one.library, one.api_name))
    releases = ", ".join(f"{one.library} {one.old} -> {one.new}" for one in changes)
    return AdviceReport(
        title=f"Advice on {releases}",
        model=answers.report.model if answers else "",
        apis=tuple(apis),
        fine=tuple(one.api_name for one in found if not one.advices),
        notes=() if answers else ("No model was asked: the advice is by the text of the release alone.",),
    )


def candidates_by_name(changes: Iterable[Changes]) -> dict[str, Candidate]:
    """The candidates of all releases by their names."""
    return {one.api_name: one for each in changes for one in each.candidates}


def _facts(changes: Changes, answers: Answered | None) -> list[ApiFacts]:
    bundles = {bundle.api_name: bundle for bundle in changes.bundles}
    if answers is None:
        return [ApiFacts(one, bundles.get(one.api_name), classes=changes.classes) for one in changes.heads]
    report = answers.report
    rows = {row.api_name: row for row in api_rows(report, cells_of(report))}
    baseline = report.conditions[0].name
    samples: defaultdict[str, list[SampleEntry]] = defaultdict(list)
    apis = {task.task_id: task.api_name for task in report.tasks}
    refused: defaultdict[str, list[SampleEntry]] = defaultdict(list)
    for sample in report.samples:
        if sample.condition == baseline:
            samples[apis[sample.task_id]].append(sample)
        if sample.refused:
            refused[apis[sample.task_id]].append(sample)
    return [
        ApiFacts(
            one, bundles.get(one.api_name), rows[one.api_name].need(baseline), samples[one.api_name],
            _cures(rows[one.api_name], baseline, answers.closing), refused[one.api_name], changes.classes,
        )
        for one in changes.candidates
        if one.api_name in rows
    ]  # fmt: skip


def _cures(row: ApiRow, baseline: str, closing: ClosingReport | None) -> Mapping[str, str]:
    """A sentence for each component with which the model could use the API, by the smallest condition that has it."""
    found: dict[str, str] = {}
    text = next((one for one in closing.texts if one.api_name == row.api_name), None) if closing else None
    if text and text.state == "closes":
        for piece in text.text.split(" + "):
            if piece in _PIECES:
                found[_PIECES[piece]] = (
                    f"with {text.text} the model can use it; that is the smallest text that is enough"
                )
    if not row.is_gap(baseline):
        return found
    enough = sorted(
        (name.rpartition(".")[2] for name, usable in row.usable.items() if usable and name != baseline),
        key=lambda name: len(CONDITIONS.get(name, ())),
    )
    for component in _COMPONENTS:
        cure = next((name for name in enough if component in CONDITIONS.get(name, ())), None)
        if cure and component not in found:
            found[component] = f"with {TITLES.get(cure, cure)} the model can use it, without it not"
    return found


def _advice(facts: ApiFacts) -> ApiAdvice:
    advices = advices_of(facts)
    candidate = facts.candidate
    return ApiAdvice(
        api_name=candidate.api_name,
        library=candidate.library,
        change=candidate.change,
        need=facts.need,
        failed=Share(
            right=len(facts.failed), of=sum(sample.outcome in ("pass", "fail") for sample in facts.without_help)
        ),
        advices=tuple(advices),
        before=facts.docstring,
        after=amended(facts.docstring, advices),
    )
