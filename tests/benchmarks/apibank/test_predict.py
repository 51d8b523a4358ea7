"""Answers of a model to API-Bank: asked once, in a file that can be judged."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from apigap.benchmarks.apibank.dialogues import LEVELS, Task, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.evaluation.predict import Asking, predict
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.models.spending.cell_cost import AnswerTime, times_path
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from tests.benchmarks.runs import apibank, summary_of
from tests.silent import Silent

NAME = Path("own")
MOCK = "mockllm/model"


def gold_answers() -> dict[str, str]:
    """What a model that knows everything answers, by what it is asked."""
    bank = load_bank(NAME)
    adapter = ApiBankJudge(bank)
    tasks: dict[str, Task] = {task.task_id: task for level in LEVELS for task in bank.tasks(level)}
    requests = [apibank().prompt(task) for task in tasks.values()]
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
    out, level, make = tmp_path / "answers.jsonl", apibank(level=(2,)), Knowing(gold_answers())
    told = predict(level, out, Asking(MOCK, limit=2), Silent(), make)
    assert (told.answers, told.too_long, make.asked) == (4, 0, 4)
    predict(level, out, Asking(MOCK), Silent(), make)
    total = len(level.select(level.load(), 0))
    assert make.asked == total == len(load_records(out, Prediction))
    before = out.read_bytes()
    predict(level, out, Asking(MOCK, limit=2), Silent(), make)
    predict(level, out, Asking(MOCK), Silent(), make)
    assert (make.asked, out.read_bytes()) == (total, before)
    found = summary_of(apibank(mode="corrected"), out, tmp_path / "results.jsonl").levels["level-2"]
    assert (found.accuracy, found.rouge_l) == (1.0, pytest.approx(1.0))


def test_answers_of_another_model_are_not_mixed_in(tmp_path: Path) -> None:
    out, make = tmp_path / "answers.jsonl", Knowing(gold_answers())
    predict(apibank(), out, Asking(MOCK, limit=1), Silent(), make)
    with pytest.raises(UsageError, match="was made with"):
        predict(apibank(), out, Asking("mockllm/other", limit=1), Silent(), make)


def test_a_selection_takes_what_it_says() -> None:
    chosen = apibank(level=(1,), kind="calls")
    calls = chosen.select(chosen.load(), 0)
    assert len(calls) == 24
    assert all(task.is_call for task in calls)
    assert [calls.index(task) for task in chosen.select(chosen.load(), 6)] == [0, 4, 8, 12, 16, 20]
    with pytest.raises(UsageError, match="--level"):
        apibank(level=(4,))


def test_predictions_and_their_scores_say_what_the_answers_took(tmp_path: Path) -> None:
    out, bank = tmp_path / "answers.jsonl", apibank(Path("own"))
    found = predict(bank, out, Asking("mockllm/model", limit=1), Silent())
    assert (found.cost.answers, found.cost.dollars, found.cost.input_tokens) == (found.answers, 0.0, None)
    told = [
        row.model_copy(update={"input_tokens": [100], "output_tokens": [7]}) for row in load_records(out, Prediction)
    ]
    write_records(out, told)
    times = [AnswerTime(key=str((row.model_extra or {})["key"]), seconds=(2.0,)) for row in told]
    write_records(times_path(out), times)
    cost = summary_of(bank, out, tmp_path / "results.jsonl", answered_only=True).cost
    assert (cost.answers, cost.input_tokens, cost.output_tokens) == (len(told), 100 * len(told), 7 * len(told))
    assert (cost.dollars, cost.timed, cost.median_seconds) == (0.0, len(told), 2.0)
