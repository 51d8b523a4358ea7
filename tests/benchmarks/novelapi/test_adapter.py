"""Tasks, prompts and probes of the novel-API benchmark, which need no sandbox."""

import ast
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.benchmark import NovelApi, NovelApiOptions
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.task_environment import warm_names
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import write_records
from apigap.records.task import Harness, Scenario, Spy
from apigap.tasks.task_files import load_tasks
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

TASK = make_task(api_name="lib.slugify")


def prompter(condition: str = "baseline") -> Prompter:
    knowledge = from_bundles({"lib.slugify": bundle(exemplars=())}, condition)
    return Prompter(load_settings().generation, condition, knowledge)


def test_load_gives_the_tasks_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [TASK, make_task()])
    assert load_tasks(path) == [TASK, make_task()]


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
            load_tasks(path)


def test_the_prompt_shows_the_condition_and_only_it() -> None:
    (plain,) = prompter().prompt(TASK)
    (told,) = prompter("s").prompt(TASK)
    assert plain.role == told.role == "user"
    assert TASK.description in plain.content
    assert "lib.slugify" not in plain.content
    assert "API: lib.slugify" in told.content
    request = prompter("s").request(TASK, "s", 2, 0.8, 7)
    assert request.key == f"{TASK.task_id}/s"
    assert request.shared_part in plain.content


def test_a_condition_without_knowledge_does_not_apply() -> None:
    assert prompter("m_prose").applies(TASK)
    assert not prompter("e").applies(TASK)
    assert not prompter("s").applies(make_task(api_name="lib.unknown"))
    with pytest.raises(UsageError, match=r"condition e is empty for lib\.slugify"):
        prompter("e").prompt(TASK)


def test_gold_is_parsed_back_to_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [TASK])
    benchmark = NovelApi(NovelApiOptions(tasks=path), load_settings())
    parsed = benchmark.parse(benchmark.gold(TASK), TASK)
    assert ast.dump(ast.parse(parsed.code)) == ast.dump(ast.parse(TASK.masked_region))
    assert [probe.passes for probe in benchmark.probes(TASK)] == [True, False, False, False]


def test_what_is_loaded_before_the_fork() -> None:
    names = warm_names(("lib",), ["lib.slugify", "lib.Box.open", "lib.Box.close", "lib.sub.f"])
    assert names == ("lib", "lib.Box", "lib.slugify", "lib.sub")
