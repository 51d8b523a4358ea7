"""The MCP server as a model's tool, through a real client: turns in text and in the provider's own way."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from apigap.closing.asker import CellAsker
from apigap.closing.mcp_client import McpClient
from apigap.closing.tool_turns import ToolTurns
from apigap.evaluation.answers import OnAnswer
from apigap.evaluation.model_pool import Models
from apigap.exports.gap_export import write_llms
from apigap.models.request import Answer, GenerationRequest, ToolCall
from apigap.models.schemas.native_tools import calls_text
from apigap.records.configuration import load_settings
from apigap.records.errors import InfrastructureError
from apigap.records.progress import Unseen
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.exports.test_gap_export import BUNDLES, UNASKED
from tests.records.test_task import make_task

TASKS = [make_task(api_name="lib.api0", description=f"Number {number}.") for number in range(2)]
CODE = "```python\ny = 2\n```"


class Caller:
    """A model that reads a page in as many turns as it is told to, and then writes code."""

    def __init__(self, turns: int, names: Sequence[str] = ("read_api",)) -> None:
        self.asked: list[GenerationRequest] = []
        self._turns = turns
        self._names = names

    def generate(self, requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        for request in requests:
            self.asked.append(request)
            done = sum(message.role == "assistant" for message in request.messages())
            text = self._call(bool(request.tools)) if done < self._turns else CODE
            on_answer(request.key, 0, Answer(text=text, stop_reason="stop", input_tokens=10, output_tokens=1))

    def _call(self, native: bool) -> str:
        calls: list[tuple[str, Any]] = [(name, {"api_name": "lib.unasked"}) for name in self._names]
        if native:
            return calls_text("Let me see.", calls)
        written = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
        return "\n".join(f"<tool_call>\n{one}\n</tool_call>" for one in written)

    def close(self) -> None:
        """Nothing is held."""


def answered(folder: Path, model: Caller, turns: int, native: bool) -> list[Prediction]:
    pytest.importorskip("fastmcp", reason="needs the extra mcp")
    if not (folder / "llms").exists():
        write_llms(folder / "llms", [*BUNDLES, UNASKED])
    make: Any = lambda name, decoding: model  # noqa: E731
    judge: Any = None  # nothing is judged here
    settings = load_settings()
    with Models(settings.generation, make) as models:
        asker = CellAsker("mockllm/model", settings, models, judge, Unseen())
        ToolTurns(asker, McpClient(folder / "llms"), folder / "way", turns, native).answer(TASKS, "texts")
    return load_records(folder / "way" / "predictions.jsonl", Prediction)


def test_a_file_of_the_current_folder_is_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastmcp", reason="needs the extra mcp")
    (tmp_path / "mcp.py").write_text("raise SystemExit('this is the file of a user')\n")
    monkeypatch.chdir(tmp_path)
    write_llms(tmp_path / "llms", [UNASKED])
    assert [tool.name for tool in McpClient(tmp_path / "llms").tools()] == ["find_api", "read_api"]
    with pytest.raises(InfrastructureError, match="the MCP server did not answer"):
        McpClient(tmp_path / "nothing").tools()


def test_a_page_is_read_and_the_code_comes_after_it(tmp_path: Path) -> None:
    model = Caller(1)
    found = answered(tmp_path, model, 2, native=False)
    assert [prediction.samples for prediction in found] == [(CODE,), (CODE,)]
    assert [(one.model_extra or {})["calls"] for one in found] == [1, 1]
    assert [(one.model_extra or {})["input_tokens"] for one in found] == [[20], [20]]
    first, last = model.asked[0].messages(), model.asked[-1].messages()
    assert '"name": "find_api"' in first[0].content
    assert "fold the sky" in last[-1].content
    assert last[-1].content.endswith("You may call tools in 1 more turns.")
    answered(tmp_path, model, 2, native=False)
    assert len(model.asked) == 4, "what was asked once is not asked again"


def test_native_calls_and_results_are_turns_of_their_own(tmp_path: Path) -> None:
    model = Caller(5)
    found = answered(tmp_path, model, 1, native=True)
    assert [tool.name for tool in model.asked[0].tools] == ["find_api", "read_api"]
    last = model.asked[-1]
    assert [message.role for message in last.messages()] == ["system", "user", "assistant", "tool", "user"]
    said, result, note = last.messages()[2:]
    assert said.calls == (ToolCall(id="call-0-0", name="read_api", arguments={"api_name": "lib.unasked"}),)
    assert (said.content, result.call_id) == ("Let me see.", "call-0-0")
    assert "fold the sky" in result.content
    assert "No turn is left" in note.content
    assert last.tools == ()
    assert all("<tool_call>" in one.samples[0] for one in found), "a model that only calls has no code"


def test_an_invented_tool_is_no_call(tmp_path: Path) -> None:
    model = Caller(1, ["delete_everything"])
    found = answered(tmp_path, model, 2, native=False)
    assert len(model.asked) == 2
    assert "delete_everything" in found[0].samples[0]
