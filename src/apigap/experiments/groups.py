"""A group's tasks and bundles for one model, gathered from its libraries and divided for training and test."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from apigap.discovery.library import own_name
from apigap.experiments.group_config import GroupConfig
from apigap.gates.record import GateRecord
from apigap.records.base import Record, canonical_json, content_hash
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest
from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from apigap.stages.files import is_finished
from apigap.version import __version__

TASKS, BUNDLES = "tasks.jsonl", "bundles.jsonl"
NO_BUNDLE, STRANGE = "its API has no bundle", "its library is not in the group"
"""Reasons for which a task is left out, beside the gates that it did not pass."""
_SEED = "apigap split 1"
LeftOut = dict[str, dict[str, int]]
"""By reason and library the number of tasks that are left out."""


@dataclass(frozen=True)
class Divided:
    """Tasks for training and for the test; no API is in both."""

    train: tuple[Task, ...]
    test: tuple[Task, ...]


class GroupCounts(Record):
    """Tasks and APIs of a group, the sizes of its parts, the tasks per library, and the libraries that have none.

    Of the `given` tasks those of `left_out` are not in it, by reason and library.
    """

    tasks: int
    apis: int
    train: int
    test: int
    libraries: dict[str, int]
    without: dict[str, str]
    given: int = 0
    left_out: LeftOut = {}


@dataclass(frozen=True)
class BuiltGroup:
    """A group on disk: its folder, its tasks, the libraries that have none, with why, and the tasks left out."""

    folder: Path
    tasks: tuple[Task, ...]
    divided: Divided
    without: dict[str, str]
    left_out: LeftOut

    @property
    def counts(self) -> GroupCounts:
        """The counts of its manifest."""
        return GroupCounts(
            tasks=len(self.tasks),
            apis=len({task.api_name for task in self.tasks}),
            train=len(self.divided.train),
            test=len(self.divided.test),
            libraries=dict(sorted(Counter(task.library for task in self.tasks).items())),
            without=self.without,
            given=len(self.tasks) + sum(sum(counts.values()) for counts in self.left_out.values()),
            left_out=self.left_out,
        )


def group_folder(root: Path, group: str, model: str) -> Path:
    """The folder of a group's files for a model: `processed/groups/{group}/{model}`."""
    return root / "processed" / "groups" / group / Layout(root, model).slug


def build_group(config: GroupConfig, model: str, root: Path) -> BuiltGroup:
    """Gather stage 4's tasks and stage 2's bundles of the group's libraries, for one model.

    A library whose stage 4 is not complete is left out: its tasks would be others once it is. Tasks that did not pass a
    gate are counted by the first one that they did not pass.

    Raises:
        UsageError: when no library of the group has tasks for the model.
    """
    layout = Layout(root, model)
    tasks: list[Task] = []
    bundles: list[KnowledgeBundle] = []
    without: dict[str, str] = {}
    left_out: LeftOut = {}
    for library in config.libraries:
        path = layout.stage(library, "stage4_filtered")
        complete = is_finished(layout, library, stage=4)
        own = load_records(path, Task) if complete else []
        if not own:
            begun = "its stage 4 is not complete: " if path.exists() else ""
            command = f"{begun}apigap pipeline --library {library} --model {model}"
            without[library] = "no task passed its gates" if complete else command
        if complete:
            for reason, count in _stopped(layout.stage(library, "stage4_gates")).items():
                left_out.setdefault(reason, {})[library] = count
        tasks += own
        bundles += load_records(layout.stage(library, "stage2_knowledge"), KnowledgeBundle) if own else []
    return write_built(config, model, root, tasks, bundles, without, left_out)


def _stopped(gates: Path) -> Counter[str]:
    """The number of tasks that each gate was the first to stop; nothing where its file is not there."""
    stopped: dict[str, str] = {}
    for record in load_records(gates, GateRecord) if gates.exists() else ():
        if not record.lets_pass:
            stopped.setdefault(record.task_id, f"{record.gate.upper()} {record.status}")
    return Counter(stopped.values())


def group_of_tasks(
    config: GroupConfig, model: str, root: Path, tasks: Iterable[Task], bundles: Iterable[KnowledgeBundle]
) -> BuiltGroup:
    """The group made of tasks at hand, such as the starter benchmark's, instead of those of stage 4.

    Raises:
        UsageError: when none of the tasks is of a library of the group and has a bundle.
    """
    wanted = {_key(library): library for library in config.libraries}
    given = list(tasks)
    own = [task for task in given if _key(task.library) in wanted]
    asked = {_key(task.library) for task in own}
    without = {name: "none of the tasks given is of it" for key, name in wanted.items() if key not in asked}
    strange = Counter(task.library for task in given if _key(task.library) not in wanted)
    known = [bundle for bundle in bundles if _key(bundle.library) in wanted]
    return write_built(config, model, root, own, known, without, {STRANGE: dict(strange)})


def write_built(
    config: GroupConfig,
    model: str,
    root: Path,
    tasks: Sequence[Task],
    bundles: Sequence[KnowledgeBundle],
    without: dict[str, str],
    left_out: LeftOut,
) -> BuiltGroup:
    """Write the tasks that have a bundle, the bundles, both parts and a manifest; the same input gives the same bytes.

    Raises:
        UsageError: when there are no tasks; tells what was left out and why.
    """
    described = {bundle.api_name for bundle in bundles}
    kept = [task for task in tasks if task.api_name in described]
    bare = Counter(task.library for task in tasks if task.api_name not in described)
    without = without | {
        library: f"{NO_BUNDLE} ({count} tasks)"
        for library, count in sorted(bare.items())
        if library not in {task.library for task in kept}
    }
    left_out = {
        reason: dict(sorted(counts.items())) for reason, counts in {NO_BUNDLE: bare, **left_out}.items() if counts
    }
    if not kept:
        first = next(iter(without.items()), ("", "give it libraries"))
        left = "".join(f"; {told}" for told in told_left_out(left_out))
        raise UsageError(f"group {config.name} has no tasks for {model}: {first[0]}: {first[1]}{left}")
    folder = group_folder(root, config.name, model)
    ordered = tuple(sorted(kept, key=lambda task: (task.library.lower(), task.api_name, task.task_id)))
    built = BuiltGroup(folder, ordered, divide(config, ordered), without, left_out)
    write_records(folder / TASKS, ordered)
    shown = sorted(bundles, key=lambda bundle: (bundle.library.lower(), bundle.api_name))
    write_records(folder / BUNDLES, shown)
    write_records(folder / "train.jsonl", built.divided.train)
    write_records(folder / "test.jsonl", built.divided.test)
    made_from = {
        "group": config.model_dump(mode="json"),
        "model": model,
        "tasks": content_hash([task.task_id for task in ordered]),
        "bundles": content_hash([bundle.to_line() for bundle in shown]),
    }
    counts = built.counts.model_dump(mode="json")
    manifest = Manifest(apigap=__version__, stage="group", made_from=made_from, counts=counts, complete=True)
    write_text(folder / "group.manifest.json", canonical_json(manifest.model_dump(mode="json")) + "\n")
    return built


def told_left_out(left_out: LeftOut) -> list[str]:
    """A line for each reason, with the number of tasks in all and by library."""
    return [
        f"{sum(counts.values())} left out: {reason} ({', '.join(f'{name} {n}' for name, n in counts.items())})"
        for reason, counts in left_out.items()
    ]


def divide(config: GroupConfig, tasks: Sequence[Task]) -> Divided:
    """The parts of the group's split; what an API is for does not depend on the order of tasks or on other libraries.

    Within each library the APIs are ranked by the hash of their name, and the first `train_share` of them are for
    training; a library with two APIs or more has at least one in each part.
    """
    if config.split == "none":
        return Divided((), tuple(tasks))
    if config.split == "held_out":
        out = {_key(library) for library in config.held_out}
        training = {task.api_name for task in tasks if _key(task.library) not in out}
    else:
        libraries = {task.library for task in tasks}
        training = {api for one in libraries for api in _first(one, config.train_share, tasks)}
    train = tuple(task for task in tasks if task.api_name in training)
    return Divided(train, tuple(task for task in tasks if task.api_name not in training))


def _key(library: str) -> str:
    """The name by which a library is known, in one spelling."""
    return canonicalize_name(own_name(library))


def _first(library: str, share: float, tasks: Sequence[Task]) -> list[str]:
    apis = {task.api_name for task in tasks if task.library == library}
    ranked = sorted(apis, key=lambda api: hashlib.sha256(f"{_SEED}\0{library}\0{api}".encode()).digest())
    count = round(share * len(ranked))
    return ranked[: min(max(count, 1), len(ranked) - 1) if len(ranked) > 1 else 1]
