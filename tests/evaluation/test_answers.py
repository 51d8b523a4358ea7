"""What was answered once is never asked again, whatever stopped the run."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from apigap.evaluation.answers import OnAnswer, answered, collect
from apigap.models.request import Answer, GenerationRequest
from apigap.models.spending.cell_cost import read_times, times_path
from apigap.records.result import Prediction
from apigap.records.store import load_records


class Model:
    """Answers every request with its key; `fails_at` is the number of the request that it dies at."""

    def __init__(self, fails_at: int = 99) -> None:
        self.asked: list[str] = []
        self.fails_at = fails_at

    def __call__(self, requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        for request in requests:
            if len(self.asked) == self.fails_at:
                raise ConnectionError
            self.asked.append(request.key)
            for sample in reversed(range(request.samples)):
                on_answer(request.key, sample, Answer(text=f"{request.key} {sample}", stop_reason="stop"))


def request(key: str, samples: int = 1, prompt: str = "p", shared: int = 0) -> GenerationRequest:
    return GenerationRequest(key=key, prompt=prompt, samples=samples, temperature=samples - 1, shared=shared)


ROWS = [request("a/x"), request("b/x", 3), request("c/x")]


def silent(done: int, total: int) -> None:
    """Show nothing."""


def test_a_broken_run_goes_on_and_ends_in_the_same_bytes(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.jsonl", tmp_path / "whole.jsonl"
    collect({whole: ROWS}, Model(), {}, silent)
    with pytest.raises(ConnectionError):
        collect({broken: ROWS}, Model(fails_at=2), {}, silent)
    rest = Model()
    collect({broken: ROWS}, rest, {}, silent)
    assert rest.asked == ["c/x"]
    assert broken.read_bytes() == whole.read_bytes()
    assert load_records(whole, Prediction)[1].samples == ("b/x 0", "b/x 1", "b/x 2")


def test_the_time_of_each_answer_is_kept_beside_the_answers(tmp_path: Path) -> None:
    def slowly(requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        Model()(requests, lambda key, n, answer: on_answer(key, n, answer.model_copy(update={"seconds": n + 0.5})))

    quick, slow = tmp_path / "quick.jsonl", tmp_path / "slow.jsonl"
    collect({quick: ROWS}, Model(), {}, silent)
    collect({slow: ROWS[:2]}, slowly, {}, silent)
    collect({slow: ROWS}, slowly, {}, silent, shared=True)
    assert quick.read_bytes() == slow.read_bytes()
    assert read_times(slow) == {"a/x": (0.5,), "b/x": (0.5, 1.5, 2.5), "c/x": (0.5,)}
    assert read_times(quick) == {}
    assert not times_path(quick).exists()


def test_known_answers_are_reused_for_the_same_prompt_only(tmp_path: Path) -> None:
    collect({tmp_path / "old.jsonl": ROWS}, Model(), {}, silent)
    model = Model()
    changed = [request("a/x"), request("c/x", prompt="another")]
    collect({tmp_path / "new.jsonl": changed}, model, answered(tmp_path / "old.jsonl"), silent)
    assert model.asked == ["c/x"]


def test_neighbours_that_begin_alike_are_asked_together(tmp_path: Path) -> None:
    files = {
        tmp_path / cell: [request(f"{task}/{cell}", prompt=f"{task} {cell}", shared=1) for task in "ab"]
        for cell in ("s", "e")
    }
    model = Model()
    collect(files, model, {}, silent)
    assert model.asked == ["a/s", "a/e", "b/s", "b/e"]
    assert [p.task_id for p in load_records(tmp_path / "e", Prediction)] == ["a", "b"]
