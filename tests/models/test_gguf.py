"""The embedded model: the same bits whatever ran before, and no process left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apigap.models.download import ensure_file
from apigap.models.generate import Generator
from apigap.models.gguf import servers
from apigap.models.gguf.servers import ServerPool, Settings, chat_request
from apigap.models.registry import find_model
from apigap.models.request import Decoding, GenerationRequest, Message
from apigap.records.errors import ModelUnavailable

MODEL = "gguf/smollm2-135m"
TOPICS = ["a csv file", "a json file", "the date", "a word", "two lists"]
REQUESTS = [
    GenerationRequest(key=f"g{n}", prompt=f"Write Python that reads {topic}.") for n, topic in enumerate(TOPICS)
]
SAMPLED = [GenerationRequest(key="s", prompt="Name an animal.", samples=3, temperature=1.0, seed=3)]


@pytest.fixture(scope="module")
def path() -> Path:
    return ensure_file(find_model("smollm2-135m"))


def answers(requests: list[GenerationRequest], processes: int) -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    with Generator(MODEL, Decoding(max_tokens=16), connections=processes, cache=False) as generator:
        generator.generate(requests, lambda key, sample, answer: found.update({(key, sample): answer.text}))
    return found


@pytest.mark.model
def test_answers_do_not_depend_on_order_or_process(path: Path) -> None:
    alone = answers([*REQUESTS, *SAMPLED], 1)
    mixed = answers([*SAMPLED, *REQUESTS[::-1]], 2)
    assert alone == mixed
    assert len(set(alone.values())) == len(REQUESTS) + 3


@pytest.mark.slow
@pytest.mark.model
def test_a_shared_beginning_changes_no_answer_with_it(path: Path) -> None:
    """Neighbours, their order and what was read before must not show in any answer."""
    parts = ["Some code:\n```python\nx = 1\n```", "Other code:\n```python\ny = [1, 2, 3]\n```"]
    ends = ["", "\n\nThe documentation of it: f(x) adds one.", "\n\nUse `sum`."]
    asked = [
        GenerationRequest(key=f"{n}/{m}", prompt=f"{part}{end}\n\nWrite the next lines.", shared=len(part))
        for n, part in enumerate(parts)
        for m, end in enumerate(ends)
    ]
    first = answers(asked, 1)
    assert answers(asked[::-1], 1) == first
    assert answers([*asked[1::2], *REQUESTS, *asked[::2]], 2).items() >= first.items()
    assert len(set(first.values())) > 3


def request(text: str, tokens: int = 8, stop: tuple[str, ...] = ()) -> dict[str, object]:
    return chat_request(
        [Message(role="user", content=text)], max_tokens=tokens, stop=stop, temperature=0, top_p=1, seed=0
    )


@pytest.mark.model
def test_a_prompt_longer_than_the_window_is_an_answer(path: Path) -> None:
    with Generator(MODEL, Decoding(max_tokens=8), connections=1, model_args={"context": 256}) as generator:
        assert generator.describe()["backend"]["context"] == 256
        (answer,) = generator.answer(GenerationRequest(key="a", prompt="word " * 500))
        assert (answer.text, answer.stop_reason, answer.output_tokens) == ("", "context", 0)
        assert answer.input_tokens > 500
        (answer,) = generator.answer(GenerationRequest(key="b", prompt="Say \ud800 hi."))
        assert answer.stop_reason == "length"
        assert answer.output_tokens == 8


@pytest.mark.model
def test_an_answer_ends_at_its_stop_text(path: Path) -> None:
    pool = ServerPool(path, Settings(context=512), 1)
    text = pool.ask(request("Write Python that prints 1.", 60))["choices"][0]["message"]["content"]
    cut = pool.ask(request("Write Python that prints 1.", 60, (text[10:14],)))["choices"][0]["message"]["content"]
    pool.close()
    assert cut == text[: text.index(text[10:14])]
    assert "\n```\n" not in cut


@pytest.mark.model
@pytest.mark.parametrize(
    ("built_for", "repack"),
    [("AVX2 FMA", True), ("AVX2 AVX512", True), ("AVX2 AVX512 AVX512_VNNI", False), ("AVX512_VNNI AMX_INT8", True)],
)
def test_weights_are_repacked_where_that_is_faster(
    built_for: str, repack: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "instruction_sets", lambda: built_for)
    assert Settings(context=512).repack is repack
    assert Settings(context=512, repack=not repack).repack is not repack


def test_a_server_that_dies_is_replaced(path: Path) -> None:
    pool = ServerPool(path, Settings(context=512), 1)
    first = pool.ask(request("Hello"))["choices"]
    (server,) = pool._running
    os.kill(server.pid, signal.SIGKILL)
    assert pool.ask(request("Hello"))["choices"] == first
    pool.close()
    with pytest.raises(ModelUnavailable, match="were closed"):
        pool.ask(request("Hello"))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF, or not")
    with (
        Generator(f"gguf/{tmp_path}/broken.gguf", connections=1) as generator,
        pytest.raises(ModelUnavailable, match=r"broken\.gguf.*check that the file is a GGUF model"),
    ):
        generator.answer(GenerationRequest(key="a", prompt="x"))


ORPHAN = """
from apigap.models.gguf.servers import ServerPool, Settings
from tests.models.test_gguf import request
from pathlib import Path
import sys, threading
pool = ServerPool(Path(sys.argv[1]), Settings(context=4096), 2)
for _ in range(2):
    threading.Thread(target=pool.ask, args=(request("Count to a million.", 4000),)).start()
while len(pool._running) < 2:
    pass
print(*[server.pid for server in pool._running], flush=True)
"""


@pytest.mark.model
def test_servers_end_with_a_parent_that_is_killed(path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", ORPHAN, str(path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    servers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(servers) == 2
    time.sleep(2)  # by now they generate
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 600
    while any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in servers):
        assert time.monotonic() < deadline, "a server outlived its parent"
        time.sleep(0.1)


@pytest.mark.model
def test_first_tokens_come_with_their_probabilities_only_when_asked_for() -> None:
    request = GenerationRequest(key="a", prompt="Is water wet? Answer Yes or No.")
    with Generator(MODEL, Decoding(max_tokens=1), connections=1, alternatives=5, cache=False) as generator:
        (answer,) = generator.answer(request)
        assert generator.describe()["alternatives"] == 5
    values = [value for _, value in answer.alternatives]
    assert len(values) == 5 and values == sorted(values, reverse=True) and values[0] < 0
    assert answer.alternatives[0][0] == answer.text
    with Generator(MODEL, Decoding(max_tokens=1), connections=1, cache=False) as generator:
        assert generator.answer(request)[0].alternatives == ()
        assert "alternatives" not in generator.describe()
