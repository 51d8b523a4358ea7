"""The faults of wrong calls by name: a table of answers, and the class that each fault shares with its category."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from apigap.benchmarks.apibank.dialogues import LEVELS, OWN, Level, Sample, Step, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge, Mode
from apigap.benchmarks.apibank.prompts import written
from apigap.benchmarks.taxonomy import label_of_fault

BANK = load_bank(OWN)
JUDGES: Mapping[Mode, ApiBankJudge] = {
    "released": ApiBankJudge(BANK, "released"), "corrected": ApiBankJudge(BANK, "corrected"),
}  # fmt: skip
CALLS = [task for level in LEVELS for task in BANK.tasks(level) if task.is_call]


def truth(task: Any) -> tuple[str, dict[str, Any]]:
    if isinstance(task, Step):
        return task.api, dict(task.arguments)
    assert isinstance(task, Sample)
    return task.truth.api_name, dict(task.truth.param_dict)


def first(level: Level, searches: bool) -> Any:
    """The first call of a level that is a search, or is none, with an argument."""
    calls = [task for task in BANK.tasks(level) if task.is_call and truth(task)[1]]
    return next(task for task in calls if (truth(task)[0] == "ToolSearcher") == searches)


def spoilt(change: Callable[[str, dict[str, Any]], str]) -> Callable[[Any], str]:
    return lambda task: change(*truth(task))


def less(name: str, arguments: dict[str, Any]) -> str:
    return written(name, dict(list(arguments.items())[1:]))


def other(name: str, arguments: dict[str, Any]) -> str:
    return written(name, dict.fromkeys(arguments, "something quite different"))


ANSWERS: list[tuple[Level, bool, Callable[[Any], str], str]] = [
    ("level-1", False, lambda task: "I have done that for you.", "no call"),
    ("level-1", False, spoilt(lambda name, arguments: f"API-Request: {name} with what you said"), "wrong format"),
    ("level-1", False, spoilt(lambda name, arguments: written(f"No{name}", arguments)), "hallucinated API"),
    ("level-1", False, lambda task: "[CancelTimedSwitch(device_id='1', time='12:00')]", "hallucinated API"),
    ("level-1", False, spoilt(less), "missing argument"),
    ("level-1", False, spoilt(lambda n, a: written(n, {**a, "colour": "red"})), "unknown argument"),
    ("level-1", False, spoilt(other), "wrong value"),
    ("level-2", True, lambda task: "[GetUserToken(username='a', password='b')]", "search not asked"),
    ("level-2", True, spoilt(lambda n, a: written(n, {"words": "x"})), "search asked wrongly"),
    ("level-2", False, lambda task: "[ToolSearcher(keywords='again')]", "wrong choice after search"),
    ("level-3", False, lambda task: "[ToolSearcher(keywords='again')]", "wrong choice after search"),
    ("level-3", False, lambda task: "[FlyToTheMoon(day='now')]", "hallucinated API"),
]


@pytest.mark.parametrize("mode", ["released", "corrected"])
@pytest.mark.parametrize(("level", "searches", "answer", "fault"), ANSWERS)
def test_a_wrong_answer_has_its_fault(
    mode: Mode, level: Level, searches: bool, answer: Callable[[Any], str], fault: str
) -> None:
    task = first(level, searches)
    result = JUDGES[mode].score(task, answer(task))
    assert (result.passed, result.detail["fault"]) == (False, fault)
    assert result.detail["fault"] == result.detail["faults"][0]


def test_what_the_released_pattern_alone_cannot_read_is_a_wrong_format() -> None:
    task = first("level-1", False)
    bare = written(*truth(task)).removeprefix("[").removesuffix("]")
    assert JUDGES["released"].score(task, bare).detail["fault"] == "wrong format"
    assert JUDGES["corrected"].score(task, bare).passed


@pytest.mark.parametrize("mode", ["released", "corrected"])
def test_the_class_of_the_fault_is_the_label_of_the_result(mode: Mode) -> None:
    changes = [
        less,
        other,
        lambda n, a: "no",
        lambda n, a: written("NoSuch", a),
        lambda n, a: written(n, {**a, "z": 1}),
    ]
    seen = 0
    for task in CALLS:
        for change in changes:
            result = JUDGES[mode].score(task, change(*truth(task)))
            if not result.passed and result.detail["fault"]:
                seen += 1
                assert label_of_fault(result.detail["fault"]) == result.label, (task.task_id, result.detail)
    assert seen > 200


def swapped(name: str, arguments: dict[str, Any]) -> str:
    return written(name, {key: str(value).swapcase() for key, value in arguments.items()})


def padded(name: str, arguments: dict[str, Any]) -> str:
    return written(name, {key: f"  {value} " for key, value in arguments.items()})


def without_the_last(name: str, arguments: dict[str, Any]) -> str:
    return written(name, dict(list(arguments.items())[:-1]))


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (swapped, {"wrong value", "search asked wrongly"}),
        (padded, {"wrong value", "wrong type", "search asked wrongly"}),
        (without_the_last, {"missing argument", "search asked wrongly"}),
    ],
)
def test_what_is_wrong_without_the_published_faults_has_a_name(
    change: Callable[[str, dict[str, Any]], str], faults: set[str]
) -> None:
    results = [JUDGES["corrected"].score(task, change(*truth(task))) for task in CALLS if truth(task)[1]]
    told = {result.detail["fault"] for result in results if not result.passed}
    assert told and told <= faults


def test_a_right_call_that_a_published_rule_refuses_has_no_fault() -> None:
    refused = [r for t in CALLS if not (r := JUDGES["released"].score(t, JUDGES["released"].gold(t))).passed]
    assert len(refused) == 9
    assert any(result.detail["fault"] is None for result in refused)


def test_the_api_that_was_called_instead_is_told() -> None:
    task = first("level-1", False)
    result = JUDGES["corrected"].score(task, "[FlyToTheMoon(day='now')]")
    assert result.detail["confused"] == [(truth(task)[0], "FlyToTheMoon")]
