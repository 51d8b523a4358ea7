"""The ladder of an audit, answered by nobody: asked once, kept by condition, and told whatever came of it."""

from pathlib import Path
from typing import cast

from apigap.auditing.ladder import AuditLadder
from apigap.experiments.grid import oracle_cells
from apigap.gates.library_run import LibraryRun
from apigap.models.generate import MOCK_MODEL
from apigap.records.configuration import load_settings
from apigap.records.layout import Layout
from apigap.records.progress import Unseen
from apigap.records.store import write_records
from apigap.reporting.ladder_model import Ladder
from apigap.sandbox.environment import Environment
from tests.auditing.test_report import BUNDLE, NEW, TARGET
from tests.benchmarks.items.made import CHOICE, EXISTS, INVENTED
from tests.ladder.test_kept import Counted, run

PIVOT = BUNDLE.model_copy(update={"api_name": "lib.pivot"})


def audited(root: Path, *, most: int = 3, nothing: str = "", cells: tuple[str, ...] = ("baseline", "s", "full")):
    """The ladder of lib 1.0 -> 2.0 in `root`, its part of the report (None without one), and the maker of items."""
    maker: Counted = run(nothing=nothing)
    layout = Layout(root, MOCK_MODEL)
    write_records(layout.stage("lib", "stage2_knowledge"), [PIVOT])
    settings = load_settings(overrides=[f"audit.items={most}"])
    ladder = AuditLadder(layout, settings, Unseen(), oracle_cells(cells), mocked=True)
    release = LibraryRun(TARGET, cast("Environment", None), None, [NEW.model_copy(update={"api_name": "lib.pivot"})])
    asked = ladder.run(maker, [release])
    return ladder, asked.report([release]) if asked else None, maker


def test_questions_are_asked_once_and_told_without_and_with_knowledge(tmp_path: Path) -> None:
    ladder, told, _ = audited(tmp_path)
    assert isinstance(told, Ladder)
    assert {one.task_id for one in told.questions} == {one.task_id for one in (EXISTS, INVENTED, CHOICE)}
    assert told.way == "letters"
    assert [mark.new for mark in told.apis[0].marks] == ["partly", "wrong"]
    assert {one.kind for one in told.knowledge} == {"reading check"}
    assert {one.with_knowledge for one in told.knowledge} == {1.0}
    assert told.apis[0].no_task == "no task could be made of it"
    assert told.measures[0].reason == "there are no old APIs like them, and a gap needs 5"
    cells = sorted(path.name for path in (tmp_path / "results" / ladder.experiment).iterdir())
    assert cells == ["baseline", "oracle.s"]  # whether the model reads is asked under one condition


def test_a_second_run_asks_nothing_and_tells_the_same(tmp_path: Path) -> None:
    _, first, _ = audited(tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    _, second, maker = audited(tmp_path)
    assert first == second and not maker.made
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


def test_no_ladder_is_wanted(tmp_path: Path) -> None:
    _, told, maker = audited(tmp_path, most=0)
    assert told is None and not maker.made


def test_nothing_to_ask_is_a_ladder_that_says_so(tmp_path: Path) -> None:
    ladder, told, _ = audited(tmp_path, nothing="lib 1.0 -> 2.0: nothing is new")
    assert told and told.notes == ("lib: no single question is asked: lib 1.0 -> 2.0: nothing is new",)
    assert (told.measures, told.cost.questions) == ((), 0)
    assert not (tmp_path / "results" / ladder.experiment).exists()
