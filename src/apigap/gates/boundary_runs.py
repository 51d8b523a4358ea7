"""The boundary for single tasks: where their release pair is not beyond a model's cutoff, their references are run."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from apigap.gates.novelty import Boundary
from apigap.gates.older_version import former_environment, references_in, stopped_by
from apigap.records.errors import EnvironmentFailure
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import Verdict

# What is said where resolving or building has failed, and where the index, the disk or another process is to blame.
_FINAL = re.compile(
    "no solution found|unsatisfiable|we can conclude|cannot be built from source|no wheels for this python|"
    "on any python of this machine|takes gigabytes",
    re.I,
)
_PASSING = re.compile(
    r"failed to fetch|request failed|error sending request|network was disabled|returned a \d{3}|no space left|sigkill",
    re.I,
)


def boundaries_of(
    tasks: Sequence[Task], boundary: Callable[[Task], Boundary], engine: Engine, progress: Progress
) -> dict[str, Boundary]:
    """The boundary of each task, by its id: what a release before the cutoff solves may have been seen, nothing else.

    A task of an open pair whose reference does not pass in the newest release before the cutoff is a member. Where that
    release cannot be installed for this Python, it stays open; where infrastructure kept the reference from being run,
    it is untold.
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
        for task, seen in zip(own, _seen_in(library, before, own, engine), strict=True):
            found[task.task_id] = _settled(found[task.task_id], f"{library} {before}", seen)
        done += len(own)
        step(done, total)
    return found


def _seen_in(
    library: str, version: str, tasks: Sequence[Task], engine: Engine
) -> Sequence[Verdict | EnvironmentFailure]:
    """The verdict on each reference in that version, or why it cannot be installed."""
    try:
        environment = former_environment(tasks, version, engine)
    except EnvironmentFailure as error:
        return [error] * len(tasks)
    return references_in(engine, environment, tasks, (library,))


def _settled(boundary: Boundary, release: str, seen: Verdict | EnvironmentFailure) -> Boundary:
    if isinstance(seen, EnvironmentFailure):
        if _may_pass(seen):
            return boundary.model_copy(update={"status": "untold", "reason": f"{release} is not installed yet: {seen}"})
        return boundary.model_copy(update={"reason": f"{boundary.reason}; {release} cannot be installed here"})
    stopped = stopped_by(seen)
    if stopped:
        reason = f"its reference could not be run in {release}: {stopped}"
        return boundary.model_copy(update={"status": "untold", "reason": reason})
    if seen.outcome == "pass":
        return boundary.model_copy(update={"reason": f"its reference passes in {release}, from before the cutoff"})
    reason = f"its reference does not pass in {release}, the newest release before the cutoff"
    return boundary.model_copy(update={"status": "member", "reason": reason})


def _may_pass(error: EnvironmentFailure) -> bool:
    """Tell whether a later try may install it: what nobody says of the release itself is taken for infrastructure."""
    return bool(_PASSING.search(str(error))) or not _FINAL.search(str(error))
