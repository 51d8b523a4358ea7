"""A small cluster of two nodes on this machine: the verdicts, results and checks are those of a local run."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.api.benchmarks import load_benchmark, score
from apigap.cluster.engines import engine_of, leave
from apigap.packages.workshop import environment_store
from apigap.records.base import canonical_json
from apigap.records.errors import UsageError
from apigap.records.run import Program, RunRecord
from apigap.records.store import write_records
from apigap.sandbox.task_supplied_test.judge import SuppliedTestTrial, judge_supplied_tests
from apigap.sandbox.task_supplied_test.program import SelfTest
from tests.cluster.local_cluster import LocalCluster, local_cluster
from tests.cluster.work import KINDS, PRELOAD, codes, judged, plain, settings_of
from tests.sandbox.tasks import numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with local_cluster(2) as made:
        yield made


def test_verdicts_are_those_of_this_machine(cluster: LocalCluster) -> None:
    answers = codes(5 * len(KINDS))
    here = judged(settings_of(None), answers)
    there = judged(settings_of(cluster.address), answers)
    assert [plain(verdict) for verdict in there] == [plain(verdict) for verdict in here]
    assert {verdict.outcome for verdict in there} == {"pass", "fail"}


def test_programs_run_there_as_here(cluster: LocalCluster) -> None:
    programs = [Program(context="", completion=f"x = {number}", observe=("x", "y")) for number in range(9)]
    found: list[list[RunRecord]] = []
    for settings in (settings_of(None), settings_of(cluster.address)):
        with engine_of(settings.execution) as engine:
            environment = environment_store(engine).get("pydantic", "2.13.3")
            found.append(engine.run(environment, programs, preload=PRELOAD))
    here, there = ([(run.status, run.observed) for run in runs] for runs in found)
    assert there == here
    assert here[3] == ("completed", {"x": 3, "y": {"raises": "NameError"}})


def test_tests_that_tasks_bring_are_judged_there_as_here(cluster: LocalCluster) -> None:
    test = SelfTest(
        target="pydantic.TypeAdapter.validate_python", setup="", context="import pydantic\n", test="assert x == [1]",
        reference="x = [1]",
    )  # fmt: skip
    call = "x = pydantic.TypeAdapter(list[int]).validate_python"
    answers = [f"{call}(['1'])", f"{call}(['2'])", "x = [1]", "x = (", "import sys\nsys.exit(0)"]
    trials = [SuppliedTestTrial(test, code) for code in answers]
    found: list[list[str]] = []
    for settings in (settings_of(None), settings_of(cluster.address)):
        told: list[int] = []
        with engine_of(settings.execution) as engine:
            environment = environment_store(engine).get("pydantic", "2.13.3")
            verdicts = judge_supplied_tests(
                engine, environment, trials, preload=PRELOAD, on_result=lambda number, _, told=told: told.append(number)
            )
        assert sorted(told) == list(range(len(trials)))
        found.append([plain(verdict) for verdict in verdicts])
        assert [verdict.outcome for verdict in verdicts] == ["pass", "fail", "fail", "fail", "fail"]
    assert found[0] == found[1]


def test_results_have_the_same_bytes(cluster: LocalCluster, tmp_path: Path) -> None:
    tasks, predictions = tmp_path / "tasks.jsonl", tmp_path / "predictions.jsonl"
    task = numbers_task()
    write_records(tasks, [task])
    answers = [f"```python\n{code}\n```" for code in KINDS.values() if code.isascii()]
    predictions.write_text(canonical_json({"task_id": task.task_id, "samples": answers}) + "\n")
    lines: list[list[str]] = []
    for name, address in (("local", None), ("ray", cluster.address)):
        settings = settings_of(address, "execution.cache=false")
        benchmark = load_benchmark("novelapi", settings=settings, tasks=tasks)
        out = tmp_path / f"{name}.jsonl"
        score(benchmark, predictions=predictions, out=out, progress=None)
        results = [json.loads(line) for line in out.read_text().splitlines()]
        lines.append([canonical_json({**result, "seconds": 0}) for result in results])
    assert lines[0] == lines[1]
    assert len(lines[0]) == len(answers)


def test_the_doctor_asks_every_node(cluster: LocalCluster) -> None:
    import typer

    from apigap.cli.upkeep.machine import register

    leave()
    app = typer.Typer()
    register(app)
    done = CliRunner().invoke(app, ["doctor", "--engine", "ray", "--address", cluster.address, "--json"])
    assert done.exit_code == 0, done.output
    checks = json.loads(done.stdout)
    assert [(check["works"], check["facts"]["processors"]) for check in checks] == [(True, 1), (True, 1)]


def test_a_cluster_always_isolates() -> None:
    with pytest.raises(UsageError, match="unsafe-local"):
        engine_of(settings_of("192.0.2.9:1").execution, unsafe_local=True)


def test_an_address_alone_chooses_no_cluster() -> None:
    execution = settings_of(None, "execution.address=192.0.2.9:1").execution
    with pytest.raises(UsageError, match="--engine ray"):
        engine_of(execution)
