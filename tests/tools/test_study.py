"""The one command of all studies: what it asks, what it writes, and that the kept pages are what it would write."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tools.apibank import make_study as apibank
from tools.calls import make_study as calls
from tools.faults import confusion_lines, fault_table
from tools.study import PREDICTIONS, SUMMARY, Study, answers_of, kept_answers, make_study, study_options
from tools.toolllm import make_study as toolllm

from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking
from apigap.records.progress import Progress
from apigap.records.store import write_text


def asked(folder: Path, asking: Asking, progress: Progress, make: MakeGenerator) -> None:
    """An answer in words, so that the summary and the page say who was asked, and how much."""
    write_text(answers_of(folder, asking.model), f"{asking.model}, {asking.limit}\n")


def summary_of(folder: Path, progress: Progress) -> Mapping[str, Any]:
    return {path.parent.name: path.read_text(encoding="utf-8").strip() for path in kept_answers(folder)}


STUDY = Study("# Head\n\n", asked, summary_of, lambda summary: "\n".join(summary.values()) + "\n")


def run(folder: Path, *words: str) -> str:
    page = folder / "page.md"
    given = study_options("What it does.", "none").parse_args(["--folder", str(folder), "--page", str(page), *words])
    make_study(STUDY, given)
    return page.read_text(encoding="utf-8")


def test_models_are_added_one_by_one_and_a_page_alone_asks_nobody(tmp_path: Path) -> None:
    assert run(tmp_path, "--model", "gguf/b") == "# Head\n\ngguf/b, 0\n"
    both = run(tmp_path, "--model", "openai/org/a", "--limit", "7")
    assert both == "# Head\n\nopenai/org/a, 7\ngguf/b, 0\n"
    assert run(tmp_path) == both
    assert json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8")) == {"a": "openai/org/a, 7", "b": "gguf/b, 0"}
    assert (tmp_path / "a" / PREDICTIONS).exists()


HEADS = {"apibank": apibank.HEAD, "calls": calls.HEAD, "toolllm": toolllm.HEAD}
PAGES = {"apibank": apibank.study_page, "calls": calls.study_page, "toolllm": toolllm.study_page}


@pytest.mark.parametrize("name", HEADS)
def test_a_kept_page_is_what_its_summary_comes_to(name: str) -> None:
    given = study_options("", name).parse_args([])
    summary = json.loads((given.folder / SUMMARY).read_text(encoding="utf-8"))
    assert given.page.read_text(encoding="utf-8") == HEADS[name] + PAGES[name](summary)
    assert {path.parent.name for path in kept_answers(given.folder)} == summary["models"].keys()


FIGURES = {"wrong": 3, "first": {"no call": 2, "wrong API": 1}, "any_of": {"no call": 2, "wrong API": 1}}
RIGHT = {"wrong": 0, "first": {}, "any_of": {}, "confusions": []}


def test_faults_stand_side_by_side_and_pairs_below() -> None:
    confused = {**FIGURES, "confusions": [{"expected": "read", "called": "write", "answers": 1}]}
    models = {"a": confused, "b": RIGHT}
    assert fault_table(models).splitlines()[2:] == [
        "| no call | 2 (2) | 0 (0) |",
        "| wrong API | 1 (1) | 0 (0) |",
        "| *wrong answers* | 3 | 0 |",
    ]
    assert confusion_lines(models)[-1] == "- a: write for read (1)."
    assert confusion_lines({"b": RIGHT}) == []
