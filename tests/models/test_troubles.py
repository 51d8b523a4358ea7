"""What goes wrong on the way to a server of OpenAI's protocol: each trouble has its outcome, and none is a fail."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from tenacity import wait_none

from apigap.evaluation.answers import collect
from apigap.evaluation.cut_answers import settled
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.models.generate import Generator
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.errors import ModelUnavailable
from apigap.records.result import Prediction, Result
from tests.models.scripted_server import KEY, MODEL, Reply, Scripted, refused, said, serving
from tests.records.test_task import make_task

Outcome = Literal["answer", "unparsable", "cut", "infra"]
CODE = "```python\nx = 1\n```"
CALL = {"id": "t1", "type": "function", "function": {"name": "python", "arguments": '{"code": "x = 1"}'}}
LONG_LLAMA = "the request exceeds the available context size (4096 tokens), try increasing it"
LONG_VLLM = "This model's maximum context length is 4096 tokens. However, you requested 20480 tokens"

TROUBLES: list[tuple[str, list[Reply], Outcome, int]] = [
    # name, replies in order (the last one again and again), outcome, requests until then (0: any number)
    ("plain", [said(CODE)], "answer", 1),
    ("tildes", [said("~~~py\nx = 1\n~~~")], "answer", 1),
    ("no fence", [said("x = 1")], "answer", 1),
    ("tool call", [said(None, "tool_calls", tool_calls=[CALL])], "answer", 1),
    ("thought apart", [said(CODE, reasoning_content="I think")], "answer", 1),
    ("429 with Retry-After", [refused(429, "slow down", Retry_After="0"), said(CODE)], "answer", 2),
    ("429 without", [refused(429, "slow down"), said(CODE)], "answer", 2),
    ("500 once", [refused(500, "oops"), said(CODE)], "answer", 2),
    ("503 once", [refused(503, "busy"), said(CODE)], "answer", 2),
    ("slow once", [Reply(body={}, wait=2.5), said(CODE)], "answer", 2),
    ("dropped once", [Reply(body=said(CODE).body, drop=True), said(CODE)], "answer", 2),
    ("page once", [Reply(body="<html>"), said(CODE)], "answer", 2),
    ("empty", [said("")], "unparsable", 1),
    ("null", [said(None)], "unparsable", 1),
    ("refusal in words", [said("I can't help with that.")], "unparsable", 1),
    ("truncated", [said("```python\nx = ", "length")], "cut", 1),
    ("only thought", [said("", "length", reasoning_content="I think, and think")], "cut", 1),
    ("only thought, in text", [said(f"<think>\n{CODE}", "length")], "cut", 1),
    ("filtered", [said("", "content_filter")], "cut", 1),
    ("filtered, 400", [refused(400, "The response was filtered", "content_filter")], "cut", 1),
    ("policy, 400", [refused(400, "rejected by our content policy")], "cut", 1),
    ("too long, OpenAI", [refused(400, "too long", "context_length_exceeded")], "cut", 1),
    ("too long, llama.cpp", [refused(400, LONG_LLAMA, "exceed_context_size_error")], "cut", 1),
    ("too long, vLLM", [refused(400, LONG_VLLM)], "cut", 1),
    ("too long, in a field of its own", [Reply(400, {"detail": LONG_VLLM})], "cut", 1),
    ("400", [refused(400, "max_tokens is too large: 16384")], "infra", 1),
    ("401", [refused(401, "no such key")], "infra", 1),
    ("403", [refused(403, "not for you")], "infra", 1),
    ("404", [refused(404, "no such model")], "infra", 1),
    ("429 for ever", [refused(429, "quota")], "infra", 0),
    ("500 for ever", [refused(500, "oops")], "infra", 0),
    ("dropped for ever", [Reply(body=said(CODE).body, drop=True)], "infra", 0),
    ("no choices", [Reply(body={**said(CODE).body, "choices": []})], "infra", 1),
]


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Nobody waits between tries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai.model._retry.wait_exponential_jitter", lambda **_: wait_none())
        patch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
        patch.setenv("LOCAL_API_KEY", KEY)
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[Scripted]:
    script = {f"<{name}>": replies for name, replies, _, _ in TROUBLES}
    with serving(Scripted(script, otherwise=said(CODE))) as scripted, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCAL_BASE_URL", scripted.address)
        yield scripted


def asking(*words: str, path: Path, connections: int = 1) -> dict[str, Prediction]:
    requests = [GenerationRequest(key=f"t{number}", prompt=f"<{word}>") for number, word in enumerate(words)]
    with Generator(
        f"openai-api/local/{MODEL}", Decoding(max_tokens=64), connections=connections, cache=False,
        model_args={"client_timeout": 2.0},
    ) as generator:  # fmt: skip
        return collect({path: requests}, generator.generate, {}, lambda done, of: None)


def outcome_of(prediction: Prediction) -> Outcome:
    task, (text,), (ended,) = make_task(), prediction.samples, prediction.endings
    found = extract_code(text)
    failed: Any = dict.fromkeys(("task_id", "evaluator"), "x") | {"sample": 0, "outcome": "fail", "passed": False}
    result = Result(**failed, score=0.0, label="WrongLogic", detail={}, seconds=0.0)
    if settled(result, Item(task, 0, found, ended)).outcome == "cut":
        return "cut"
    return "unparsable" if found.rule in ("unparsed", "empty") else "answer"


@pytest.mark.parametrize(("name", "replies", "outcome", "requests"), TROUBLES, ids=[row[0] for row in TROUBLES])
def test_a_trouble_has_its_outcome(
    name: str, replies: list[Reply], outcome: Outcome, requests: int, server: Scripted, tmp_path: Path
) -> None:
    del replies
    path = tmp_path / "answers.jsonl"
    if outcome == "infra":
        with pytest.raises(ModelUnavailable) as found:
            asking(name, path=path)
        assert KEY not in str(found.value) and "the same command goes on" in str(found.value)
        assert asking(path=path) == {}
    else:
        (prediction,) = asking(name, path=path).values()
        assert outcome_of(prediction) == outcome
        if name in ("tool call", "plain"):
            assert extract_code(prediction.samples[0]).code.strip() == "x = 1"
        before = server.asked[f"<{name}>"]
        asking(name, path=path)
        assert server.asked[f"<{name}>"] == before
    assert server.asked[f"<{name}>"] == requests or not requests


def test_one_request_that_always_fails_does_not_keep_the_others_from_their_answers(
    server: Scripted, tmp_path: Path
) -> None:
    server.script |= {"<broken>": [refused(500, "oops")]}
    words = [f"other {number}" for number in range(8)]
    path = tmp_path / "answers.jsonl"
    with pytest.raises(ModelUnavailable, match="gave no answer to t0"):
        asking("broken", *words, path=path)
    assert len(path.read_text().splitlines()) == len(words)


def test_a_server_that_always_fails_is_left_after_three_requests(server: Scripted, tmp_path: Path) -> None:
    server.script |= {"<closed": [refused(401, "no such key")]}
    with pytest.raises(ModelUnavailable, match="no such key"):
        asking(*(f"closed {number}" for number in range(9)), path=tmp_path / "answers.jsonl")
    assert server.asked["<closed"] == 3


def test_what_was_paid_for_is_not_asked_again(server: Scripted, tmp_path: Path) -> None:
    words = [f"good {number}" for number in range(12)]
    server.script |= {f"<{word}>": [Reply(body=said(CODE).body, wait=0.2)] for word in words}
    server.script["<bad>"] = [refused(401, "no such key"), said(CODE)]
    path = tmp_path / "answers.jsonl"
    with pytest.raises(ModelUnavailable, match="no such key"):
        asking(*words[:6], "bad", *words[6:], path=path, connections=4)
    found = asking(*words[:6], "bad", *words[6:], path=path, connections=4)
    assert len(found) == 13
    assert all(server.asked[f"<{word}>"] == 1 for word in words)
    assert server.asked["<bad>"] == 2
