"""`inspect eval apigap/agent`: the same words, tools, budget and verdicts as a cell of an experiment."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from apigap.experiments import plugin
from apigap.records.errors import UsageError
from apigap.records.task import Task

from .desk import blocks

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
agent: Any = vars(plugin)["agent"]


def evaluated(folder: Path, rule: Any, **options: Any) -> list[EvalSample]:
    model = get_model("mockllm/model", custom_outputs=rule)
    made = agent(tasks="starter/more-itertools", limit=1, **options)
    log: EvalLog
    (log,) = inspect_eval(made, model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log.samples or []


def counted(output: ModelOutput) -> ModelOutput:
    output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
    return output


def task_in(messages: list[ChatMessage], tasks: list[Task]) -> Task:
    return next(task for task in tasks if task.description in messages[1].text)


def test_fenced_blocks(tmp_path: Path, tasks: list[Task]) -> None:
    seen: list[list[ChatMessage]] = []

    def rule(messages: list[ChatMessage], *_: object) -> ModelOutput:
        seen.append(list(messages))
        one = task_in(messages, tasks)
        last = blocks(("read_page", one.api_name), ("run_code", "40 + 2")) if len(seen) == 1 else ""
        return counted(ModelOutput.from_content("mockllm/model", last or blocks(("submit", one.masked_region))))

    (sample,) = evaluated(tmp_path, rule, calls=3)
    assert sample.scores and sample.scores["verdict"].value == {"passed": 1.0}
    assert "Your budget: 3 tool calls" in seen[0][0].text
    assert seen[1][-1].role == "user"
    assert "Result of run_code:\n42\n\nLeft: 1 tool calls" in seen[1][-1].text
    told = sample.store["agent"]
    assert (told["ended"], told["calls"], told["tokens"]) == ("submitted", 2, 220)
    assert [one["state"] for one in told["known"]] == ["unaided"]
    assert [message.role for message in sample.messages] == ["system", "user"] + ["assistant", "user"] * 2


def test_calls_of_a_provider(tmp_path: Path, tasks: list[Task]) -> None:
    seen: list[list[ChatMessage]] = []

    def rule(messages: list[ChatMessage], *_: object) -> ModelOutput:
        seen.append(list(messages))
        one = task_in(messages, tasks)
        name, arguments = ("list_changes", {}) if len(seen) == 1 else ("submit", {"code": one.masked_region})
        return counted(ModelOutput.for_tool_call("mockllm/model", name, arguments))

    (sample,) = evaluated(tmp_path, rule, protocol="native", tools="docs")
    assert sample.scores and sample.scores["verdict"].value == {"passed": 1.0}
    result = seen[1][-1]
    assert result.role == "tool"
    assert result.tool_call_id == (seen[1][-2].tool_calls or [])[0].id  # type: ignore[union-attr]
    assert "added more_itertools." in result.text
    (known,) = sample.store["agent"]["known"]
    assert (known["state"], known["after"], known["by"]) == ("found", 1, "list_changes")


def test_a_model_that_never_hands_in_ends_with_its_budget(tmp_path: Path) -> None:
    rule = lambda messages, *_: counted(ModelOutput.from_content("mockllm/model", blocks(("run_code", "answer = 1"))))  # noqa: E731
    (sample,) = evaluated(tmp_path, rule, tools="interpreter", rounds=2)
    assert sample.scores and sample.scores["verdict"].value == {"passed": 0.0}
    assert sample.output.completion == "```python\nanswer = 1\n```"
    assert (sample.store["agent"]["ended"], sample.store["agent"]["calls"]) == ("rounds", 2)


def test_an_unknown_set_of_tools_is_refused() -> None:
    with pytest.raises(UsageError, match="they are none, docs, source, interpreter, all"):
        agent(tools="hammer")
