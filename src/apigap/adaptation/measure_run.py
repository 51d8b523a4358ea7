"""`apigap adapt measure`: efficacy, generalisation and locality of an adapted model, beside it in measures.jsonl."""

import contextlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from apigap.adaptation.examples import Example, sft_examples
from apigap.adaptation.run import EXAMPLES, require_adapt
from apigap.evaluation.model_pool import Models
from apigap.gates.known_controls import ControlReport, ask_controls, control_tasks
from apigap.models.adapted import AdaptedModel, Measure, read_adapted, require_base
from apigap.records.base import canonical_json
from apigap.records.configuration import GenerationSettings, Settings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.progress import Progress
from apigap.records.store import load_records, read_bytes, write_records, write_text
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.task_choice import select_tasks, spread

if TYPE_CHECKING:
    from apigap.adaptation.measures import PromptSet

MEASURES, CONTROLS = "measures.jsonl", "controls.json"


@dataclass(frozen=True)
class Pool:
    """The tasks that an adapted model is measured on, and their APIs' knowledge.

    At most `limit` of a kind (0: all) are asked, spread over libraries and APIs.
    """

    tasks: Sequence[Task]
    bundles: Mapping[str, KnowledgeBundle]
    limit: int = 0


def measure_adapted(folder: Path, pool: Pool, generation: GenerationSettings, progress: Progress) -> list[Measure]:
    """Measure what is in `folder` against its base; see `prompt_sets`. Kinds and prompts that are left out are told.

    Raises:
        UsageError: when the folder has no adapted model.
        ModelUnavailable: when a model cannot be loaded, or the base is another one by now.
    """
    adapted = require_adapted(folder)
    require_adapt()
    from apigap.adaptation.inspect_provider import open_adapted
    from apigap.adaptation.loading import load
    from apigap.adaptation.measures import measure

    require_base(adapted)
    asked = prompt_sets(adapted, load_records(folder / EXAMPLES, Example), pool, generation)
    empty = ", ".join(one.kind for one in asked if not one.examples)
    if empty:
        progress.note(f"not measured, since the tasks given have none of that kind: {empty}")
    with contextlib.ExitStack() as stack:
        taught = open_adapted(str(folder), stack)
        found = measure(load(adapted.base), taught, asked, progress.step("prompts measured"), progress.note)
    write_records(folder / MEASURES, found)
    return found


def controls_of(folder: Path, settings: Settings, engine: Engine, progress: Progress) -> dict[str, ControlReport]:
    """pass@1 of base and adapted model on APIs that every model knows; kept in controls.json.

    Raises:
        UsageError: when the folder has no adapted model.
        ModelUnavailable: when a model cannot be asked.
    """
    adapted = require_adapted(folder)
    with Models(settings.generation) as models:
        found = {
            kind: ask_controls(model, settings, engine, models, progress, folder / f"controls.{kind}.jsonl")
            for kind, model in (("base", adapted.base_name), ("adapted", adapted.name_in(folder)))
        }
    reports = {kind: report.model_dump(mode="json") for kind, report in found.items()}
    write_text(folder / CONTROLS, canonical_json(reports) + "\n")
    return found


def read_controls(folder: Path) -> dict[str, ControlReport]:
    """The reports that `controls_of` has kept, by `base` and `adapted`; empty where nothing was asked.

    Raises:
        CorruptRecord: when it cannot be read.
    """
    path = folder / CONTROLS
    if not path.is_file():
        return {}
    try:
        return TypeAdapter(dict[str, ControlReport]).validate_json(read_bytes(path))
    except ValidationError as error:
        raise CorruptRecord(f"{path} tells of no control tasks; measure the model again, with --controls") from error


def require_adapted(folder: Path) -> AdaptedModel:
    """The adapted model in the folder.

    Raises:
        UsageError: when that is no adapted model.
    """
    adapted = read_adapted(folder)
    if adapted is None:
        raise UsageError(f"there is no adapted model in {folder}; make it with: apigap adapt METHOD --out {folder}")
    return adapted


def prompt_sets(
    adapted: AdaptedModel, taught: Sequence[Example], pool: Pool, generation: GenerationSettings
) -> "list[PromptSet]":
    """The prompts that are asked.

    `taught` as they were taught, `rephrased` in the other layout, and `bare` without the knowledge that they were
    taught with; then, without knowledge, other tasks: `same_api`, `new_api`, `new_library`, by what was taught; and
    `known`, the control tasks on APIs that every model knows.
    """
    from apigap.adaptation.measures import PromptSet

    ids, apis = {example.task_id for example in taught}, {example.api_name for example in taught}
    own = [task for task in pool.tasks if task.task_id in ids]
    others = [task for task in pool.tasks if task.task_id not in ids]
    libraries = frozenset(adapted.libraries) or _libraries_of(apis, pool)
    rank = {task.task_id: number for number, task in enumerate(spread(own))}
    first = sorted(taught, key=lambda example: rank.get(example.task_id, len(rank)))[: pool.limit or None]
    other = "published" if generation.layout == "instructed" else "instructed"
    rephrased = generation.model_copy(update={"layout": other})

    def part(task: Task) -> str:
        if task.api_name in apis:
            return "same_api"
        return "new_api" if task.library in libraries else "new_library"

    def asked(kind: str, some: Sequence[Task], condition: str, how: GenerationSettings) -> PromptSet:
        chosen = select_tasks(some, pool.limit)
        return PromptSet(kind, sft_examples(chosen, pool.bundles, condition, how) if chosen else [])

    return [
        PromptSet("taught", first),
        asked("rephrased", own, adapted.condition, rephrased),
        *([asked("bare", own, "baseline", generation)] if adapted.condition != "baseline" else []),
        *(
            asked(kind, [task for task in others if part(task) == kind], "baseline", generation)
            for kind in ("same_api", "new_api", "new_library")
        ),
        asked("known", control_tasks(), "baseline", generation),
    ]


def _libraries_of(apis: Set[str], pool: Pool) -> frozenset[str]:
    """The libraries of `apis`, as tasks and knowledge tell; of an API that is in neither those of its first name."""
    known = {one.api_name: one.library for one in (*pool.bundles.values(), *pool.tasks) if one.api_name in apis}
    first = {api.partition(".")[0] for api in apis - known.keys()}
    named = (task.library for task in pool.tasks if task.api_name.partition(".")[0] in first)
    return frozenset({*known.values(), *named})
