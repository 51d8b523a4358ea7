"""API-Bank's conversations as a provider's own messages: calls beside answers, results as messages of their own.

Only Inspect itself, or who has it already, imports this module.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall

from apigap.benchmarks.apibank.dialogues import Sample, Task, Turn, step_turn
from apigap.benchmarks.apibank.live.play import tools_in
from apigap.benchmarks.apibank.prompts import Prompter, offered
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING

SYSTEM = (
    "You are an assistant that uses APIs. Call one where it is needed; once you have what you need, answer the user. "
    "The current year is 2023."
)


def messages_with_calls(prompter: Prompter, task: Task) -> list[ChatMessage]:
    """The conversation up to what is asked for."""
    return [ChatMessageSystem(content=SYSTEM), *_conversation(prompter, task)]


def functions_of(prompter: Prompter, task: Task) -> list[dict[str, Any]]:
    """The APIs that a task's prompt describes, and those that the conversation's searches have found."""
    searches = (turn for turn in _history(task) if turn.api_name == SEARCHER)
    found = [name for turn in searches for name in tools_in(turn.result.get("output"))]
    return functions(prompter, task, [*offered(task), *found])


def functions(prompter: Prompter, task: Task, names: Iterable[str]) -> list[dict[str, Any]]:
    """APIs of the task's pool as functions, each once; what is none of it is left out."""
    registry = DIALOGUE if isinstance(task, Sample) else PLANNING
    return [prompter.function(registry, name) for name in dict.fromkeys(names) if name in registry.apis]


def _history(task: Task) -> Sequence[Turn]:
    return task.history if isinstance(task, Sample) else [step_turn(step) for step in task.before]


def _conversation(prompter: Prompter, task: Task) -> Iterator[ChatMessage]:
    if not isinstance(task, Sample):
        yield ChatMessageUser(content=task.requirement.strip())
    for number, turn in enumerate(_history(task)):
        if turn.role == "User":
            yield ChatMessageUser(content=turn.text)
        elif turn.role == "AI":
            yield ChatMessageAssistant(content=turn.text)
        else:
            key, name = f"call-{number}", turn.api_name
            made = ToolCall(id=key, function=name, arguments=dict(turn.param_dict))
            yield ChatMessageAssistant(content="", tool_calls=[made])
            yield ChatMessageTool(content=prompter.result(task, turn.result), tool_call_id=key, function=name)
