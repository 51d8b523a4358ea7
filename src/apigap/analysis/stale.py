"""The share of answers that still write what a release took away, when nobody names it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from apigap.diagnosis.stale_names import StaleNames
from apigap.records.retired import Retirement
from apigap.records.task import Task
from apigap.reporting.model import SampleEntry, StaleUse
from apigap.statistics import clustered_wilson

_MOST_NAMES = 10


def stale_uses(
    retired: Sequence[Retirement], samples: Sequence[SampleEntry], tasks: Mapping[str, Task]
) -> tuple[StaleUse, ...]:
    """One row per condition, in the order of the samples; none where nothing was taken away.

    The answers of one API are no independent observations, so the interval is of clusters.
    """
    by_library: defaultdict[str, list[Retirement]] = defaultdict(list)
    for one in retired:
        by_library[one.library].append(one)
    names = {library: StaleNames(of_library) for library, of_library in by_library.items()}
    rows: dict[str, list[tuple[str, list[str]]]] = {}
    for sample in samples:
        task = tasks[sample.task_id]
        if task.library in names:
            found = names[task.library].written_in(sample.code, task.context_code)
            rows.setdefault(sample.condition, []).append((task.api_name, found))
    return tuple(_row(condition, of_condition) for condition, of_condition in rows.items())


def _row(condition: str, rows: Sequence[tuple[str, list[str]]]) -> StaleUse:
    interval = clustered_wilson([bool(found) for _, found in rows], [api for api, _ in rows])
    counts = Counter(name for _, found in rows for name in found)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return StaleUse(
        condition=condition,
        answers=len(rows),
        stale=sum(bool(found) for _, found in rows),
        low=interval.low,
        high=interval.high,
        names=tuple(ordered[:_MOST_NAMES]),
    )
