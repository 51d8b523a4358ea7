"""Results on items read beyond one run: dates make a horizon, several models one scale, and too little says why."""

import random
from collections.abc import Iterator
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


def told_apart(
    name: str, library: str, group: str, knows: bool, day: date | None = None
) -> Iterator[tuple[LadderItem, Result]]:
    """A real name and an invented one, of each of which who does not know says yes."""
    since = {"version": "1", "released": day} if day else None
    for right in (0, 1):
        one = item(
            rung="exists", form="yes or no", options=("Yes", "No"), right=right, question=f"{library} {name} {right}?",
            since=since, api_name=f"{library}.{name}", pair=f"{library}.{name.removeprefix('old_')}", library=library,
            group=group, subject=f"{library}.{name}{'_by' * right}",
        )  # fmt: skip
        yield one, verdict(one, read("No" if right and knows else "Yes", one))


def simulated(libraries: int = 8, apis: int = 12) -> JudgedItems:
    """A model that knows all controls and what came before `FALL`, and says yes to all names afterwards."""
    draw = random.Random(0)
    rows: list[tuple[LadderItem, Result]] = []
    for library in range(libraries):
        for number in range(apis):
            day = date(2024, 1, 1) + timedelta(days=draw.randrange(1000))
            rows += told_apart(f"f{number}", f"lib{library}", "new", day < FALL, day)
            rows += told_apart(f"old_f{number}", f"lib{library}", "control", True)
    return JudgedItems([one for one, _ in rows], [result for _, result in rows])


def choices() -> Iterator[tuple[int, int, LadderItem, LadderItem]]:
    """Twelve new APIs of each of eight libraries, 80 days apart, and a control of each."""
    for library in range(8):
        for number in range(12):
            day = date(2024, 1, 1) + timedelta(days=80 * number)
            control = choice(f"old_f{number}", f"lib{library}", "control")
            yield library, number, choice(f"f{number}", f"lib{library}", "new", day), control


def test_the_horizon_is_where_knowledge_ends() -> None:
    (found,) = horizons(simulated())
    assert found.reason is None
    assert found.day is not None and abs((found.day - FALL).days) < 90
    assert found.low is not None and found.high is not None
    assert found.low <= FALL < found.high
    assert (found.apis, found.libraries) == (96, 8)


def test_a_measure_whose_guesses_are_not_measured_has_no_horizon() -> None:
    """A model that knows no new API, and guesses two of three: its scores do not say where its knowledge ends."""
    rows: list[tuple[LadderItem, Result]] = []
    for _, number, new, control in choices():
        rows += [(new, answered(new, number % 3 > 0)), (control, answered(control, True))]
    (found,) = horizons(JudgedItems([one for one, _ in rows], [result for _, result in rows]))
    assert (found.day, found.low, found.high) == (None, None, None)
    assert found.reason is not None
    assert len(found.quarters) > 4


def test_twins_are_the_floor_of_a_measure_that_can_be_guessed() -> None:
    """A model that knows what came before `FALL`, and guesses two of three choices afterwards, as it does of twins."""
    rows: list[tuple[LadderItem, Result]] = []
    for library, number, new, control in choices():
        twin = LadderItem.model_validate(
            {**new.model_dump(exclude={"task_id"}), "group": "twin", "twin": f"lib{library}.g{number}"}
        )
        guessed, day = (number + library) % 3 > 0, new.since.released if new.since else None
        rows += [(new, answered(new, guessed or (day is not None and day < FALL))), (control, answered(control, True))]
        rows.append((twin, answered(twin, guessed)))
    (found,) = horizons(JudgedItems([one for one, _ in rows], [result for _, result in rows]))
    assert found.reason is None
    assert found.floor == pytest.approx(2 / 3, abs=0.1)
    assert found.day is not None and abs((found.day - FALL).days) < 120


@pytest.mark.parametrize("library", ["lib0", "undated"])
def test_a_few_twins_are_no_floor(library: str) -> None:
    rows: list[tuple[LadderItem, Result]] = []
    for _, _, new, control in choices():
        knows = new.since is not None and new.since.released is not None and new.since.released < FALL
        rows += [(new, answered(new, knows)), (control, answered(control, True))]
    fields = rows[0][0].model_dump(exclude={"task_id"})
    twin = LadderItem.model_validate({**fields, "group": "twin", "twin": "g", "library": library})
    rows.append((twin, answered(twin, False)))
    (found,) = horizons(JudgedItems([one for one, _ in rows], [result for _, result in rows]))
    assert found.day is None and found.reason is not None and "twins of 6 libraries" in found.reason


def test_an_api_counts_from_its_first_day_whatever_the_order_of_the_files() -> None:
    judged = simulated()
    later = [pair for number in range(12) for pair in told_apart(f"f{number}", "lib0", "new", False, date(2026, 9, 1))]
    changed = [(one.model_copy(update={"change": "modified"}), result) for one, result in later]
    (found,) = horizons(judged)
    for more in (later[:1], later[1:], changed):
        both = [
            JudgedItems([*a, *b], judged.results)
            for a, b in ((judged.items, [o for o, _ in more]), ([o for o, _ in more], judged.items))
        ]
        assert [horizons(one) for one in both] == [[found], [found]]


def test_one_piece_of_news_counts_once_from_the_first_of_its_days() -> None:
    judged = simulated()
    told = {f"lib{library}.f{number}": f"lib{library}.f0" for library in range(8) for number in (1, 2)}
    items = [
        one.model_copy(update={"family": told[one.api_name]}) if one.api_name in told else one for one in judged.items
    ]
    (found,) = horizons(JudgedItems(items, judged.results))
    assert (found.apis, found.libraries) == (80, 8)
    assert found.day is not None


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


@pytest.mark.parametrize("order", [(True, False), (False, True)])
def test_an_item_is_right_where_all_samples_are(order: tuple[bool, bool]) -> None:
    items = [choice(f"f{n}", "lib", "new") for n in range(20)]
    mixed = [answered(one, right) for one in items for right in order]
    right = [answered(one, n % 4 > 0) for n, one in enumerate(items)]
    judged = {"mixed": JudgedItems(items, mixed), **{f"m{n}": JudgedItems(items, right) for n in range(3)}}
    never = {**judged, "mixed": JudgedItems(items, [answered(one, False) for one in items])}
    assert one_scale(judged) == one_scale(never)


def test_results_of_other_items_are_refused(tmp_path: Path) -> None:
    judged = simulated(1, 3)
    write_records(tmp_path / "items.jsonl", judged.items[:2])
    write_records(tmp_path / "results.jsonl", judged.results)
    with pytest.raises(UsageError, match="other items"):
        JudgedItems.of([tmp_path / "items.jsonl"], tmp_path / "results.jsonl")
