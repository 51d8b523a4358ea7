"""The boundary for single tasks, by the day on which their API first appeared: what a date decides is not run."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from apigap.discovery.library import find_library
from apigap.discovery.since.dating import with_first_releases
from apigap.gates.novelty import Boundary
from apigap.records.candidate import Candidate, Since
from apigap.records.errors import InfrastructureError
from apigap.records.progress import Progress
from apigap.records.task import Task


def settled_by_date(
    tasks: Sequence[Task],
    boundaries: Mapping[str, Boundary],
    candidates: Mapping[str, Candidate],
    cutoff: date,
    progress: Progress,
) -> dict[str, Boundary]:
    """The boundaries by the tasks' ids, those of open pairs settled where the first release of an API says it.

    An API that was released before `cutoff`, as changed, is not new to the model. One that was added since cannot be
    in the release before it. All else is left to be run: a changed API may have had what its task asks for already.
    Only `candidates` (by API) of tasks that are to be decided are dated.
    """
    waiting = [task for task in tasks if boundaries[task.task_id].before and task.api_name in candidates]
    own = {task.api_name: candidates[task.api_name] for task in waiting if _is_of(task, candidates[task.api_name])}
    since = _first_releases(list(own.values()), progress)
    found = dict(boundaries)
    for task in waiting:
        first = since.get(task.api_name)
        if first is not None:
            found[task.task_id] = _settled(found[task.task_id], own[task.api_name], first, cutoff)
    return found


def _is_of(task: Task, candidate: Candidate) -> bool:
    return (task.library, task.old_version, task.version) == (
        candidate.library,
        candidate.old_version,
        candidate.new_version,
    )


def _first_releases(candidates: Sequence[Candidate], progress: Progress) -> dict[str, Since]:
    """The first release of each by its name; what cannot be fetched now is told, and its tasks are run."""
    pairs: defaultdict[tuple[str, str | None, str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        pairs[candidate.library, candidate.old_version, candidate.new_version].append(candidate)
    found = list(candidates)
    for (library, old, new), same in sorted(pairs.items(), key=str):
        if all(candidate.since for candidate in same):
            continue
        try:
            step = progress.step(f"{library}: first releases")
            found += with_first_releases(find_library(library), same, old, new, step)
        except InfrastructureError as error:
            progress.note(f"{library}: the first releases of its APIs are not known, so their tasks are run: {error}")
    return {candidate.api_name: candidate.since for candidate in found if candidate.since}


def _settled(boundary: Boundary, candidate: Candidate, first: Since, cutoff: date) -> Boundary:
    if not first.exact or first.released is None:
        return boundary
    what = f"{candidate.api_name} is there {first}" if candidate.change == "added" else f"its change is there {first}"
    if first.released < cutoff:
        return Boundary(status="open", reason=f"{what}, before {cutoff}")
    if candidate.change == "added":
        return Boundary(status="member", reason=f"{what}, not before {cutoff}")
    return boundary
