"""`inspect eval` with Inspect's mock asks the network for nothing: its tokens are counted by characters."""

from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken
from inspect_ai import Task
from inspect_ai import eval as inspect_eval

from apigap.benchmarks.apibank.inspect.live import apibank_live
from apigap.benchmarks.toolllm.inspect.steps import toolllm_steps
from apigap.experiments import plugin

TASKS: dict[str, Callable[[], Task]] = {
    "apibank": lambda: vars(plugin)["apibank"](kind="calls"),
    "apibank with tools": lambda: vars(plugin)["apibank"](kind="calls", protocol="tools"),
    "apibank_live": apibank_live,
    "calls": vars(plugin)["calls"],
    "toolllm": vars(plugin)["toolllm"],
    "toolllm_steps": toolllm_steps,
}


@pytest.mark.parametrize("name", TASKS)
def test_the_mock_answers_without_a_vocabulary(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(encoding: str) -> None:
        raise ConnectionError(f"{encoding} is fetched")

    monkeypatch.setattr(tiktoken, "get_encoding", fetch)
    (log,) = inspect_eval(TASKS[name](), model="mockllm/model", limit=1, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    (usage,) = log.stats.model_usage.values()
    assert usage.input_tokens > 20
