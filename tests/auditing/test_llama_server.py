"""llama.cpp's own server, asked through OpenAI's protocol: a whole audit, `inspect eval`, probabilities and tools."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.tool import ToolInfo, ToolParam, ToolParams
from tools.models.batch_queue import answer_folder
from tools.models.llama_server import serving

from apigap.models.download import ensure_file
from apigap.models.generate import Generator
from apigap.models.registry import find_model
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.errors import InfrastructureError
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.auditing.conftest import APIGAP, run
from tests.packages.index_server import index_server
from tests.packages.wheels import whole_wheel

pytestmark = [pytest.mark.slow, pytest.mark.model]

NAME = "qwen2.5-coder-0.5b"
MODEL = "openai-api/local/qwen"
SHORT = ["--set", "generation.max_tokens=48"]
OLD = '''"""Texts."""


def shorten(text: str, most: int = 10) -> str:
    """Cut a text.

    >>> shorten("abcdef", 3)
    'abc'
    """
    return text[:most]
'''
NEW = (
    OLD
    + '''

def interleave(first: str, second: str, separator: str = "") -> str:
    """Put the letters of two texts in turn, with a separator between the pairs.

    >>> interleave("abc", "123")
    'a1b2c3'
    >>> interleave("abc", "123", separator="-")
    'a1-b2-c3'
    """
    return separator.join(a + b for a, b in zip(first, second))


def squash(text: str, keep: int = 1) -> str:
    """Shorten every run of the same letter to so many letters.

    >>> squash("aabbbc")
    'abc'
    >>> squash("aaabbbc", keep=2)
    'aabbc'
    """
    found = ""
    for letter in text:
        if not found.endswith(letter * keep):
            found += letter
    return found
'''
)


@pytest.fixture(scope="module", autouse=True)
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address; it is in the variables of the doors too."""
    pytest.importorskip("xllamacpp", reason="llama.cpp's server is in the extra `local`")
    pytest.importorskip("openai", reason="a server of OpenAI's protocol is asked with the extra `openai`")
    try:
        ensure_file(find_model(NAME))
    except InfrastructureError as error:
        pytest.skip(f"the server has no model to serve: {error}")
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with serving(NAME, log) as address, pytest.MonkeyPatch.context() as patch:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            patch.delenv(name, raising=False)
        patch.setenv("LOCAL_BASE_URL", f"{address}/v1")
        patch.setenv("LOCAL_API_KEY", "any-word")
        yield address


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory, server: str) -> Path:
    """The data folder of an audit of two new functions, whose releases are on an index of this machine."""
    folder = tmp_path_factory.mktemp("audit")
    with index_server() as index, pytest.MonkeyPatch.context() as patch:
        releases = [("1.0", "2024-01-01", OLD), ("1.1", "2026-01-01", NEW)]
        files = [
            index.add_file(
                f"tinytexts-{version}-py3-none-any.whl",
                whole_wheel("tinytexts", version, {"tinytexts.py": text}),
                **{"upload-time": f"{day}T00:00:00Z"},
            )
            for version, day, text in releases
        ]
        index.add_project("tinytexts", files)
        patch.setenv("UV_DEFAULT_INDEX", f"{index.url}/simple")
        words = ["audit", "tinytexts", "--from", "1.0", "--to", "1.1", "-m", MODEL, "--limit", "2", "--ladder", "1"]
        chosen = ["audit.conditions=[baseline,s]", "gates.c2_samples=1", "tasks.worth_asking=false"]
        settings = [*SHORT, *(word for one in chosen for word in ("--set", one))]
        done = run([*APIGAP, *words, *settings, "--data", str(folder / "data")], timeout=1700)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{MODEL} answers" in done.stderr
    return folder / "data"


@pytest.mark.sandbox
def test_an_audit_is_asked_of_the_server_to_its_end(audited: Path) -> None:
    found = load_records(next(audited.glob("results/audit-*/baseline/predictions.jsonl")), Prediction)
    assert len(found) == 2 and all(sample.strip() for one in found for sample in one.samples)
    assert all((one.model_extra or {})["input_tokens"][0] > 0 for one in found)
    page = next(audited.glob("analysis/*/report.html")).read_text()
    assert "tinytexts" in page and MODEL in page
    questions = load_records(next(audited.glob("results/ladder-*/baseline/predictions.jsonl")), Prediction)
    assert len(questions) > 4 and all(sample.strip() for one in questions for sample in one.samples)


@pytest.mark.sandbox
@pytest.mark.network
def test_inspect_asks_it_about_two_tasks(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("inspect")), "eval", "apigap/novelapi", "-T", "tasks=starter/flask"]
    options = ["--limit", "2", "--model", MODEL, "--max-tokens", "48", "--display", "none", "--log-dir", str(tmp_path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=1700)
    assert done.returncode == 0, done.stdout + done.stderr
    log = read_eval_log(next(tmp_path.glob("*.eval")))
    assert log.status == "success" and log.samples and len(log.samples) == 2
    assert all(sample.output.usage and sample.output.usage.output_tokens > 0 for sample in log.samples)


def first(model: str, alternatives: int = 0) -> Answer:
    request = GenerationRequest(key="a", prompt="Is water wet? Answer Yes or No.")
    with Generator(model, Decoding(max_tokens=1), cache=False, connections=1, alternatives=alternatives) as generator:
        return generator.answer(request)[0]


def test_probabilities_are_those_of_the_model_in_process() -> None:
    served, here = first(MODEL, alternatives=5), first(f"gguf/{NAME}", alternatives=5)
    assert [token for token, _ in served.alternatives] == [token for token, _ in here.alternatives]
    assert [value for _, value in served.alternatives] == pytest.approx(
        [value for _, value in here.alternatives], abs=0.05
    )
    assert (served.text, served.input_tokens) == (here.text, here.input_tokens)
    assert first(MODEL).alternatives == ()


@pytest.mark.parametrize("stream", [False, True])
def test_it_calls_a_tool(stream: bool) -> None:
    city = ToolParams(properties={"city": ToolParam(type="string", description="Its name")}, required=["city"])
    offered = ToolInfo(name="weather", description="The weather of a city", parameters=city)
    asked: list[ChatMessage] = [ChatMessageUser(content="What is the weather in Oslo? Use the tool.")]
    model = get_model(MODEL, stream=stream, memoize=False)
    config = GenerateConfig(max_tokens=64, temperature=0.0)
    output = asyncio.run(model.generate(asked, tools=[offered], tool_choice="any", config=config))
    (call,) = output.message.tool_calls or []
    assert call.function == "weather" and "oslo" in str(call.arguments["city"]).lower()
    assert output.usage and output.usage.output_tokens > 0


def test_a_folder_of_files_is_answered_in_both_forms(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = []
    for anthropic in (False, True):
        command = ["predict", "apibank", "--limit", "1", "--level", "1", "--kind", "calls", "-m", f"batch/q{anthropic}"]
        whole = [*APIGAP, *command, *SHORT, "--out", f"{anthropic}.jsonl"]
        assert run(whole).returncode == 0
        assert answer_folder(Path(f"q{anthropic}"), server, anthropic) == 1
        assert run(whole).returncode == 0
        (found,) = load_records(Path(f"{anthropic}.jsonl"), Prediction)
        texts.append(found.samples[0])
    assert texts[0].strip() and texts[0] == texts[1]
