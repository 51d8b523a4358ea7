"""Judging beside asking: it begins before the last answer, and nothing but time depends on it."""

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from apigap.benchmarks.novelapi.judge import CodeItem
from apigap.experiments import judging_ahead
from apigap.experiments.judging_ahead import JudgingAhead, answers_elsewhere
from apigap.models.request import Answer, GenerationRequest
from apigap.records.errors import EnvironmentFailure
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from tests.auditing.conftest import APIGAP, run
from tests.experiments.test_run import knowledge
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving
from tests.records.test_task import make_task

TASKS = [make_task(description=f"Task {number}.") for number in range(40)]
REQUESTS = [GenerationRequest(key=f"{task.task_id}/s", prompt="?") for task in TASKS]


class Judge:
    """Notes what it is given, in batches."""

    batches: list[list[str]] = []
    begun = threading.Event()
    may_end = threading.Event()

    def __init__(self, *_: object) -> None:
        pass

    def score_all(self, items: Sequence[CodeItem]) -> None:
        self.begun.set()
        self.batches.append([item.task.task_id for item in items])
        assert self.may_end.wait(10)


class Workers:
    workers = 1


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> type[Judge]:
    Judge.batches.clear()
    Judge.begun.clear()
    Judge.may_end.set()
    monkeypatch.setattr(judging_ahead, "NovelApiJudge", Judge)
    monkeypatch.setattr(judging_ahead, "VerdictCache", lambda engine: None)
    monkeypatch.setattr(judging_ahead, "homes_at_hand", lambda *_: {})
    return Judge


def ask(before_last: Callable[[], object]) -> Callable[[Sequence[Any], Callable[[str, int, Answer], None]], None]:
    """Whoever answers each request, and does something before the last one."""

    def asked(requests: Sequence[Any], on_answer: Callable[[str, int, Answer], None]) -> None:
        for request in requests:
            if request is requests[-1]:
                before_last()
            on_answer(request.key, 0, Answer(text="```python\nx = 1\n```", stop_reason="stop"))

    return asked


def ahead() -> JudgingAhead:
    return JudgingAhead(cast(Engine, Workers()), TASKS)


def test_judging_begins_before_the_last_answer_has_come(judge: type[Judge]) -> None:
    heard: list[str] = []
    with ahead() as judging:
        wait = judging.listening(ask(lambda: judge.begun.wait(10) or pytest.fail("nothing was judged")))
        wait(REQUESTS, lambda key, sample, answer: heard.append(key))
    assert heard == [request.key for request in REQUESTS]
    judged = [name for batch in judge.batches for name in batch]
    assert judged == [task.task_id for task in TASKS][: len(judged)]
    assert max(map(len, judge.batches)) <= 8


def test_what_is_left_at_the_last_answer_is_not_waited_for(judge: type[Judge]) -> None:
    judge.may_end.clear()
    with ahead() as judging:
        judging.listening(ask(lambda: judge.begun.wait(10)))(REQUESTS, lambda *_: None)
        threading.Timer(0.3, judge.may_end.set).start()  # the first batch is under way until then
    assert len(judge.batches) == 1


def test_what_it_cannot_do_is_left_to_the_step_that_tells(judge: type[Judge], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise EnvironmentFailure("no such release")

    monkeypatch.setattr(judging_ahead, "homes_at_hand", fails)
    heard: list[str] = []
    with ahead() as judging:
        judging.listening(ask(lambda: None))(REQUESTS, lambda key, *_: heard.append(key))
    assert len(heard) == len(TASKS) and not judge.batches


def test_a_failure_of_the_model_is_raised(judge: type[Judge]) -> None:
    def fails() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError), ahead() as judging:
        judging.listening(ask(fails))(REQUESTS, lambda *_: None)


@pytest.mark.parametrize(
    ("model", "elsewhere"),
    [("openai/gpt-4o", True), ("openai-api/local/x", True), ("gguf/qwen2.5-coder-0.5b", False), ("vllm/x", False),
     ("mockllm/model", False), ("batch/folder", False), ("hf/x", False)],
)  # fmt: skip
def test_only_while_a_model_elsewhere_is_awaited_there_is_time(model: str, elsewhere: bool) -> None:
    assert answers_elsewhere(model) is elsewhere


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_answers_of_a_server_are_judged_while_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"```python\nmarker = '{secrets.token_hex(8)}'\n```"  # no verdict on it is in memory
    command = [*APIGAP, "run", "--experiment", "e", "--tasks", "starter/flask", "--cells", "baseline", "--json"]
    command += ["--knowledge", str(knowledge(tmp_path))]
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(Scripted({}, said(code))) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        asked = f"-m openai-api/local/{MODEL} --connections 1 --limit 7 --steps run,eval --data {tmp_path}".split()
        server.otherwise = type(server.otherwise)(body=server.otherwise.body, wait=2.0)
        done = run([*command, *asked])
    assert done.returncode == 0, done.stderr
    results = load_records(next(tmp_path.glob("results/**/results.jsonl")), Result)
    assert json.loads(done.stdout)["baseline"]["n_judged"] == len(results) > 1
    assert any(result.detail.get("cached") for result in results)
