"""The folder of an audit as `apigap close` finds and reads it."""

from pathlib import Path

import pytest

from apigap.analysis.study import read_study
from apigap.cli.closing.close import items_of
from apigap.records.errors import UsageError
from apigap.records.store import write_records
from tests.analysis.test_ladder_report import PAIRED


def test_only_items_are_taken_for_items(tmp_path: Path) -> None:
    """Beside them lie usages, effects and bundles, under names that begin alike."""
    folder = tmp_path / "raw" / "lib"
    folder.mkdir(parents=True)
    write_records(folder / "ladder_items.1-2.jsonl", PAIRED)
    for other in ("executed", "knowledge", "usages"):
        (folder / f"ladder_items.1-2.{other}.jsonl").write_text('{"api_name": "lib.f", "effect": []}\n')
    assert items_of(tmp_path) == [folder / "ladder_items.1-2.jsonl"]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("audits/flask-3.0.0-3.1.3/results/audit-m", r"an audit has it: --data \S+/audits/flask-3\.0\.0-3\.1\.3$"),
        ("results/other", r"it has other$"),
        ("nothing", r"it has none at all; name the folder of the run with --data$"),
    ],
)
def test_an_experiment_that_is_elsewhere_is_told_with_its_place(tmp_path: Path, made: str, told: str) -> None:
    (tmp_path / made).mkdir(parents=True)
    with pytest.raises(UsageError, match=told):
        read_study(tmp_path, ["audit-m"])


def test_a_data_folder_that_is_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.touch()
    for place in (file, tmp_path / "nowhere"):
        with pytest.raises(UsageError, match=rf"{place} is no folder; name the folder of the run with --data$"):
            read_study(place, ["audit-m"])
