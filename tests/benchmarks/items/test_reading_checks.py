"""Prompts that hold the answer: whole rungs by condition, and code by an exemplar that makes the same call."""

from pathlib import Path

import pytest

from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.benchmarks.items.reading_checks import is_reading_check, shows_answer
from apigap.benchmarks.items.summary import summarise_items
from apigap.records.configuration import load_settings
from apigap.records.knowledge import Exemplar
from apigap.records.questions.ladder import LadderItem
from apigap.records.store import write_records
from tests.auditing.test_report import BUNDLE
from tests.benchmarks.items.made import CALL, CHOICE, EFFECT, EXISTS, PARAMETERS, item
from tests.records.test_task import make_task

SAME, OTHER = "import lib\ny = lib.pivot(2)", "import lib\ny = lib.pivot(30)"
CALLING = item(
    rung="call", form="code", question="Use it.",
    task=make_task(api_name="lib.pivot", masked_region="y = lib.pivot(2)", reference_solution=SAME),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rung", "condition", "expected"),
    [
        ("exists", "baseline", False), ("exists", "s_name", True), ("exists", "e", True),
        ("signature", "s_name", False), ("signature", "s", True), ("signature", "m_code", True),
        ("signature", "e", False), ("effect", "full", False), ("call", "oracle.s_e", False),
    ],
)  # fmt: skip
def test_what_a_condition_shows_of_a_whole_rung(rung: str, condition: str, expected: bool) -> None:
    assert is_reading_check(rung, condition) is expected


@pytest.mark.parametrize(
    ("asked", "condition", "code", "expected"),
    [
        (EXISTS, "e", OTHER, True),
        (CHOICE, "s", OTHER, True),
        (PARAMETERS, "e", OTHER, False),
        (EFFECT, "e", SAME, True),
        (EFFECT, "e", OTHER, False),
        (EFFECT, "s", SAME, False),  # what is not shown gives nothing away
        (CALLING, "full", SAME, True),
        (CALLING, "full", OTHER, False),
        (CALLING, "full", "y = lib.pivot(", False),  # no code
        (CALL, "baseline", SAME, False),
    ],
)
def test_what_an_exemplar_gives_away(asked: LadderItem, condition: str, code: str, expected: bool) -> None:
    exemplar = Exemplar(code=code, status="executed", source="here")
    bundle = BUNDLE.model_copy(update={"api_name": "lib.pivot", "exemplars": (exemplar,)})
    assert shows_answer(asked, bundle, condition) is expected


def test_results_are_marked_under_a_condition_alone(tmp_path: Path) -> None:
    exemplar = Exemplar(code=SAME, status="executed", source="here")
    bundle = BUNDLE.model_copy(update={"api_name": "lib.pivot", "exemplars": (exemplar,)})
    files = {"items": (tmp_path / "items.jsonl",), "knowledge": (tmp_path / "bundles.jsonl",)}
    write_records(files["items"][0], [CHOICE, EFFECT])
    write_records(files["knowledge"][0], [bundle])
    for condition, marked in (("baseline", []), ("e", [EFFECT]), ("full", [CHOICE, EFFECT])):
        items = Items(ItemsOptions.of(**files, condition=condition), load_settings())
        results = [items.score(one, items.parse("A", one)) for one in (CHOICE, EFFECT)]
        assert [r.task_id for r in results if r.detail.get("shown")] == [one.task_id for one in marked]
        summary = summarise_items([CHOICE, EFFECT], results)
        assert summary.shown == {one.rung: 1 for one in marked}
        assert any("reading checks" in line for line in summary.notes()) == bool(marked)
