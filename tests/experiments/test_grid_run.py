"""Several models on several groups: what is left to do is what is asked, once, and one that lacks keeps no other."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.evaluation.model_pool import MakeGenerator
from apigap.experiments.experiment import Plan
from apigap.experiments.grid import parse_cells
from apigap.experiments.grid_report import Left, experiment_row
from apigap.experiments.grid_run import Given, Grid, mock_name, plan_grid
from apigap.experiments.named import read_grid
from apigap.experiments.plans import Terms
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.models.spending.workload import Workload
from apigap.records.configuration import load_settings
from apigap.records.errors import AnswersAwaited, BudgetSpent, ModelUnavailable, UsageError
from apigap.records.task import Task
from tests.auditing.conftest import APIGAP, run
from tests.experiments.test_experiment import OTHER, TASKS, Model, files
from tests.experiments.test_run import knowledge
from tests.knowledge.test_conditions import bundle
from tests.silent import Silent

CELLS = ["baseline", "s", "full", "rag.s"]
MODELS = ("mockllm/one", "mockllm/two")


def grid(root: Path, make: MakeGenerator, plans: Sequence[Plan], monkeypatch: pytest.MonkeyPatch) -> Grid:
    monkeypatch.setattr(Terms, "generators", lambda self, tasks: make)
    settings = load_settings(overrides=["retrieval.embedder=lexical"])
    return Grid(plans, Terms(settings, root, Silent()))


def plan(group: str, model: str, tasks: Sequence[Task], cells: Sequence[str] = CELLS) -> Plan:
    name = f"{group}-{model.partition('/')[2]}"
    return Plan(name, group, model, tasks, [bundle(), OTHER], parse_cells(cells))


@pytest.fixture
def model() -> type[Model]:
    return type("Fresh", (Model,), {"asked": []})


def test_what_is_left_to_do_is_what_is_asked(
    tmp_path: Path, model: type[Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = [plan(group, name, tasks) for name in MODELS for group, tasks in (("a", TASKS[:2]), ("b", TASKS))]
    left = Left.of(grid(tmp_path, model, plans, monkeypatch).workloads())
    # per model 8 for the first group; of the second the task that the first lacks, and all three where they are found
    assert (left.requests, left.cells) == (2 * (8 + 3 + 3), 16)
    model.fails_at = 5
    with pytest.raises(ConnectionError):
        grid(tmp_path, model, plans, monkeypatch).generate()
    assert Left.of(grid(tmp_path, model, plans, monkeypatch).workloads()).requests == left.requests - 5
    model.fails_at = 999
    grid(tmp_path, model, plans, monkeypatch).generate()
    assert len(model.asked) == left.requests
    whole = grid(tmp_path, model, plans, monkeypatch)
    assert Left.of(whole.workloads()) == Left.of([]).model_copy(update={"cells": 16})
    whole.generate()
    assert len(model.asked) == left.requests
    assert [len(experiment_row(study, {}).answered) for study in whole.studies] == [4] * 4


def test_a_killed_grid_goes_on_to_the_same_bytes(
    tmp_path: Path, model: type[Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = [plan(group, MODELS[0], tasks) for group, tasks in (("a", TASKS[:2]), ("b", TASKS))]
    grid(tmp_path / "whole", model, plans, monkeypatch).generate()
    model.asked.clear()
    model.fails_at = 6
    with pytest.raises(ConnectionError):
        grid(tmp_path / "cut", model, plans, monkeypatch).generate()
    model.fails_at = 999
    grid(tmp_path / "cut", model, plans, monkeypatch).generate()
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (AnswersAwaited("later"), {"one": ["a-one", "b-one"], "two": ["a-two", "b-two"]}),
        (ModelUnavailable("away"), {"one": ["a-one"], "two": ["a-two", "b-two"]}),
        (BudgetSpent("enough"), {"one": ["a-one"]}),
    ],
    ids=["files", "away", "budget"],
)
def test_a_model_that_lacks_keeps_no_other(
    error: Exception, asked: dict[str, list[str]], tmp_path: Path, model: type[Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: dict[str, list[str]] = {}

    class Lacking(model):
        def generate(self, requests: Any, on_answer: Any) -> None:
            if self.model == MODELS[0]:
                raise error
            super().generate(requests, on_answer)

    plans = [plan(group, name, TASKS, ["s"]) for name in MODELS for group in ("a", "b")]
    studies = grid(tmp_path, Lacking, plans, monkeypatch)
    for study in studies.studies:
        original = study.generate

        def generate(*given: Any, study: Any = study, original: Any = original) -> None:
            begun.setdefault(study.plan.model.partition("/")[2], []).append(study.plan.experiment)
            original(*given)

        monkeypatch.setattr(study, "generate", generate)
    with pytest.raises(type(error)):
        studies.generate()
    assert begun == asked


def test_all_phases_of_a_folder_are_written_in_one_round(tmp_path: Path) -> None:
    folder = f"batch/{tmp_path}/queue/model"
    terms = Terms(load_settings(overrides=["retrieval.embedder=lexical"]), tmp_path, Silent())
    study = Grid([replace(plan("a", folder, TASKS), experiment="a")], terms)
    with pytest.raises(AnswersAwaited):
        study.generate()
    lines = [line for file in tmp_path.rglob("requests-*.jsonl") for line in file.read_text().splitlines()]
    assert len(lines) == Left.of(study.workloads()).requests == 4 * len(TASKS)


def test_a_price_is_told_only_where_all_of_it_is_known() -> None:
    works = [
        Workload(requests=10, read=1e6, most=100_000, answers=2, wrote=400),
        Workload(requests=2, read=1e6, most=8),
    ]
    total = Workload.total(works)
    assert (total.requests, total.read, total.most, total.likely) == (12, 2e6, 100_008, 2400)
    assert Workload(requests=3).likely is None and total.dollars(None) == (None, None)


def test_plans_go_by_model_and_undivided_groups_come_first(tmp_path: Path) -> None:
    given = Given(Path("starter/flask"), [knowledge(tmp_path)])
    terms = Terms(load_settings(), tmp_path, Silent(), mock=True)
    from apigap.tasks.starter_files import tasks_path

    given = replace(given, tasks=tasks_path(Path("starter/flask")))
    models = ["gguf/qwen2.5-coder-0.5b", "openai/gpt-4o"]
    plans, without = plan_grid(models, ["all_pooled_paper", "dl", "swe"], given, ["untuned"], terms)
    names = [found.experiment for found in plans]
    assert names == [f"{g}-{m}" for m in ("qwen2.5-coder-0.5b", "openai--gpt-4o") for g in ("swe", "all-pooled-paper")]
    assert set(without) == {"dl-qwen2.5-coder-0.5b", "dl-openai--gpt-4o"}
    assert all(len(found.cells) == 23 for found in plans)
    assert {found.model for found in plans} == {mock_name(model) for model in models}
    Grid(plans[:2], terms).write_spec()
    Grid(plans[1:], terms).write_spec()
    assert {spec.experiment for spec in read_grid(tmp_path).experiments} == set(names)
    with pytest.raises(UsageError, match="no group has tasks"):
        plan_grid(models, ["dl"], given, ["untuned"], terms)


def test_a_dry_run_asks_nobody_and_a_grid_without_models_is_refused(tmp_path: Path) -> None:
    base = ["grid", "--group", "swe", "--tasks", "starter/flask", "--knowledge", str(knowledge(tmp_path))]
    invoke = CliRunner().invoke
    done = invoke(application(VERBS), [*base, "--data", str(tmp_path)])
    assert isinstance(done.exception, UsageError) and "--model" in str(done.exception)
    models = ["--model", "openai/gpt-5-mini", "gguf/qwen2.5-coder-0.5b"]
    done = invoke(application(VERBS), [*base, *models, "--debug", "--dry-run", "--json", "--data", str(tmp_path)])
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    paid, free = (told["experiments"][f"swe-{name}"] for name in ("openai--gpt-5-mini", "qwen2.5-coder-0.5b"))
    assert paid["dollars_at_most"] == pytest.approx((paid["read"] * 0.25 + paid["write_at_most"] * 2) / 1e6, rel=1e-3)
    assert free["dollars_at_most"] == 0 and told["all"]["requests"] == paid["requests"] + free["requests"]
    assert sum(cell["requests"] for cell in told["cells"]) == told["all"]["requests"]
    assert not (tmp_path / "results").exists()


@pytest.mark.network
@pytest.mark.sandbox
def test_a_grid_from_models_to_three_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*APIGAP, "group", "add", "web", "flask"]).returncode == 0
    assert run([*APIGAP, "group", "add", "web2", "flask", "--train-share", "0.5"]).returncode == 0
    command = [*APIGAP, "grid", "-m", "qwen2.5-coder-7b", "-m", "openai/gpt-4o", "--group", "web2", "--group", "web"]
    command += ["--tasks", "starter/flask", "--knowledge", str(knowledge(tmp_path)), "--mock-llm", "--limit", "3"]
    command += ["--cells", "baseline", "s", "rag.s", "--set", "retrieval.embedder=lexical"]
    asked = run(command)
    assert asked.returncode == 0 and "3 of 3" in asked.stdout and "--steps eval analysis" in asked.stdout, asked.stderr
    command += ["--steps", "run", "eval", "analysis"]
    done = run([*command, "--json"])
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["experiments"]
    assert len(rows) == 4
    for row in rows.values():
        assert {name: cell["pass_at_1"] for name, cell in row["cells"].items()} == {
            "baseline": 0.0, "oracle.s": 1.0, "rag.s": 1.0,
        }  # fmt: skip
    written = files(Path("data/results"))
    again = run(command)
    assert again.returncode == 0 and "Grid, pass@1" in again.stdout, again.stderr
    assert files(Path("data/results")) == written
    analysed = run([*APIGAP, "analyze", "--draws", "200", "--json", "--tasks", "starter/flask"])
    assert analysed.returncode == 0, analysed.stderr
    assert "mockllm/qwen2.5-coder-7b solves 0 %" in json.loads(analysed.stdout)["headline"]
    table = Path("data/analysis/all/rq1_gains.csv").read_text()
    assert "all models" in table


def test_generators_of_a_grid_are_those_of_a_run(tmp_path: Path) -> None:
    made = Terms(load_settings(), tmp_path, Silent(), connections=3).generators(TASKS)("mockllm/model", Decoding())
    assert isinstance(made, Generator) and made.connections == 3
