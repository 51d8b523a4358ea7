"""Agreement with what was measured on the published data, row by row."""

import json
from pathlib import Path
from typing import Any

import pytest
from tools.toolllm.study import score_answers

from apigap.benchmarks.toolllm.benchmark import read_answers
from apigap.benchmarks.toolllm.names import avoid_reserved, category_name, standardise
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.selection import score, select
from tests.benchmarks.runs import calibrated, toolllm


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_function_name_is_the_published_one(toolbench: Path, published: dict[str, Query]) -> None:
    rows = _rows(toolbench / "function_names.visible.jsonl")
    for row in rows:
        api = published[str(row["query_id"])].apis[row["index"]]
        assert (api.tool_name, api.api_name) == (row["tool_name"], row["api_name"])
        assert category_name(api.category_name) == row["standard_category"]
        assert standardise(api.tool_name) == row["standard_tool_name"]
        assert avoid_reserved(standardise(api.api_name)) == row["pure_api_name"]
        assert api.function == row["function_name"]
        parameters = (*api.required_parameters, *api.optional_parameters)
        changed = {p.name: new for p in parameters if (new := avoid_reserved(standardise(p.name))) != p.name}
        assert changed == row["params"]
    assert len(rows) == 2196


def test_every_made_up_selection_scores_as_measured(toolbench: Path, published: dict[str, Query]) -> None:
    rows = _rows(toolbench / "selection_synthetic.visible.jsonl")
    for row in rows:
        query = published[str(row["query_id"])]
        found = score(select(json.dumps({"api_calls": row["predicted"]}), query), query)
        assert (found.recall, found.precision, found.exact) == (row["recall"], row["precision"], row["exact_set_match"])
    assert len(rows) == 4392


@pytest.mark.parametrize(
    ("set_name", "expected"),
    [
        ("G1_instruction", {}),
        ("G1_category", {"41983": (1.0, 1.0), "68553": (2 / 3, 1 / 2), "12954": (1.0, 1.0)}),
        ("G2_instruction", {"19850": (1.0, 1.0), "79644": (1.0, 1.0)}),
    ],
)
def test_recorded_runs_are_matched_by_id_and_text(
    toolbench: Path, published: dict[str, Query], set_name: str, expected: dict[str, tuple[float, float]]
) -> None:
    path = toolbench / "predictions" / "gpt-3.5-turbo_CoT" / f"{set_name}.json"
    answers = read_answers(path, list(published.values()))
    results = score_answers(list(published.values()), answers.predictions)
    assert {r.task_id: (r.detail["recall"], r.detail["precision"]) for r in results} == expected
    assert answers.strangers + len(expected) == 100
    assert {r.detail["mode"] for r in results} <= {"tree"}


def test_the_scorer_proves_itself_on_every_published_query(toolbench: Path) -> None:
    files = sorted((toolbench / "solvable_queries" / "test_instruction").glob("*.json"))
    found = calibrated(toolllm(files))
    assert (found.wrong, found.probes) == ((), 3639)


def test_a_quarter_of_the_rows_tell_nothing(published: dict[str, Query]) -> None:
    assert sum(query.is_trivial for query in published.values()) == 47 + 65 + 13
    assert sorted(query.task_id for query in published.values() if query.colliding) == ["27543", "27847", "79053"]
