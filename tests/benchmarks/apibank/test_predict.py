"""Answers of a model to API-Bank: asked once, in a file that can be judged."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from apigap.benchmarks.apibank.adapter import ApiBank, load_bank
from apigap.benchmarks.apibank.dialogues import Task
from apigap.benchmarks.apibank.predict import Selection, chosen_tasks, predict_apibank, requests_for
from apigap.benchmarks.apibank.score import LEVELS, score_apibank
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.silent import Silent

NAME = Path("own")


def gold_answers() -> dict[str, str]:
    """What a model that knows everything answers, by what it is asked."""
    bank = load_bank(NAME)
    adapter = ApiBank(bank)
    tasks: dict[str, Task] = {task.task_id: task for level in LEVELS for task in bank.tasks(level)}
    requests = requests_for(NAME, list(tasks.values()), "text")
    return {request.messages()[-1].content: adapter.gold(tasks[request.key]) for request in requests}


class Knowing:
    """Makes models that know `answers`, and counts what they are asked."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.asked = 0
        self._answers = answers

    def __call__(self, model: str, decoding: Decoding) -> Generator:
        def reply(text: str) -> str:
            self.asked += 1
            return self._answers[text]

        return Generator(model, decoding, reply=reply)


def test_a_model_that_knows_everything_is_right_everywhere_and_asked_once(tmp_path: Path) -> None:
    out, few, whole = tmp_path / "answers.jsonl", Selection(("level-2",), limit=2), Selection(("level-2",))
    make = Knowing(gold_answers())
    told = predict_apibank(NAME, "mockllm/model", out, few, Silent(), make=make)
    assert (told["answers"], told["too_long"], make.asked) == (4, 0, 4)
    predict_apibank(NAME, "mockllm/model", out, whole, Silent(), make=make)
    total = len(chosen_tasks(NAME, whole))
    assert make.asked == total == len(load_records(out, Prediction))
    before = out.read_bytes()
    predict_apibank(NAME, "mockllm/model", out, few, Silent(), make=make)
    predict_apibank(NAME, "mockllm/model", out, whole, Silent(), make=make)
    assert (make.asked, out.read_bytes()) == (total, before)
    found = score_apibank(NAME, out, tmp_path / "results.jsonl", Silent(), "corrected")["levels"]["level-2"]
    assert (found["accuracy"], found["rouge_l"]) == (1.0, pytest.approx(1.0))


def test_answers_of_another_model_are_not_mixed_in(tmp_path: Path) -> None:
    out, few = tmp_path / "answers.jsonl", Selection(limit=1)
    make = Knowing(gold_answers())
    predict_apibank(NAME, "mockllm/model", out, few, Silent(), make=make)
    with pytest.raises(UsageError, match="was made with"):
        predict_apibank(NAME, "mockllm/other", out, few, Silent(), make=make)


def test_a_selection_takes_what_it_says() -> None:
    calls = chosen_tasks(NAME, Selection(("level-1",), replies=False))
    assert len(calls) == 24
    assert all(task.is_call for task in calls)
    spread = chosen_tasks(NAME, Selection(("level-1",), replies=False, limit=6))
    assert [calls.index(task) for task in spread] == [0, 4, 8, 12, 16, 20]
    with pytest.raises(UsageError, match="has no task"):
        chosen_tasks(NAME, Selection(("level-1",), calls=False, replies=False))
