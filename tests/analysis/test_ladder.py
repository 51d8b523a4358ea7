"""Results on items read beyond one run: dates make a horizon, several models one scale, and too little says why."""

import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from apigap.analysis.ladder import JudgedItems, horizons, one_scale
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.records.errors import UsageError
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.store import write_records
from tests.benchmarks.items.made import OPTIONS, item

FALL = date(2025, 7, 1)


def choice(name: str, library: str, group: str, day: date | None = None) -> LadderItem:
    since = {"version": "1", "released": day} if day else None
    return item(
        rung="signature", form="choice", options=OPTIONS, right=2, question=f"{library} {name}?", since=since,
        api_name=f"{library}.{name}", pair=f"{library}.{name.removeprefix('old_')}", library=library, group=group,
    )  # fmt: skip


def answered(one: LadderItem, right: bool) -> Result:
    return verdict(one, read("C" if right else "A", one))


def simulated(libraries: int = 8, apis: int = 12) -> JudgedItems:
    """A model that knows all controls and what came before `FALL`, and guesses afterwards."""
    draw = random.Random(0)
    items: list[LadderItem] = []
    results: list[Result] = []
    for library in range(libraries):
        for number in range(apis):
            day = date(2024, 1, 1) + timedelta(days=draw.randrange(1000))
            new = choice(f"f{number}", f"lib{library}", "new", day)
            control = choice(f"old_f{number}", f"lib{library}", "control")
            items += [new, control]
            results += [answered(new, day < FALL or draw.random() < 0.25), answered(control, True)]
    return JudgedItems(items, results)


def test_the_horizon_is_where_knowledge_ends() -> None:
    (found,) = horizons(simulated())
    assert found.reason is None
    assert found.day is not None and abs((found.day - FALL).days) < 90
    assert found.low is not None and found.high is not None
    assert found.low < FALL < found.high
    assert (found.apis, found.libraries) == (96, 8)


def test_too_few_libraries_have_no_horizon() -> None:
    (found,) = horizons(simulated(libraries=2))
    assert found.day is None
    assert found.reason is not None and "too few" in found.reason


def test_models_are_ordered_on_one_scale() -> None:
    items = [choice(f"f{n}", "lib", "new") for n in range(40)]
    judged = {
        f"m{share}": JudgedItems(items, [answered(one, n % 10 < share) for n, one in enumerate(items)])
        for share in (2, 4, 6, 8)
    }
    found = one_scale(judged)
    assert found.reason is None
    abilities = [one.estimate for one in found.abilities]
    assert abilities == sorted(abilities) and [one.person for one in found.abilities] == list(judged)
    assert one_scale({"alone": judged["m2"]}).reason is not None


def test_results_of_other_items_are_refused(tmp_path: Path) -> None:
    judged = simulated(1, 3)
    write_records(tmp_path / "items.jsonl", judged.items[:2])
    write_records(tmp_path / "results.jsonl", judged.results)
    with pytest.raises(UsageError, match="other items"):
        JudgedItems.of([tmp_path / "items.jsonl"], tmp_path / "results.jsonl")
