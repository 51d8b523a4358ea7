"""Answers that call the target for show and make the values by hand, where results are objects of a library."""

import pytest

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.packages.workshop import environment_store
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.starter_files import library_path
from apigap.tasks.task_files import load_tasks

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

WIDTHS = """
shapely.minimum_width(box(0, 0, 1, 1)).wkt
def width(piece):
    hull = piece.convex_hull
    if hull.geom_type != "Polygon":
        return 0.0
    ring = np.array(hull.exterior.coords)[:-1]
    best = np.inf
    for a, b in zip(ring, np.roll(ring, -1, axis=0)):
        e = (b - a) / np.hypot(*(b - a))
        best = min(best, np.abs((ring - a) @ np.array([-e[1], e[0]])).max())
    return float(best)
needed = np.array([width(piece) for piece in pieces])
fits = (needed <= door).tolist()
"""
WEEKS = """
Date("2026-01-07").start_of("week_mon").format_iso()
weeks = {}
for shop, day, amount in sales:
    number = day.day_of_week().value
    key = (shop, day.subtract(days=number % 7 if shop in american else number - 1))
    weeks[key] = weeks.get(key, 0) + amount
"""
TABLE = [("shapely", "96eaa4ebbdf42e5a", WIDTHS), ("whenever", "6b4a0e33be49cb85", WEEKS)]


@pytest.mark.parametrize(("library", "task_id", "code"), TABLE, ids=[row[0] for row in TABLE])
def test_a_call_for_show_is_none(library: str, task_id: str, code: str) -> None:
    task = next(task for task in load_tasks(library_path(library, "2026.11")) if task.task_id == task_id)
    with Engine() as engine:
        environment = environment_at(library, task.version, environment_store(engine), task.python)
        preload = preload_of([task.api_name], environment, engine)
        shown, right = judge_trials(
            engine, environment, [Trial(task, code), Trial(task, task.masked_region + "\n# as it is")], preload=preload
        )
    assert (shown.outcome, right.outcome) == ("suspect", "pass"), shown.detail
    assert "do not depend on what it gives" in shown.detail["reason"]
