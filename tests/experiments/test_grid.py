"""The cells of an experiment, by all the names that they may be called."""

import pytest

from apigap.experiments.grid import all_cells, build_experiment_grid, parse_cells
from apigap.knowledge.conditions import PUBLISHED
from apigap.records.errors import UsageError


def test_the_main_grid_has_the_published_34_cells() -> None:
    names = [cell.name for cell in build_experiment_grid()]
    assert len(names) == len(set(names)) == 34
    assert names[0] == "baseline"
    for delivery in ("rag", "sft", "rag_sft"):
        assert [name for name in names if name.startswith(f"{delivery}.")] == [
            f"{delivery}.{condition}" for condition in PUBLISHED if condition != "baseline"
        ]


def test_all_cells_are_the_grid_and_the_oracle() -> None:
    names = [cell.name for cell in all_cells()]
    assert len(names) == 45
    assert {cell.name for cell in build_experiment_grid()} < set(names)


CASES = [
    (["baseline"], ["baseline"]),
    (["s"], ["oracle.s"]),
    (["oracle.s"], ["oracle.s"]),
    (["rag.s,baseline", "s_e"], ["baseline", "oracle.s_e", "rag.s"]),
    (["full", "e", "e"], ["oracle.e", "oracle.full"]),
    (["rag_sft.full", "sft.full", "rag.full"], ["rag.full", "sft.full", "rag_sft.full"]),
    (["e_masked"], ["oracle.e_masked"]),
    ([], []),
]


@pytest.mark.parametrize(("names", "cells"), CASES, ids=[" ".join(case[0]) or "none" for case in CASES])
def test_names_of_cells(names: list[str], cells: list[str]) -> None:
    assert [cell.name for cell in parse_cells(names)] == cells


def test_a_delivery_is_all_its_conditions() -> None:
    assert [cell.name for cell in parse_cells(["oracle"])][:2] == ["baseline", "oracle.s_name"]
    assert len(parse_cells(["oracle"])) == len(parse_cells(["rag"])) == 12
    assert len(parse_cells(["all"])) == 45


@pytest.mark.parametrize(("name", "near"), [("m_prosa", "m_prose"), ("rag.ful", "rag.full"), ("xyz", "DELIVERY.COND")])
def test_an_unknown_cell_is_told_the_nearest(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=near):
        parse_cells([name])
