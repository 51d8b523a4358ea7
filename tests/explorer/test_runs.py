"""Files in folders are known by what they hold, whatever wrote them, and nothing is guessed without saying so."""

from pathlib import Path

import pytest

from apigap.explorer.dataset import Dataset, read_dataset
from apigap.explorer.files import find_files, kind_of
from apigap.explorer.runs import read_runs
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.result import Judged, Result
from apigap.records.store import write_records
from tests.analysis.test_analysis import TASKS, fill
from tests.analysis.test_ladder_report import CANDIDATES, PAIRED
from tests.silent import Silent


def results(*outcomes: str, about: str = "", evaluator: str = "e") -> list[Result]:
    return [
        Result.model_validate(
            {
                "task_id": f"t{number}", "sample": 0, "outcome": outcome, "passed": outcome == "pass", "score": 1.0,
                "label": None, "detail": {}, "evaluator": evaluator, "seconds": 0.0, "judged": Judged.of("x = 1"),
                "about": about, "part": "bank",
            }
        )
        for number, outcome in enumerate(outcomes)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([result.to_line() for result in results("pass")], "results"),
        (['{"task_id":"t","samples":["a"],"prompt":"p"}'], "answers"),
        ([PAIRED[0].to_line()], "items"),
        ([TASKS[0].to_line()], "tasks"),
        ([CANDIDATES[0].to_line()], "candidates"),
        (['{"task_id":"t"}'], None),
        (["[1, 2]"], None),
        (["no JSON"], None),
        (["[" * 100_000], None),
        ([], None),
    ],
)
def test_a_file_is_what_its_first_line_says(tmp_path: Path, lines: list[str], kind: str | None) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines))
    assert kind_of(path) == kind


def test_the_folder_of_a_cell_brings_the_tasks_of_its_data_folder(starter: Path) -> None:
    cell = starter / "results" / "starter-qwen2.5-coder-0.5b" / "oracle.s"
    found = find_files([cell])
    assert found["results"] == [cell / "results.jsonl"]
    assert found["tasks"] == [(starter / "raw" / "stage3_tasks.answered.jsonl").resolve()]
    (run,) = read_runs([cell]).runs
    assert (run.subject, run.condition, len(run.answers)) == ("gguf/qwen2.5-coder-0.5b", "oracle.s", 40)


def test_a_path_that_is_given_twice_counts_once(starter: Path) -> None:
    assert len(find_files([starter, starter / "results"])["results"]) == 6


@pytest.mark.parametrize("named", ["nothing", "missing"])
def test_a_folder_without_results_is_refused_in_words(tmp_path: Path, named: str) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(UsageError, match=r"holds no results|does not exist"):
        find_files([tmp_path / named])


def test_an_archive_in_place_of_results_is_named_with_the_command_that_unpacks_it(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "answers.tar.xz").touch()
    with pytest.raises(UsageError, match=r"tar -xf \S+/kept/answers\.tar\.xz -C DIR"):
        find_files([tmp_path])


def test_what_a_closing_asked_again_is_not_shown_twice(tmp_path: Path) -> None:
    for place in ("results/e/baseline", "closing/e/ways/mcp"):
        (tmp_path / place).mkdir(parents=True)
        write_records(tmp_path / place / "results.jsonl", results("pass"))
    assert find_files([tmp_path])["results"] == [tmp_path / "results/e/baseline/results.jsonl"]
    ways = tmp_path / "closing" / "e" / "ways"
    assert find_files([ways])["results"] == [ways / "mcp" / "results.jsonl"]


UNJUDGED = [
    (
        "answers.jsonl",
        '{"task_id": "1", "samples": ["x"]}',
        r"answers but no verdicts: .* --predictions \S+/answers\.jsonl",
    ),
    (
        "cells.jsonl",
        '{"cell": 1}',
        r"holds no results \(1 of other kinds, first \S+/cells\.jsonl\): give the data folder",
    ),
    ("kept.jsonl.xz", "", r"xz -dk \S+/kept\.jsonl\.xz"),
]


@pytest.mark.parametrize(("name", "line", "told"), UNJUDGED)
def test_what_is_there_in_place_of_results_is_told(tmp_path: Path, name: str, line: str, told: str) -> None:
    (tmp_path / name).write_text(line)
    with pytest.raises(UsageError, match=told):
        find_files([tmp_path])


def test_results_of_another_benchmark_need_no_manifest(tmp_path: Path) -> None:
    write_records(tmp_path / "gpt.results.jsonl", results("pass", "fail", "infra", about="Transfer"))
    found = read_dataset([tmp_path], progress=Silent())
    assert [(one.name, one.answers, one.without_verdict) for one in found.subjects] == [("gpt", 3, 1)]
    assert [(one.library, one.name) for one in found.apis] == [("bank", "Transfer")]
    assert [(one.rate, one.units) for one in found.rates if one.library == ""] == [(0.5, 2)]
    assert "answers are not at hand" in found.missing[0]
    (asked,) = {one.answers[0].text for one in found.asked["bank", "Transfer"]}
    assert asked == "x = 1", "what was judged stands in the place of the answer"


def test_results_that_say_nothing_of_their_tasks_are_told_and_left_out(tmp_path: Path) -> None:
    write_records(tmp_path / "gpt.results.jsonl", results("pass", "fail"))
    with pytest.raises(UsageError, match=r"2 of its tasks are in no file at hand .*--tasks"):
        read_dataset([tmp_path], progress=Silent())


def test_two_verdicts_on_one_sample_are_refused(tmp_path: Path) -> None:
    write_records(tmp_path / "gpt.results.jsonl", results("pass", about="a") * 2)
    with pytest.raises(CorruptRecord, match="two verdicts on task t0"):
        read_runs([tmp_path])


def test_one_column_is_of_one_evaluator_unless_forced(tmp_path: Path) -> None:
    write_records(tmp_path / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(tmp_path, "baseline", "p" * 10, evaluator="old")
    fill(tmp_path, "oracle.s", "p" * 10, evaluator="new")
    with pytest.raises(UsageError, match=r"different evaluators \(new in .*--force"):
        read_runs([tmp_path])
    assert len(read_runs([tmp_path], force=True).runs) == 2


def test_a_model_that_was_asked_the_same_twice_has_two_columns(tmp_path: Path) -> None:
    write_records(tmp_path / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    for experiment in ("a", "b"):
        fill(tmp_path, "baseline", "p" * 10, experiment)
    other = tmp_path / "results" / "b" / "baseline" / "predictions.manifest.json"
    other.write_bytes((tmp_path / "results" / "a" / "baseline" / "predictions.manifest.json").read_bytes())
    assert [run.subject for run in read_runs([tmp_path]).runs] == ["m-a (a)", "m-a (b)"]
    fill(tmp_path, "oracle.s", "p" * 10, "c")
    assert [run.subject for run in read_runs([tmp_path / "results" / "c"]).runs] == ["m-c"]


def test_columns_of_different_evaluators_are_shown_and_not_compared(tmp_path: Path) -> None:
    write_records(tmp_path / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(tmp_path, "baseline", "p" * 10, "a", evaluator="old")
    fill(tmp_path, "baseline", "f" * 10, "b", evaluator="new")
    found = read_dataset([tmp_path], progress=Silent())
    assert [one.name for one in found.subjects] == ["m-a", "m-b"]
    assert found.comparisons == []
    assert any("verdicts of different evaluators (new, old) are not compared" in line for line in found.missing)


def test_the_ladder_of_an_audit_is_found_with_its_items(ladder: Path) -> None:
    found: Dataset = read_dataset([ladder], draws=50, progress=Silent())
    assert [one.name for one in found.subjects] == ["gguf/dated", "gguf/knower"]
    assert found.rungs == ["exists: told apart", "signature: choice", "signature: F1 of names"]
    assert [one.name for one in found.apis][:2] == ["lib.b", "lib.a"], "the most important first"
    assert not found.missing
