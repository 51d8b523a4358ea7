"""Agents as cells of an experiment: their names, their own budgets, what decides their answers, and estimates."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigap.experiments.agents import Agents
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.grid import all_cells, parse_cells
from apigap.models.spending.budget import Limits, use
from apigap.records.configuration import Settings, load_settings
from apigap.records.errors import UsageError
from apigap.records.experiment import TOOL_SETS, Cell
from tests.silent import Silent

from .desk import TASK, Scripted, blocks


@pytest.fixture
def prices() -> Iterator[None]:
    use(Limits(prices=("1/10",)))
    yield
    use(Limits())


def agents(settings: Settings | None = None, model: str = "mockllm/model") -> Agents:
    return Agents(model, [TASK], settings or load_settings(), Silent())


def agent(tools: str) -> Cell:
    return Cell(delivery="agent", condition=tools)


def test_a_delivery_is_all_sets_of_tools_and_no_part_of_the_grid() -> None:
    assert [cell.name for cell in parse_cells(["agent"])] == [f"agent.{tools}" for tools in TOOL_SETS]
    assert not any(cell.uses_tools for cell in all_cells())
    assert [cell.name for cell in parse_cells(["agent.all,baseline"])] == ["baseline", "agent.all"]
    with pytest.raises(UsageError, match="did you mean agent"):
        parse_cells(["agent.everything"])


def test_a_set_of_tools_may_have_a_budget_of_its_own() -> None:
    settings = load_settings(overrides=["agent.calls=9", "agent.cells={docs: {calls: 2, tokens: null}}"])
    assert (settings.agent.budget("docs").calls, settings.agent.budget("docs").tokens) == (2, None)
    assert settings.agent.budget("all").calls == 9
    for wrong, words in (("{docs: {calls: -1}}", "agent.cells.docs.calls"), ("{docs: {cals: 1}}", "cals")):
        bad = load_settings(overrides=[f"agent.cells={wrong}"])
        with pytest.raises(UsageError, match=words):
            bad.agent.budget("docs")
    with pytest.raises(UsageError, match=r"agent\.cells"):
        load_settings(overrides=["agent.cells={hammer: {calls: 1}}"])


def test_dollars_need_a_price(prices: None) -> None:
    settings = load_settings(overrides=["agent.dollars=0.5"])
    assert agents(settings, "openai-api/local/x").terms(agent("all")).price is not None
    use(Limits())
    with pytest.raises(UsageError, match="--price IN/OUT"):
        agents(settings, "openai-api/local/x").terms(agent("all"))


def test_tools_need_a_sandbox_and_none_do_not(tmp_path: Path) -> None:
    model = Scripted(lambda request: blocks(("submit", "y = 2")))
    agents().run(agent("none"), tmp_path, model.ask, None)
    assert (tmp_path / "predictions.jsonl").exists()
    with pytest.raises(UsageError, match="need a sandbox"):
        agents().run(agent("docs"), tmp_path / "docs", model.ask, None)


@pytest.mark.parametrize("change", ["agent.calls=3", "agent.hits=2", "agent.protocol=native", "generation.seed=7"])
def test_a_trace_made_under_other_terms_does_not_go_on(tmp_path: Path, change: str) -> None:
    model = Scripted(lambda request: blocks(("submit", "y = 2")))
    agents().run(agent("none"), tmp_path, model.ask, None)
    with pytest.raises(UsageError, match="was made with"):
        agents(load_settings(overrides=[change])).run(agent("none"), tmp_path, model.ask, None)


def experiment(root: Path, **settings: Any) -> Experiment:
    plan = Plan("x", "lib", "mockllm/model", [TASK], [], parse_cells(["baseline", "agent.none", "agent.all"]))
    overrides = [f"{name}={value}" for name, value in settings.items()]
    return Experiment(plan, load_settings(overrides=overrides), root, Silent())


def test_an_estimate_is_never_more_than_the_budget(tmp_path: Path) -> None:
    found = experiment(tmp_path)
    assert found.runs_code
    work = found.workload(found.cells[-1])
    assert work.requests == 8
    assert work.read + work.most <= 60_000
    free = load_settings(overrides=["agent.tokens=null", "agent.rounds=2"])
    assert agents(free).workload(agent("all"), 0).requests == 2
    assert agents(free).workload(agent("all"), 1).requests == 0
