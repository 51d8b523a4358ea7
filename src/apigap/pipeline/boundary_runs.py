"""Whether single tasks lie beyond a model's cutoff where their release pair does not, by running their references."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from apigap.execution.engine import Engine
from apigap.execution.environments import EnvironmentStore
from apigap.gates.former import references_in
from apigap.gates.novelty import Boundary
from apigap.pipeline.progress import Progress
from apigap.records.errors import EnvironmentFailure
from apigap.records.task import Task


def settle(
    tasks: Sequence[Task], boundary: Callable[[Task], Boundary], engine: Engine, progress: Progress
) -> dict[str, Boundary]:
    """Where each task lies, by its id: what a release before the cutoff solves may have been seen, and nothing else.

    A task of an open pair whose reference does not pass in the newest release before the cutoff is a member. Where that
    release cannot be installed, it stays open.
    """
    found = {task.task_id: boundary(task) for task in tasks}
    releases: defaultdict[tuple[str, str], list[Task]] = defaultdict(list)
    for task in tasks:
        before = found[task.task_id].before
        if before is not None:
            releases[task.library, before].append(task)
    total = sum(map(len, releases.values()))
    step, done = progress.step("C2: references before the cutoff"), 0
    for (library, before), own in sorted(releases.items()):
        step(done, total)
        for task, passes in zip(own, _pass_in(library, before, own, engine), strict=True):
            found[task.task_id] = _settled(found[task.task_id], f"{library} {before}", passes)
        done += len(own)
        step(done, total)
    return found


def _pass_in(library: str, version: str, tasks: Sequence[Task], engine: Engine) -> list[bool | None]:
    """Whether each reference passes in that version; None where it cannot be installed."""
    try:
        environment = EnvironmentStore().get(library, version)
    except EnvironmentFailure:
        return [None] * len(tasks)
    return [verdict.outcome == "pass" for verdict in references_in(engine, environment, tasks, (library,))]


def _settled(boundary: Boundary, release: str, passes: bool | None) -> Boundary:
    if passes is None:
        return boundary.model_copy(update={"reason": f"{boundary.reason}; {release} cannot be installed here"})
    if passes:
        return boundary.model_copy(update={"reason": f"its reference passes in {release}, from before the cutoff"})
    reason = f"its reference does not pass in {release}, the newest release before the cutoff"
    return boundary.model_copy(update={"status": "member", "reason": reason})
