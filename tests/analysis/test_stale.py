"""The share of answers that write what is gone, condition by condition."""

from apigap.analysis.stale import stale_uses
from apigap.records.retired import Retirement
from apigap.records.task import Task
from apigap.reporting.model import AuditReport, Condition, SampleEntry
from apigap.reporting.tables import stale_lines
from apigap.statistics import clustered_wilson

GONE = Retirement(
    kind="removed", library="numpy", old_version="1", new_version="2", old_name="numpy.product", api_kind="function"
)


def sample(condition: str, task: str, code: str) -> SampleEntry:
    return SampleEntry(condition=condition, task_id=task, sample=0, outcome="fail", prompt="", answer=code, code=code)


def task(name: str, library: str = "numpy") -> Task:
    return Task.model_construct(
        task_id=name, api_name=f"{library}.f", library=library, context_code="import numpy as np"
    )


def test_answers_are_counted_by_condition_with_an_interval_of_clusters() -> None:
    tasks = {name: task(name) for name in "abc"} | {"d": task("d", "scipy")}
    samples = [
        sample("baseline", "a", "np.product(x)"), sample("baseline", "b", "np.prod(x)"),
        sample("baseline", "c", "np.product(x); np.product(y)"), sample("baseline", "d", "np.product(x)"),
        sample("full", "a", "np.prod(x)"),
    ]  # fmt: skip
    baseline, full = stale_uses([GONE], samples, tasks)
    assert (baseline.answers, baseline.stale, baseline.names) == (3, 2, (("numpy.product", 2),))
    interval = clustered_wilson([True, False, True], ["numpy.f"] * 3)
    assert (baseline.low, baseline.high) == (interval.low, interval.high)
    assert (full.answers, full.stale, full.names) == (1, 0, ())
    conditions = (Condition(name="baseline", title="no knowledge"), Condition(name="full", title="everything"))
    report = AuditReport.model_construct(conditions=conditions, stale=(baseline, full))
    first, second = stale_lines(report)
    assert first.startswith("no knowledge: 2 of 3 answers write what is gone (95 % interval ")
    assert first.endswith("most often numpy.product")
    assert second.startswith("everything: 0 of 1 answers")


def test_where_nothing_was_taken_away_there_is_nothing_to_count() -> None:
    assert stale_uses([], [sample("baseline", "a", "np.product(x)")], {"a": task("a")}) == ()
