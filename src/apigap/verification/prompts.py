"""The check of prompts: each is made again from the task, and must be the one that was answered."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.knowledge.bundle_files import read_bundles
from apigap.models.model_facts import decoding_within, room_for, window_of
from apigap.records.base import content_hash
from apigap.records.configuration import LAYOUTS, GenerationSettings
from apigap.records.errors import ApigapError, UsageError
from apigap.records.experiment import BASELINE
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Prediction
from apigap.records.task import Task
from apigap.verification.checks import Check, check_of
from apigap.verification.submission import Submission, entries, key_of, made_from, names_a_file

_NAME = "prompts"
_SHOWN = 60


def prompt_check(run: Submission, tasks: Mapping[str, Task], knowledge: Sequence[Path]) -> Check:
    """Check that every answer is to the prompt that its condition makes of its task, and to nothing that was put in."""
    told = entries(made_from(run.asked).get("generation"))
    if not told:
        return _unchecked("no manifest says which prompts were asked")
    own_template = told.get("layout") not in LAYOUTS
    conditions = {key_of(row).partition("/")[2] for row in run.predictions}
    if own_template or "retrieval" in made_from(run.asked):
        what = "a template of its own" if own_template else "what retrieval found"
        return _unchecked(f"its prompts show {what}, so they cannot be made again")
    try:
        settings = GenerationSettings.model_validate(told)
    except ValidationError:
        return _unchecked("its manifest does not say which prompts were asked")
    if len(conditions) != 1:
        return check_of(_NAME, [f"answers are of {len(conditions)} conditions, not of one"], "")
    (condition,) = conditions
    said = made_from(run.asked).get("condition", condition)
    if said != condition:
        return check_of(_NAME, [f"its manifest says {_short(said)}, its answers are of the condition {condition}"], "")
    try:
        prompter = _prompter(run, condition, tasks, settings, knowledge)
        other = list(_other_prompts(run.predictions, prompter, tasks))
    except ApigapError as error:
        return _unchecked(str(error))
    return check_of(_NAME, other, f"{len(run.predictions)} prompts of the condition {condition}, made again")


def _prompter(
    run: Submission, condition: str, tasks: Mapping[str, Task], settings: GenerationSettings, knowledge: Sequence[Path]
) -> Prompter:
    """The maker of a run's prompts.

    Raises:
        UsageError: when its knowledge is not at hand.
    """
    if condition == BASELINE.name:
        return Prompter(settings, condition, from_bundles({}, condition))
    bundles = read_bundles(knowledge, list(tasks.values()))
    known = {bundle.api_name: bundle for bundle in bundles}
    if str(made_from(run.asked).get("knowledge")) not in _hashes(bundles, known):
        raise UsageError(
            "its prompts show other bundles than those at hand; give the files that it was asked with by --knowledge"
        )
    model = run.model or ""
    if names_a_file(model):
        raise UsageError(f"its model {model} is a file, and what that says of its window is not taken on trust")
    room = room_for(window_of(model), decoding_within(model, settings.max_tokens).max_tokens)
    return Prompter(settings, condition, from_bundles(known, condition), room)


def _hashes(bundles: Sequence[KnowledgeBundle], known: Mapping[str, KnowledgeBundle]) -> set[str]:
    """The hash of the bundles as an experiment has it and as `apigap predict` has it: the last one of each API."""
    return {content_hash(sorted(bundle.to_line() for bundle in rows)) for rows in (bundles, known.values())}


def _other_prompts(predictions: Sequence[Prediction], prompter: Prompter, tasks: Mapping[str, Task]) -> Iterator[str]:
    for prediction in predictions:
        task = tasks.get(prediction.task_id)
        if task is None:
            continue
        shown = (prediction.model_extra or {}).get("prompt")
        if key_of(prediction).partition("/")[0] != task.task_id:
            yield f"the answer to task {task.task_id} has the key of another request: {_short(key_of(prediction))}"
        elif shown is None:
            yield f"the answer to task {task.task_id} is without its prompt"
        elif not prompter.applies(task) or shown != _text(prompter, task):
            yield f"task {task.task_id} was not asked as its condition asks it"


def _short(value: object) -> str:
    return str(value)[:_SHOWN]


def _text(prompter: Prompter, task: Task) -> str:
    return "\n\n".join(message.content for message in prompter.prompt(task))


def _unchecked(told: str) -> Check:
    return Check(name=_NAME, state="unchecked", told=told)
