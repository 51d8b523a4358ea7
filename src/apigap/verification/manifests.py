"""Checks of manifests: is everything named that decides a verdict, and are the files those that were made?"""

from collections.abc import Iterator, Mapping
from typing import Any

from apigap.analysis.compare import CELL, SCORE
from apigap.records.base import content_hash
from apigap.records.manifest import Manifest
from apigap.verification.checks import Check, check_of
from apigap.verification.submission import Submission, entries, hash_of, made_from

_ASKING = "predictions"


def manifest_checks(run: Submission, tasks_file: str) -> list[Check]:
    """The checks of a run's manifests; `tasks_file` is the hash of the tasks that it must have been judged by."""
    return [
        check_of("files", run.faults, "every file can be read"),
        check_of("answers named", _asking(run), f"model {run.model}, with decoding and prompts"),
        check_of("verdicts named", _judging(run, tasks_file), "evaluator, tasks, environments, limits and isolation"),
        check_of("hashes", _hashes(run), "answers and verdicts are those that their manifests name"),
    ]


def _asking(run: Submission) -> Iterator[str]:
    """The faults of the answers' manifest."""
    if run.answers is None:
        yield "the answers are not beside the verdicts, or are no longer those that were judged"
    elif run.asked is None:
        yield f"there is no manifest beside {run.answers.name}, so nobody knows who answered"
    else:
        if run.asked.stage != _ASKING and not run.asked.stage.startswith("predict "):
            yield f"the manifest beside {run.answers.name} is of {run.asked.stage!r}, not of answers"
        if not run.asked.complete:
            yield "the answers are not complete: the same command goes on with them"
        if run.model is None:
            yield "the manifest of the answers names no model"
        elif not entries(run.asked.made_from.get("model")).get("decoding"):
            yield "the manifest of the answers does not say how they were decoded"
        if not entries(run.asked.made_from.get("generation")):
            yield "the manifest of the answers does not say which prompts were asked"


def _judging(run: Submission, tasks_file: str) -> Iterator[str]:
    """The faults of the verdicts' manifest."""
    manifest = run.manifest
    if manifest is None:
        yield f"there is no manifest beside {run.path.name}, so nobody knows how it was judged"
        return
    if manifest.stage != CELL and not manifest.stage.startswith(SCORE):
        yield f"the manifest beside {run.path.name} is of {manifest.stage!r}, not of verdicts"
    if not manifest.complete:
        yield "verdicts are wanting (infra, or the run was ended): the same command goes on with them"
    missing = [key for key in ("evaluator", "tasks") if not manifest.made_from.get(key)]
    yield from (f"the manifest of the verdicts names no {key}" for key in missing)
    if not environments_of(manifest):
        yield "the manifest of the verdicts names no environment"
    limits = entries(manifest.made_from.get("execution")) if run.is_cell else manifest.made_from
    if not limits.get("limits" if not run.is_cell else "cpu_seconds"):
        yield "the manifest of the verdicts names no limits"
    if entries(limits.get("isolation")).get("backend") in (None, "none"):
        yield "the answers were judged without isolation, which an answer can use"
    if not run.is_cell and manifest.made_from.get("tasks") not in (None, tasks_file):
        yield (
            f"it was judged by another tasks file (hash {manifest.made_from['tasks']}, not {tasks_file}): name with "
            "--tasks the edition, or the library of it, that was answered"
        )


def _hashes(run: Submission) -> Iterator[str]:
    """The files that are no longer what their manifests say, and manifests that do not belong together."""
    if run.manifest is None or run.answers is None:
        yield "without both manifests and the answers there is nothing to hold the files against"
        return
    yield from _changed(run.manifest, run.path.name, hash_of(run.path))
    if run.asked is not None and run.asked.files:
        yield from _changed(run.asked, run.answers.name, hash_of(run.answers))
    if not run.is_cell:
        return
    if str(run.manifest.made_from.get("predictions")) not in _hashes_of_answers(run):
        yield "the verdicts are on other answers than those in predictions.jsonl"
    if run.asked is not None and run.asked.counts.get("tasks") != run.manifest.made_from.get("tasks"):
        yield "the answers were asked about other tasks than those that were judged"


def _changed(manifest: Manifest, name: str, digest: str | None) -> Iterator[str]:
    if name not in manifest.files:
        yield f"the manifest does not name {name}"
    elif digest is None:
        yield f"{name} cannot be read, so nobody knows whether it has been changed"
    elif manifest.files[name] != digest:
        yield f"{name} has been changed: its hash is {digest}, the manifest has {manifest.files[name]}"


def _hashes_of_answers(run: Submission) -> set[str]:
    """The hash of all answers of a cell, and of those to tasks with a verdict: a file may hold answers to more."""
    judged = {row.task_id for row in run.results}
    chosen = (run.predictions, [row for row in run.predictions if row.task_id in judged])
    return {content_hash([row.to_line() for row in rows]) for rows in chosen}


def environments_of(manifest: Manifest | None) -> Mapping[str, Any]:
    """The locks of the environments in which verdicts were reached, by release."""
    told = made_from(manifest).get("environments") or (manifest.counts.get("environments") if manifest else None)
    return entries(told)
