"""The one taxonomy of wrong tool calls, through both adapters."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from apigap.benchmarks.apibank.dialogues import OWN, Sample, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.call_faults import CALL_FAULTS, by_gravity
from apigap.benchmarks.taxonomy import (
    CALL_CATEGORIES,
    SelectionError,
    label_of_call,
    label_of_fault,
    label_of_selection,
)
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.verdict import verdict
from apigap.records.result import FAILURE_LABELS

DOCS = Path(__file__).parents[2] / "docs" / "taxonomy.md"


@pytest.mark.parametrize(
    ("category", "same_api", "same_arguments", "label"),
    [
        ("NO_API_CALL", False, False, "WrongSyntax"),
        ("API_NAME_MISMATCH", False, True, "WrongAPISelection"),
        ("INVALID_TOOL_NAME", False, True, "WrongAPISelection"),
        ("INVALID_INPUT_PARAMETER", True, False, "WrongParam"),
        ("MISS_INPUT_ARGUMENT", True, False, "WrongParam"),
        ("ASSERTION_ERROR", True, False, "WrongParam"),
        ("TYPE_ERROR", True, False, "WrongParam"),
        ("HAS_EXCEPTION", True, False, "WrongParam"),
        ("INPUT_MISMATCH", True, False, "WrongParam"),
        ("OUTPUT_MISMATCH", True, False, "WrongParam"),
        ("OUTPUT_MISMATCH", True, True, "WrongLogic"),
        ("INCORRECT", False, True, "WrongAPISelection"),
        ("INCORRECT", True, False, "WrongParam"),
        ("KEY_ERROR", True, True, "WrongLogic"),
        ("CRASH", False, False, "WrongAPISelection"),
    ],
)
def test_a_wrong_call(category: str, same_api: bool, same_arguments: bool, label: str) -> None:
    assert label_of_call(category, same_api=same_api, same_arguments=same_arguments) == label


def test_an_unknown_category_is_no_class() -> None:
    with pytest.raises(ValueError, match="SPELLING is no error category"):
        label_of_call("SPELLING", same_api=True, same_arguments=True)


def test_the_page_names_every_category_with_its_class() -> None:
    rows = re.findall(r"^\| (.+?) \|.*\| (Wrong\w+)", DOCS.read_text(), re.MULTILINE)
    told = {name: label for names, label in rows for name in names.split(", ")}
    assert set(told) == {*CALL_CATEGORIES, *get_args(SelectionError), *CALL_FAULTS}
    assert [name for name in told if name in CALL_FAULTS] == list(CALL_FAULTS)  # in the order of gravity
    assert set(told.values()) <= set(FAILURE_LABELS)
    for error in get_args(SelectionError):
        assert told[error] == label_of_selection(error)
    for fault in CALL_FAULTS:
        assert told[fault] == label_of_fault(fault)
    for category in CALL_CATEGORIES:
        assert told[category] == label_of_call(category, same_api=False, same_arguments=False)


def test_of_several_faults_the_gravest_comes_first() -> None:
    assert by_gravity(["superfluous call", "wrong value", "no call", "wrong value"]) == (
        "no call", "wrong value", "superfluous call",
    )  # fmt: skip


@pytest.fixture(scope="module")
def bank() -> ApiBankJudge:
    return ApiBankJudge(load_bank(OWN), mode="corrected")


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (lambda name, arguments: "I would look that up for you.", "WrongSyntax"),
        (lambda name, arguments: f"API-Request: [No{name}({arguments})]", "WrongAPISelection"),
        (lambda name, arguments: f"API-Request: [{name}({arguments}, colour='red')]", "WrongParam"),
        (lambda name, arguments: f"API-Request: [{name}()]", "WrongParam"),
    ],
)
def test_calls_of_apibank(bank: ApiBankJudge, change: object, label: str) -> None:
    task = next(
        task
        for task in bank.bank.tasks("level-1")
        if isinstance(task, Sample) and task.is_call and task.truth.param_dict
    )
    arguments = ", ".join(f"{name}={value!r}" for name, value in task.truth.param_dict.items())
    assert bank.score(task, change(task.truth.api_name, arguments)).label == label  # type: ignore[operator]


APIS = [
    {"category_name": "Sea", "tool_name": tool, "api_name": name, "api_description": "", "required_parameters": [],
     "optional_parameters": [], "method": "GET"}
    for tool, name in (("Tidewatch", "Moon"), ("Nightsky", "Moon"), ("Nightsky", "Stars"))
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "error", "label"),
    [
        ("Nobody can know that.", "no choice", "WrongSyntax"),
        ("I would take moon_for_tidewatch here.", "only mentioned", "WrongSyntax"),
        (["Moon"], "without its tool", "WrongImport"),
        ([["Tidewatch", "Tides"]], "invented", "WrongAPISelection"),
        ([["Nightsky", "Stars"]], "missed", "WrongAPISelection"),
        ([["Tidewatch", "Moon"], ["Nightsky", "Stars"]], "superfluous", "WrongAPISelection"),
        ([["Tidewatch", "Moon"]], None, None),
    ],
)
def test_choices_of_toolllm(answer: object, error: str | None, label: str | None) -> None:
    query = Query.model_validate(
        {"query_id": 1, "query": "When is the tide high?", "api_list": APIS, "relevant APIs": [["Tidewatch", "Moon"]],
         "set_name": "own"}
    )  # fmt: skip
    response = answer if isinstance(answer, str) else json.dumps({"api_calls": answer})
    result = verdict(query, select(response, query))
    assert (result.detail["error"], result.label) == (error, label)
