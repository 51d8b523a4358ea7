"""A study with made-up models: asked, resumed, summed up and shown."""

import json
from pathlib import Path

from tools.study import PREDICTIONS, ROOT, SUMMARY
from tools.toolllm.page import study_page
from tools.toolllm.study import ask_model, summarise_study

from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.queries import OWN, Query, drawn, load_queries
from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from tests.silent import Silent

QUERIES = load_queries([OWN])


class Answering:
    """Makes models that are right about `share` of the queries and name an invented API otherwise."""

    def __init__(self, share: float) -> None:
        self.asked = 0
        self._right = {query.question for query in QUERIES[: round(share * len(QUERIES))]}

    def __call__(self, model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=self._reply)

    def _reply(self, prompt: str) -> str:
        self.asked += 1
        query = next(query for query in QUERIES if query.question in prompt)
        return gold(query) if query.question in self._right else '{"api_calls": ["moon"]}'


def test_models_are_compared_on_what_both_were_asked(tmp_path: Path) -> None:
    ask_model([OWN], tmp_path, Asking("mockllm/half"), Silent(), Answering(0.5))
    knowing = Answering(1.0)
    for limit in (5, 10, 10):
        path = ask_model([OWN], tmp_path, Asking("mockllm/knowing", limit=limit), Silent(), knowing)
    assert (knowing.asked, path) == (10, tmp_path / "knowing" / PREDICTIONS)
    summary = summarise_study(QUERIES, tmp_path)
    half, right = summary["models"]["half"], summary["models"]["knowing"]
    assert half["groups"]["all"]["resolved"]["estimate"] == 0.5
    assert half["groups"]["all"]["with_invented"] == len(QUERIES) / 2
    assert right["groups"]["all"]["resolved"]["estimate"] == 1.0
    same = summary["same_queries"]
    chosen = drawn(QUERIES, 10)
    wrong = sum(query not in QUERIES[: len(QUERIES) // 2] for query in chosen) / len(chosen)
    assert (same["queries"], same["over"]) == (10, "half")
    assert same["gains"]["knowing"]["resolved"]["difference"] == wrong
    assert 0 < right["gains"]["everything"]["difference"] < 1  # some queries offer nothing but what they need


def test_the_kept_answers_hold_no_prompt_and_are_not_asked_for_again(tmp_path: Path) -> None:
    model = Answering(0.5)
    path = ask_model([OWN], tmp_path, Asking("mockllm/half"), Silent(), model)
    once = path.read_bytes()
    assert not any(query.question.encode() in once for query in QUERIES)
    ask_model([OWN], tmp_path, Asking("mockllm/half"), Silent(), model)
    assert (model.asked, path.read_bytes()) == (len(QUERIES), once)


def test_the_page_has_every_model_baseline_and_interval(tmp_path: Path) -> None:
    for name, share in (("a", 0.5), ("b", 1.0)):
        ask_model([OWN], tmp_path, Asking(f"mockllm/{name}"), Silent(), Answering(share))
    page = study_page(json.loads(json.dumps(summarise_study(QUERIES, tmp_path))))
    assert "| a | own | 24 | 50.0 (" in page
    assert all(f"| *{name}* |" in page for name in ("everything", "nothing", "random"))
    assert "b over a: recall +50.0 points (" in page
    assert "12 answers name an API that is not offered" in page


def test_a_larger_draw_holds_the_smaller_one() -> None:
    sizes = [{query.task_id for query in drawn(QUERIES, size)} for size in (3, 9, 0)]
    assert [len(ids) for ids in sizes] == [3, 9, len(QUERIES)]
    assert sizes[0] < sizes[1] < sizes[2]
    assert drawn(QUERIES, 9) == [query for query in QUERIES if query.task_id in sizes[1]]


def test_the_kept_summary_is_what_the_kept_answers_come_to(published: dict[str, Query]) -> None:
    folder = ROOT / "studies" / "toolllm"
    kept = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(summarise_study(list(published.values()), folder)))
