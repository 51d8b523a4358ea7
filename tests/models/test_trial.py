"""Trying a model before anything is built: what stands in the way is said in one sentence, within seconds."""

import re
import socket
import time
from collections.abc import Iterator

import pytest

from apigap.models import trial
from apigap.models.trial import try_models
from apigap.records.errors import ModelUnavailable
from apigap.records.extras import install_command
from tests.models.scripted_server import KEY, MODEL, Reply, Scripted, refused, said, serving
from tests.silent import Silent

LOCAL = f"openai-api/local/{MODEL}"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_tried", set())
    for variable in ("LOCAL_API_KEY", "LOCAL_BASE_URL", "OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    with serving(Scripted({})) as scripted:
        monkeypatch.setenv("LOCAL_BASE_URL", scripted.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        yield scripted


def attempt(model: str = LOCAL, most: int | None = None) -> list[str]:
    notes = Silent()
    try_models([(model, most)], notes)
    return notes.notes


def test_a_model_that_answers_is_asked_once_and_its_tokens_are_told(server: Scripted) -> None:
    (note,) = attempt()
    assert f"{LOCAL} answers" in note and "16384 tokens" in note
    assert attempt() == []
    assert server.asked == {"": 1} and server.bodies[0]["max_tokens"] == 16384


UNSET = [
    (None, None, ("LOCAL_BASE_URL", "http://localhost:8000/v1", "LOCAL_API_KEY", "any word")),
    (None, "k", ("LOCAL_BASE_URL", "http://localhost:8000/v1")),
    ("http://127.0.0.1:1/v1", None, ("LOCAL_API_KEY", "any word")),
]


@pytest.mark.parametrize(("address", "key", "words"), UNSET)
def test_what_is_not_set_is_explained(
    address: str | None, key: str | None, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("LOCAL_BASE_URL", address), ("LOCAL_API_KEY", key)):
        if value:
            monkeypatch.setenv(name, value)
    with pytest.raises(ModelUnavailable) as found:
        attempt()
    assert all(word in str(found.value) for word in words), str(found.value)


def test_a_client_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from apigap.models import failures

    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    monkeypatch.setattr(failures, "is_installed", lambda module: False)
    with pytest.raises(ModelUnavailable, match=re.escape(install_command("openai"))):
        attempt("openai/gpt-4o")


def test_a_server_that_is_dead_is_told_within_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "k")
    with socket.socket() as listening:  # one that takes the connection and never says a word
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        for port in (1, listening.getsockname()[1]):
            monkeypatch.setenv("LOCAL_BASE_URL", f"http://127.0.0.1:{port}/v1")
            started = time.monotonic()
            with pytest.raises(
                ModelUnavailable, match=rf"nothing answers at http://127.0.0.1:{port}/v1 \(set by LOCAL"
            ):
                attempt()
            assert time.monotonic() - started < 10


REFUSALS: list[tuple[Reply, str]] = [
    (refused(403, "not yours"), "the key in LOCAL_API_KEY may not ask this model"),
    (refused(404, "no such route"), "that LOCAL_BASE_URL ends"),
    (refused(429, "quota"), "quota is used up"),
    (refused(503, "Loading model"), "again in a while"),
    (refused(400, "max_tokens must be at most 4096"), "generation.max_tokens=1024"),
    (refused(400, "input length 9 exceeds the window"), "generation.max_tokens=1024"),
    (Reply(400, {"detail": "Server is pinned to 'a/b'"}), "Server is pinned to 'a/b'"),
    (Reply(body={}), "cannot ask"),
    (Reply(body=b"<html>"), "cannot ask"),
]


@pytest.mark.parametrize(("reply", "words"), REFUSALS)
def test_what_a_server_refuses_is_told_with_what_to_do(server: Scripted, reply: Reply, words: str) -> None:
    server.otherwise = reply
    with pytest.raises(ModelUnavailable, match=words):
        attempt()


def test_a_wrong_key_and_a_wrong_name_are_told(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelUnavailable, match="the model's name or the route is wrong"):
        attempt("openai-api/local/other")
    monkeypatch.setenv("LOCAL_API_KEY", "sk-wrong-987")
    with pytest.raises(ModelUnavailable, match="the key in LOCAL_API_KEY is not taken") as found:
        attempt()
    assert "sk-wrong-987" not in str(found.value)


def test_nobody_a_mock_and_a_local_model_are_not_asked(server: Scripted) -> None:
    try_models([(None, None), ("mockllm/model", None), ("gguf/qwen2.5-coder-1.5b", None)], Silent())
    with pytest.raises(ModelUnavailable, match=r"gguf|qwen2.5-coder-1.5b"):
        attempt("gguf/qwen2.5-coder-1.6b")
    assert server.asked == {}


def test_an_answer_of_any_kind_will_do(server: Scripted) -> None:
    server.otherwise = said("", "length")
    assert len(attempt()) == 1
