"""`inspect eval apigap/calls` asks and scores as `apigap` does, with calls in the provider's own way too."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall, ToolInfo

from apigap.benchmarks.base import find_benchmark
from apigap.benchmarks.calls.mutants import NO_FUNCTION, gold, gold_calls
from apigap.benchmarks.calls.names import provider_name
from apigap.benchmarks.calls.queries import OWN, Query, load_queries
from apigap.evaluation.inspect_tasks import inspect_task
from tests.benchmarks.calls.bfcl_rows import write_folder

QUERIES = {query.messages[-1].content: query for query in load_queries(OWN)}


def verdicts(folder: Path, form: str, data: str, answer: Any) -> dict[str, Any]:
    model = get_model("mockllm/model", custom_outputs=answer)
    task = inspect_task("calls", find_benchmark)(form=form, limit=1, data=data)
    (log,) = inspect_eval(task, model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return {str(sample.id): sample.scores["verdict"].value for sample in log.samples or [] if sample.scores}


def completed(message: ChatMessageAssistant) -> ModelOutput:
    return ModelOutput(model="mockllm/model", choices=[ChatCompletionChoice(message=message)], usage=ModelUsage())


def asked(messages: list[Any]) -> Query:
    return next(query for text, query in QUERIES.items() if messages[-1].text == text)


@pytest.mark.parametrize("form", ["functions", "python", "native"])
def test_right_answers_are_right_in_every_form(tmp_path: Path, form: str) -> None:
    def answer(messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        query = asked(messages)
        assert bool(tools) is (form == "native") and (form == "native") is ("<tools>" not in messages[0].text)
        if form != "native" or not query.expected:
            return completed(ChatMessageAssistant(content=gold(query)))
        made = [ToolCall(f"c{n}", call.name, dict(call.arguments)) for n, call in enumerate(gold_calls(query))]
        assert {call.function for call in made} < {tool.name for tool in tools}
        return completed(ChatMessageAssistant(content="", tool_calls=made))

    found = verdicts(tmp_path, form, "own", answer)
    assert len(found) == 3 and all(value["right"] == 1 for value in found.values())


def test_functions_with_points_in_their_names_are_offered_as_providers_take_them(tmp_path: Path) -> None:
    def answer(messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        assert all(tool.name == provider_name(tool.name) for tool in tools)
        return completed(ChatMessageAssistant(content=NO_FUNCTION))

    folder = write_folder(tmp_path / "data")
    found = verdicts(tmp_path, "native", f"bfcl:{folder}", answer)
    assert {name for name, value in found.items() if value["right"]} == {
        name for name in found if name.startswith("irrelevance")
    }
