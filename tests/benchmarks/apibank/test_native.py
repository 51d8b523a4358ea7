"""Native tool calls in answers, in the forms that models and providers write."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.apibank.dialogues import Level, Sample, Step, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge, Mode
from apigap.benchmarks.apibank.native import read_either, read_native
from apigap.benchmarks.apibank.scoring.corrected import Read

CALL = {"name": "A", "arguments": {"x": 1, "y": ["a"]}}
WANTED = [Read("A", {"x": 1, "y": ["a"]})]
WITHIN = {"id": "1", "type": "function", "function": {"name": "A", "arguments": json.dumps(CALL["arguments"])}}
LEVELS: tuple[Level, ...] = ("level-1", "level-2", "level-3")


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        (json.dumps(CALL), WANTED),
        (f"<tool_call>\n{json.dumps(CALL)}\n</tool_call>", WANTED),
        (f"<think>{json.dumps({'name': 'B', 'arguments': {}})}</think>{json.dumps(CALL)}", WANTED),
        (f"```json\n{json.dumps([CALL, CALL])}\n```", WANTED * 2),
        (json.dumps({"role": "assistant", "content": None, "tool_calls": [WITHIN]}), WANTED),
        (json.dumps({"choices": [{"message": {"tool_calls": [WITHIN]}}]}), WANTED),
        (json.dumps({"name": "A", "parameters": {}}), [Read("A", {})]),
        (json.dumps({"name": "A", "arguments": ""}), [Read("A", {})]),
        (json.dumps({"name": "A", "arguments": "{"}), []),
        (json.dumps({"name": 1, "arguments": {}}), []),
        ("[A(x='1')]", []),
        ("", []),
    ],
)
def test_every_form_is_read(answer: str, calls: list[Read]) -> None:
    assert read_native(answer) == calls


def test_text_is_read_where_there_is_no_json() -> None:
    assert read_either("[A(x='1')]") == [Read("A", {"x": "1"})]


KEYS = st.sampled_from(["name", "arguments", "tool_calls", "function"])
JSON = st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda i: st.lists(i) | st.dictionaries(KEYS, i))


@given(JSON.map(json.dumps) | st.text(max_size=100))
def test_no_answer_breaks_the_reading(answer: str) -> None:
    assert all(isinstance(call.name, str) for call in read_either(answer))


STATEFUL = [
    "dentist-appointment.jsonl#2", "forgotten-password.jsonl#2", "forgotten-password.jsonl#4",
    "pulse-after-running.jsonl#2",
]  # fmt: skip


@pytest.mark.parametrize(("mode", "wrong"), [("released", STATEFUL), ("corrected", [])])
def test_native_gold_calls_are_right_where_the_state_allows(mode: Mode, wrong: list[str]) -> None:
    """Released mode refuses what it does for the state that a call needs, and no list nor apostrophe."""
    bank = load_bank(Path("own"))
    adapter, text = ApiBankJudge(bank, mode, "native"), ApiBankJudge(bank, "corrected")
    refused: list[str] = []
    for task in (task for level in LEVELS for task in bank.tasks(level)):
        if isinstance(task, Sample | Step) and task.is_call:
            answer = f"<tool_call>{json.dumps(_call(task))}</tool_call>"
            refused += [] if adapter.score(task, answer).passed else [task.task_id]
            assert not text.score(task, answer).passed  # as text it is no call
    assert refused == wrong


def _call(task: Sample | Step) -> dict[str, Any]:
    if isinstance(task, Step):
        return {"name": task.api, "arguments": task.truth["input"]}
    return {"name": task.truth.api_name, "arguments": task.truth.result["input"]}
