"""Experiments taken together: groups of a model, and models on the tasks that they share."""

from pathlib import Path

import pytest

from apigap.analysis.analyse import Analysis, analyse, write_tables
from apigap.analysis.page import headline, write_page
from apigap.experiments.named import write_grid
from apigap.records.errors import UsageError
from apigap.records.experiment import ExperimentSpec, GridSpec
from apigap.records.manifest import Stage
from apigap.records.store import write_records
from tests.analysis.test_analysis import TASKS, fill


def given(root: Path, experiment: str, model: str, layout: str = "published", **marks: str) -> None:
    """An experiment with a letter per task in each cell; `-` is a task that is none of its own."""
    for name, row in marks.items():
        folder = root / "results" / experiment / name.replace("__", ".")
        fill(root, folder.name, row, experiment)
        path = folder / "predictions.manifest.json"
        path.unlink()
        Stage(path, "predictions", {"model": {"model": model}, "generation": {"layout": layout}}).finish({})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    write_records(root / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    given(root, "one-a", "m/a", baseline="f" * 10 + "-" * 10, oracle__e="p" * 10 + "-" * 10)
    given(root, "two-a", "m/a", baseline="-" * 8 + "f" * 12, oracle__e="-" * 8 + "f" * 12, rag__e="-" * 8 + "p" * 12)
    given(root, "one-b", "m/b", baseline="p" * 10 + "-" * 10, oracle__e="p" * 10 + "-" * 10)
    return root


def analysed(data: Path, *experiments: str) -> Analysis:
    return analyse(data, experiments, draws=300)


def gains(found: Analysis, family: str) -> dict[tuple[str, str], tuple[int, float]]:
    rows = (row for row in found.rq1_gains if row.family == family)
    return {(row.experiment, row.cell): (row.tasks, row.difference) for row in rows}


def test_a_task_counts_once_in_the_first_group_that_has_it(data: Path) -> None:
    found = analysed(data, "one-a", "two-a")
    pooled = next(row for row in found.cells if (row.experiment, row.cell) == ("2 groups: m/a", "oracle.e"))
    # ten of the first group that all pass, and the ten of the second that the first one lacks, which all fail
    assert (pooled.tasks, pooled.pass_at_1) == (20, 0.5)
    assert gains(found, "rq1 conditions, all groups") == {("2 groups: m/a", "oracle.e"): (20, 0.5)}
    turned = analysed(data, "two-a", "one-a")
    assert gains(turned, "rq1 conditions, all groups") == {("2 groups: m/a", "oracle.e"): (20, pytest.approx(0.4))}
    assert "rag.e" not in {row.cell for row in found.cells if row.experiment.startswith("2 groups")}
    assert headline(found).startswith("m/a solves 0 % without knowledge")


def test_over_all_models_each_answers_for_itself_on_shared_tasks(data: Path) -> None:
    found = analysed(data, "one-a", "two-a", "one-b")
    # m/a gains a point on each of the ten shared tasks, m/b on none
    assert gains(found, "rq1 conditions, all models") == {("all models", "oracle.e"): (10, 0.5)}
    assert {(row.experiment, row.tasks) for row in found.rq1_shared} == {("2 groups: m/a", 10), ("one-b", 10)}
    assert "all models" not in {row.experiment for row in found.cells}
    assert dict(found.facts)["models"] == "m/a, m/b"
    assert found.study.drawn == {"2 groups: m/a", "one-b", "all models"}


def test_what_is_asked_otherwise_is_not_taken_together(data: Path) -> None:
    given(data, "other-a", "m/a", "instructed", baseline="-" * 10 + "f" * 10, oracle__e="-" * 10 + "p" * 10)
    given(data, "again-a", "m/a", baseline="f" * 10 + "-" * 10, oracle__e="f" * 10 + "-" * 10)
    assert not any(cell.pool for cell in analysed(data, "one-a", "other-a").study.cells)
    found = analysed(data, "one-a", "again-a")
    assert not any(cell.pool for cell in found.study.cells)
    assert any("again-a has no task" in line for line in found.missing)


def test_without_names_the_grid_of_the_folder_is_read(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it has no grid"):
        analyse(data, ())
    names = ("one-a", "two-a", "later-a")
    specs = [ExperimentSpec(experiment=name, group=name[:3], model="m/a", cells=("baseline",)) for name in names]
    write_grid(data, GridSpec(experiments=tuple(specs)))
    found = analyse(data, (), draws=300)
    assert found.study.experiments == ("one-a", "two-a", "2 groups: m/a")
    assert write_tables(found, tmp_path / "out")
    assert "2 groups: m/a" in write_page(found, tmp_path / "out").read_text()
    write_grid(data, GridSpec(experiments=(specs[0].model_copy(update={"experiment": "one-b"}),)))
    assert analyse(data, (), draws=300).study.experiments[:3] == ("one-a", "two-a", "one-b")
