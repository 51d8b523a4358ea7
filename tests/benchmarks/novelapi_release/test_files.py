"""Reading the public release: what is there is read, what is broken is named by file, line and field."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.novelapi_release.benchmark import NovelApiRelease, ReleaseOptions
from apigap.benchmarks.novelapi_release.files import (
    is_release,
    load_expected,
    load_instance,
    load_release,
    load_tasks,
    select,
)
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord, InfrastructureError, UsageError
from apigap.records.store import write_records
from tests.benchmarks.novelapi_release.release_tasks import CLASS, SORT, TASKS, expected, row, with_harness, write
from tests.records.test_task import make_task

BUNDLE = {
    "api_name": "packaging.version.parse", "library": "packaging", "domain": "swe", "s_name": "packaging.version.parse",
    "s_param": [{"name": "version", "type": "str", "default": None, "description": "The text.", "constraints": None},
                {"name": "strict", "type": "bool", "default": True, "description": "", "constraints": None}],
    "return_type": "Version", "examples": [{"code": "parse('1')", "status": "executed", "reason": "runs cleanly"},
                                           {"code": "parse(", "status": "failed", "reason": "SyntaxError"}],
    "mechanism": {"text": "Reads a version.", "grounding": "docstring", "references": [], "source_summary": None,
                  "changelog_notes": None},
    "implementation": "def parse(version): ...", "is_modified": True, "old_signature": "(version)",
    "old_parameters": [{"name": "version"}], "requires_file_io": False,
}  # fmt: skip


def a_release(folder: Path) -> Path:
    """A folder as the release has it."""
    write(folder / "tasks.jsonl", TASKS)
    write(folder / "bundles.jsonl", [BUNDLE])
    write(folder / "expected_calls.jsonl", [expected(SORT, {"kind": "call", "args": {"*": [], "**": {}}})])
    (folder / "instances").mkdir()
    (folder / "instances" / "small.txt").write_text("llm_class\nllm_sort\n")
    checked = {"task_id": "llm_sort", "api_name": SORT["api_name"], "passed": True, "error": None}
    novel = {"task_id": "llm_sort", "api_name": SORT["api_name"], "model": "small", "novel": True, "fail_count": 3,
             "sample_fails": [True, True, True]}  # fmt: skip
    write(folder / "filters" / "c1.jsonl", [checked])
    write(folder / "filters" / "c2" / "small.jsonl", [novel])
    write(folder / "filters" / "c2" / "small.completions.jsonl", [{"task_id": "llm_sort", "completions": ["", "", ""]}])
    write(folder / "filters" / "c3" / "small.jsonl", [{**checked, "n_passed": 2}])
    return folder


def test_a_folder_is_read_as_a_whole(tmp_path: Path) -> None:
    release = load_release(a_release(tmp_path))
    assert list(release.tasks) == [task["task_id"] for task in TASKS]
    assert list(release.bundles) == ["packaging.version.parse"]
    assert release.expected["llm_sort"].expected[0].args == {"*": [], "**": {}}
    assert release.instances == {"small": ("llm_class", "llm_sort")}
    assert release.validity["llm_sort"].passed
    assert release.novelty["small"]["llm_sort"].sample_fails == (True, True, True)
    assert release.solvability["small"]["llm_sort"].n_passed == 2


def test_only_the_tasks_must_be_there(tmp_path: Path) -> None:
    write(tmp_path / "tasks.jsonl", TASKS)
    assert load_release(tmp_path).bundles == {}
    with pytest.raises(InfrastructureError, match=r"tasks\.jsonl does not exist"):
        load_release(tmp_path / "elsewhere")


def test_what_a_later_release_adds_is_kept(tmp_path: Path) -> None:
    made = with_harness({**SORT, "license": "BSD", "version": "24.1"}, reviewed="yes")
    task = load_tasks(write(tmp_path / "tasks.jsonl", [made]))["llm_sort"]
    assert json.loads(task.to_line()) == made
    assert task.version == "24.1"


def test_a_task_file_is_known_by_its_first_line(tmp_path: Path) -> None:
    assert is_release(write(tmp_path / "theirs.jsonl", TASKS))
    write_records(tmp_path / "ours.jsonl", [make_task()])
    assert not is_release(tmp_path / "ours.jsonl")
    for text in ("", "not JSON\n", "[1]\n", '{"test_harness": "none"}\n'):
        (tmp_path / "other.jsonl").write_text(text)
        assert not is_release(tmp_path / "other.jsonl")


def without(made: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name != field}


# The second line of a tasks file -> what the error says.
BROKEN: list[tuple[Any, str]] = [
    (SORT, "holds llm_sort a second time"),
    (without(CLASS, "test_harness"), "task llm_class, test_harness: Field required"),
    ({**CLASS, "test_harness": None}, "task llm_class, test_harness: "),
    ({**CLASS, "test_harness": {"setup_code": ""}}, r"test_harness\.execution_test: Field required"),
    (with_harness(CLASS, execution_test=" \n# nothing\n"), r"test_harness\.execution_test: .*nothing could fail it"),
    (with_harness(CLASS, execution_test="assert ("), r"test_harness\.execution_test: .*not Python"),
    (with_harness(CLASS, setup_code="def ("), r"test_harness\.setup_code: .*not Python"),
    (without(CLASS, "description"), "task llm_class, description: Field required"),
    ({**CLASS, "difficulty": "impossible"}, "task llm_class, difficulty"),
    ({**CLASS, "api_name": "no name"}, "task llm_class, api_name"),
    ({**CLASS, "task_id": ""}, "task_id"),
    ({**CLASS, "library": 3}, "library"),
    ([CLASS], "ReleaseTask"),
]


@pytest.mark.parametrize(("second", "words"), BROKEN)
def test_a_broken_task_is_named_by_file_line_and_field(tmp_path: Path, second: Any, words: str) -> None:
    path = write(tmp_path / "tasks.jsonl", [SORT, second])
    with pytest.raises(CorruptRecord, match=rf"tasks\.jsonl:2 .*{words}"):
        load_tasks(path)


def test_a_cut_line_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(SORT)[:-20])
    with pytest.raises(CorruptRecord, match=r"tasks\.jsonl:1 is not a ReleaseTask"):
        load_tasks(path)
    path.write_text("\n")
    with pytest.raises(CorruptRecord, match="holds no ReleaseTask"):
        load_tasks(path)


def test_an_instance_names_tasks_that_are_there(tmp_path: Path) -> None:
    tasks = load_tasks(write(tmp_path / "tasks.jsonl", TASKS))
    path = tmp_path / "instance.txt"
    for text, words in (
        ("llm_sort\nllm_gone\n", r"instance\.txt:2 names task llm_gone, which"),
        ("llm_sort\nllm_sort\n", r"instance\.txt:2 names task llm_sort a second time"),
        ("\n", "names no task"),
    ):
        path.write_text(text)
        with pytest.raises(CorruptRecord, match=words):
            load_instance(path, tasks)
    path.write_text("llm_headers\r\n\r\nllm_sort")
    assert list(select(tasks, path)) == ["llm_headers", "llm_sort"]
    assert select(tasks, None) is tasks
    with pytest.raises(UsageError, match="--instance takes a text file"):
        select(tasks, tmp_path / "nowhere.txt")


def test_predictions_of_the_release_are_read_with_all_their_fields(tmp_path: Path) -> None:
    write(tmp_path / "tasks.jsonl", TASKS)
    made = {"task_id": "llm_sort", "api_name": "x.y", "cell": "S+E", "samples": ["a"], "finish_reasons": ["stop"]}
    path = write(tmp_path / "predictions.jsonl", [made])
    benchmark = NovelApiRelease(ReleaseOptions(tasks=tmp_path / "tasks.jsonl"), load_settings())
    (found,) = benchmark.predictions(path, benchmark.load()).predictions
    assert json.loads(found.to_line()) == made
    for rows, words in (
        ([made, made], "more than once"),
        ([{**made, "task_id": "llm_gone"}], r"llm_gone\) that the benchmark"),
    ):
        with pytest.raises(CorruptRecord, match=words):
            benchmark.predictions(write(path, rows), benchmark.load())


def test_filters_and_calls_of_unknown_tasks(tmp_path: Path) -> None:
    gone = row("llm_gone", "a.b", "", "", "assert x")
    tasks = load_tasks(write(tmp_path / "tasks.jsonl", TASKS))
    calls = write(tmp_path / "calls.jsonl", [expected(gone), expected(SORT)])
    assert list(load_expected(calls, tasks)) == ["llm_sort"]
    write(tmp_path / "filters" / "c1.jsonl", [{"task_id": "llm_gone", "api_name": "a.b", "passed": True}])
    with pytest.raises(CorruptRecord, match=r"c1\.jsonl is about task llm_gone"):
        load_release(tmp_path)


def test_a_bundle_of_theirs_is_one_of_ours(tmp_path: Path) -> None:
    bundle = load_release(a_release(tmp_path)).bundles["packaging.version.parse"].to_knowledge("24.1")
    assert (bundle.version, bundle.change, bundle.old_signature) == ("24.1", "modified", "(version)")
    assert bundle.surface.kind == "function"
    first, second = bundle.surface.parameters
    assert (first.annotation, first.required, first.description) == ("str", True, "The text.")
    assert (second.default, second.required) == ("True", False)
    assert [found.code for found in bundle.exemplars] == ["parse('1')"]
    assert bundle.m_prose is not None
    assert (bundle.m_prose.text, bundle.m_prose.tier) == ("Reads a version.", "docstring")
    assert bundle.m_code is not None
