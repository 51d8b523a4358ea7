"""The adapter's six methods, those that need no sandbox; scoring runs in tests/pipeline on real tasks."""

import ast
from pathlib import Path
from typing import cast

import pytest

from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.benchmarks.novelapi.benchmark import NovelApiBenchmark, NovelApiOptions
from apigap.benchmarks.task_environment import warm_names
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import write_records
from apigap.records.task import Harness, Scenario, Spy
from apigap.sandbox.engine import Engine
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

TASK = make_task(api_name="lib.slugify")


def adapter(condition: str = "baseline") -> NovelApi:
    unused = cast(Engine, None)
    return NovelApi(unused, {}, {"lib.slugify": bundle(exemplars=())}, load_settings().generation, condition)


def test_load_gives_the_tasks_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [TASK, make_task()])
    assert NovelApi.load(path) == [TASK, make_task()]


def test_load_fails_loudly(tmp_path: Path) -> None:
    blind = make_task(
        harness=Harness(
            layers=("structural",),
            scenarios=(Scenario(name="basic", context_code="", observations=()),),
            spy=Spy(target="x"),
        )
    )
    for tasks, words in (([], "holds no task"), ([TASK, TASK], "twice"), ([blind], "observes nothing")):
        path = tmp_path / "tasks.jsonl"
        write_records(path, tasks)
        with pytest.raises(CorruptRecord, match=words):
            NovelApi.load(path)


def test_the_prompt_shows_the_condition_and_only_it() -> None:
    (plain,) = adapter().prompt(TASK)
    (told,) = adapter("s").prompt(TASK)
    assert plain.role == told.role == "user"
    assert TASK.description in plain.content
    assert "lib.slugify" not in plain.content
    assert "API: lib.slugify" in told.content
    request = adapter("s").request(TASK, "s", 2, 0.8, 7)
    assert request.key == f"{TASK.task_id}/s"
    assert request.shared_part in plain.content


def test_a_condition_without_knowledge_does_not_apply() -> None:
    assert adapter("m_prose").applies(TASK)
    assert not adapter("e").applies(TASK)
    assert not adapter("s").applies(make_task(api_name="lib.unknown"))
    with pytest.raises(UsageError, match=r"condition e is empty for lib\.slugify"):
        adapter("e").prompt(TASK)


def test_gold_is_parsed_back_to_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [TASK])
    benchmark = NovelApiBenchmark(NovelApiOptions(tasks=path), load_settings())
    parsed = benchmark.parse(benchmark.gold(TASK), TASK)
    assert ast.dump(ast.parse(parsed.code)) == ast.dump(ast.parse(TASK.masked_region))
    assert [probe.passes for probe in benchmark.probes(TASK)] == [True, False, False, False]


def test_what_is_loaded_before_the_fork() -> None:
    names = warm_names(("lib",), ["lib.slugify", "lib.Box.open", "lib.Box.close", "lib.sub.f"])
    assert names == ("lib", "lib.Box", "lib.slugify", "lib.sub")
