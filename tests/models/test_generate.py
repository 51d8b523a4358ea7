"""Asking a model: who is called how often, in which order answers may come, and what failures say."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apigap.models.asking import groups_of
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import decoding_of, decoding_within, reasons, tokens_for
from apigap.models.request import Answer, Decoding, GenerationRequest, Message
from apigap.records.errors import ModelUnavailable, UsageError

MOCK = "mockllm/model"


def ask(generator: Generator, requests: list[GenerationRequest]) -> dict[tuple[str, int], Answer]:
    found: dict[tuple[str, int], Answer] = {}

    def keep(key: str, sample: int, answer: Answer) -> None:
        assert (key, sample) not in found
        found[key, sample] = answer

    generator.generate(requests, keep)
    return found


def test_every_sample_of_every_request_is_answered_once() -> None:
    requests = [GenerationRequest(key=f"k{n}", prompt=f"p{n}", samples=n, temperature=0.8) for n in (1, 2, 3)]
    found = ask(Generator(MOCK, reply=str.upper), requests)
    assert {place: answer.text for place, answer in found.items()} == {
        ("k1", 0): "P1", ("k2", 0): "P2", ("k2", 1): "P2", ("k3", 0): "P3", ("k3", 1): "P3", ("k3", 2): "P3",
    }  # fmt: skip
    assert {answer.stop_reason for answer in found.values()} == {"stop"}


def test_no_call_is_remembered_after_its_answer() -> None:
    from inspect_ai.log import transcript

    remembered: list[int] = []

    def reply(text: str) -> str:
        remembered.append(len(transcript().events))
        return text

    ask(Generator(MOCK, reply=reply), [GenerationRequest(key=f"k{n}", prompt="p") for n in range(40)])
    assert len(remembered) == 40 and max(remembered) <= 2


def test_the_plain_mock_works_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    (answer,) = Generator(MOCK).answer(GenerationRequest(key="a", prompt="hi"))
    assert answer.text == "```python\npass\n```"


def outputs(seen: list[Any], fail_at: str = "") -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage

    def output(messages: list[Any], tools: Any, choice: Any, config: Any) -> Any:
        text = messages[-1].text
        if text == fail_at:
            raise ConnectionError("no route to host")
        seen.append((text, config.temperature, config.seed, config.max_tokens, config.stop_seqs, config.top_p))
        made = ModelOutput.from_content(
            "m",
            text,
            stop_reason={"long": "max_tokens", "huge": "model_length"}.get(text, "stop"),  # pyright: ignore[reportArgumentType]
        )
        made.usage = ModelUsage(input_tokens=7, output_tokens=3)
        return made

    return output


def test_decoding_reaches_the_model_and_each_sample_has_its_own_seed() -> None:
    seen: list[Any] = []
    decoding = Decoding(max_tokens=9, stop=("\n\n",), top_p=0.9)
    requests = [
        GenerationRequest(key="greedy", prompt="g"),
        GenerationRequest(key="warm", prompt="w", samples=3, temperature=0.5, seed=4),
    ]
    ask(Generator(MOCK, decoding, model_args={"custom_outputs": outputs(seen)}), requests)
    assert ("g", 0.0, None, 9, ["\n\n"], None) in seen
    warm = [entry for entry in seen if entry[0] == "w"]
    assert all((entry[1], entry[3], entry[5]) == (0.5, 9, 0.9) for entry in warm)
    assert len({entry[2] for entry in warm}) == 3


def test_order_does_not_change_the_seeds() -> None:
    requests = [GenerationRequest(key=f"k{n}", prompt=f"p{n}", samples=4, temperature=1) for n in range(5)]
    first: list[Any] = []
    second: list[Any] = []
    ask(Generator(MOCK, model_args={"custom_outputs": outputs(first)}), requests)
    ask(Generator(MOCK, connections=1, model_args={"custom_outputs": outputs(second)}), requests[::-1])
    assert sorted(map(str, first)) == sorted(map(str, second))


@pytest.mark.parametrize(("text", "reason"), [("fine", "stop"), ("long", "length"), ("huge", "context")])
def test_stop_reasons_and_tokens_are_recorded(text: str, reason: str) -> None:
    generator = Generator(MOCK, model_args={"custom_outputs": outputs([])})
    (answer,) = generator.answer(GenerationRequest(key="a", prompt=text))
    assert (answer.stop_reason, answer.input_tokens, answer.output_tokens) == (reason, 7, 3)


def test_a_conversation_is_sent_as_it_is() -> None:
    roles: list[list[str]] = []

    def output(messages: list[Any], *rest: Any) -> Any:
        roles.append([f"{message.role}:{message.text}" for message in messages])
        return outputs([])(messages, *rest)

    turns = (
        Message(role="system", content="s"), Message(role="user", content="u"),
        Message(role="assistant", content="a"), Message(role="user", content="v"),
    )  # fmt: skip
    Generator(MOCK, model_args={"custom_outputs": output}).answer(GenerationRequest(key="a", prompt=turns))
    assert roles == [["system:s", "user:u", "assistant:a", "user:v"]]


def test_a_failing_provider_is_typed_and_what_it_answers_is_handed_over() -> None:
    requests = [GenerationRequest(key=f"k{n}", prompt=f"p{n}") for n in range(5)]
    generator = Generator(MOCK, connections=1, model_args={"custom_outputs": outputs([], fail_at="p3")})
    got: list[str] = []
    with pytest.raises(ModelUnavailable, match=r"gave no answer to k3: .*no route to host.*goes on from there"):
        generator.generate(requests, lambda key, _, __: got.append(key))
    assert got == ["k0", "k1", "k2", "k4"]


def test_an_error_of_the_caller_comes_back_as_it_is() -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        Generator(MOCK).generate([GenerationRequest(key="a", prompt="x")], full)


def test_it_works_inside_a_running_loop() -> None:
    import asyncio

    async def notebook() -> str:
        return Generator(MOCK, reply=str.upper).answer(GenerationRequest(key="a", prompt="hi"))[0].text

    assert asyncio.run(notebook()) == "HI"


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        (
            [GenerationRequest(key="a", prompt="x"), GenerationRequest(key="a", prompt="y")],
            "two requests have the key 'a'",
        ),
        ([GenerationRequest(key="a", prompt="x", samples=2)], "2 samples at temperature 0 are all the same"),
    ],
)
def test_requests_that_cannot_be_right(requests: list[GenerationRequest], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Generator(MOCK).generate(requests, lambda *_: None)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt-4o", "write PROVIDER/MODEL"),
        ("opnai/gpt-4o", r"no provider is named 'opnai'.*did you mean openai"),
        ("gguf/qwen2.5-coder", r"did you mean qwen2\.5-coder-[01]\.5b"),
        ("gguf//no/such.gguf", "cannot read the model /no/such.gguf"),
    ],
)
def test_an_unknown_model_says_what_there_is(model: str, message: str) -> None:
    with pytest.raises(ModelUnavailable, match=message):
        Generator(model)


def test_a_missing_package_is_named_as_the_remedy() -> None:
    with pytest.raises(ModelUnavailable, match=r"run: |API_KEY"):
        Generator("openai/gpt-4o")


def test_only_a_mock_takes_its_answers_from_a_function() -> None:
    with pytest.raises(UsageError, match="mockllm"):
        Generator("openai/gpt-4o", reply=str.upper)


def test_a_manifest_names_all_that_decides_an_answer() -> None:
    assert decoding_of("gguf/smollm2-135m").stop == ("\n```\n",)
    found = describe("gguf/smollm2-135m")
    assert found["sha256"] == found["backend"]["sha256"]
    assert found["backend"]["engine"] == "xllamacpp"
    assert (found["backend"]["threads"], found["backend"]["slots"], found["backend"]["prompt_cache"]) == (
        1,
        1,
        "shared part only",
    )
    assert "SSE3" in found["backend"]["built_for"] or "NEON" in found["backend"]["built_for"]
    assert found["decoding"]["stop"] == ["\n```\n"]
    assert describe(MOCK, Decoding(max_tokens=3)) == {
        "model": MOCK, "sha256": None, "backend": {"engine": "mockllm"},
        "decoding": {"max_tokens": 3, "stop": [], "top_p": 1.0},
    }  # fmt: skip


def test_importing_the_room_is_light() -> None:
    modules = sorted(path.stem for path in (Path(__file__).parents[2] / "src/apigap/models").glob("*.py"))
    light = [f"apigap.models.{name}" for name in modules if name not in ("__init__", "plugin", "provider")]
    script = (
        f"import sys, {', '.join(light)}\nprint([m for m in ('inspect_ai', 'xllamacpp', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("beginnings", "expected"), [
    ("aaabbc", ["aaa", "bb", "c"]),
    ("aba", ["a", "b", "a"]),
    ("12345", ["1", "2", "3", "4", "5"]),
    ("1112a1", ["111", "2", "a", "1"]),
    ("a" * 40, ["a" * 16, "a" * 16, "a" * 8]),
    ("", []),
])  # fmt: skip
def test_requests_that_begin_alike_or_are_equal_go_together_and_leave_work_for_every_server(
    beginnings: str, expected: list[str]
) -> None:
    requests = [
        GenerationRequest(key=str(number), prompt=letter, shared=int(letter.isalpha()))
        for number, letter in enumerate(beginnings)
    ]
    assert ["".join(str(one.prompt) for one in group) for group in groups_of(requests)] == expected


def test_an_answer_is_as_long_as_its_model_says_unless_the_run_does(tmp_path: Path) -> None:
    """A trace keeps the room that its model is described with; a run may give it more."""
    assert decoding_within("qwen2.5-coder-7b", None).max_tokens == 2048
    assert decoding_within("qwen2.5-coder-7b", 100).max_tokens == 100
    assert [decoding_within("r1-distill-qwen-7b", most).max_tokens for most in (None, 100, 9000)] == [8192, 8192, 9000]
    (tmp_path / "thinker.gguf").write_bytes(b"GGUF")
    described = (
        "title: T\nbytes: 4\nsha256: x\ncontext: 4096\nlicence: MIT\nreasoning: true\ndecoding: {max_tokens: 3000}\n"
    )
    (tmp_path / "thinker.yaml").write_text(described)
    model = f"gguf/{tmp_path / 'thinker.gguf'}"
    assert reasons(model)
    assert decoding_within(model, 100).max_tokens == 3000
    assert not reasons("gguf/qwen2.5-coder-0.5b")
    assert not reasons("openai/gpt-4o")


ROOM = [
    # model, tokens that an answer needs, tokens that it is given, tokens where nothing is said
    ("gguf/qwen2.5-coder-0.5b", 8, 8, 512),
    ("r1-distill-qwen-7b", 8, 8192, 8192),
    ("qwen2.5-coder-7b", 8, 8, 2048),
    ("openai/gpt-4o", 8, 16384, 16384),
    ("openai/gpt-4", 8, 8192, 8192),
    ("openai-api/local/x", 20_000, 20_000, 16384),
    ("hf/some/base-model", 8, 4096, 4096),
    (MOCK, 8, 8, 16384),
]


@pytest.mark.parametrize(("model", "needed", "given", "own"), ROOM)
def test_a_model_that_may_reason_has_room_for_its_trace(model: str, needed: int, given: int, own: int) -> None:
    assert (tokens_for(model, needed), decoding_of(model).max_tokens) == (given, own)


TOLD = [
    # model, tokens that an answer needs, generation.max_tokens, tokens that it is given
    ("openai-api/local/x", 8, 200, 200),
    ("openai-api/local/x", 400, 200, 400),
    ("openai/gpt-4o", 8, 30_000, 30_000),
    ("gguf/qwen2.5-coder-0.5b", 8, 200, 8),
    ("r1-distill-qwen-7b", 8, 200, 8192),
    (MOCK, 8, 200, 8),
]


@pytest.mark.parametrize(("model", "needed", "told", "given"), TOLD)
def test_the_room_of_a_model_that_may_reason_can_be_set(model: str, needed: int, told: int, given: int) -> None:
    assert tokens_for(model, needed, told) == given
