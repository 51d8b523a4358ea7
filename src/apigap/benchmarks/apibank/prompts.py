"""Prompts: the published ones' parts (format, APIs, dialogue) in words of our own, in two protocols.

`text` asks for calls as `[ApiName(key='value')]`, as published; `native` describes the same APIs as functions with
JSON schemas and asks for calls as JSON. The dialogue itself is written as the published prompts write it.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from apigap.benchmarks.apibank.dialogues import Reply, Sample, Step, Task, Turn
from apigap.benchmarks.apibank.interfaces import Interface, Interfaces, interface, schema
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.models.request import Message

Protocol = Literal["text", "native"]
_YEAR = "The current year is 2023."
_TEXT_FORM = "API-Request: [ApiName(key1='value1', key2='value2', ...)]"
_NATIVE_FORM = '<tool_call>{"name": "ApiName", "arguments": {"key1": "value1", ...}}</tool_call>'
_GIVEN = "You are given the conversation so far, a line for each turn: User: ..., AI: ..., and requests with ->results."
_CALL = "You are an assistant that uses APIs. Write the one API request that comes next. "
_REPLY = "You are an assistant that uses APIs. Write what the assistant says next, given the requests so far."
_LIVE = (
    "You are an assistant that uses APIs. Where one is needed, write one request and nothing else; its result comes "
    "back as ->result. Once you have what you need, tell the user."
)
_SEARCH = "ToolSearcher"


class Prompter:
    """The prompts of one data set; `interfaces` are its interface texts, our own stand in for what they lack."""

    def __init__(self, interfaces: Interfaces, protocol: Protocol = "text") -> None:
        self._interfaces = interfaces
        self._protocol: Protocol = protocol

    def messages(self, task: Task) -> tuple[Message, Message]:
        """The instruction with the APIs, and the conversation up to what is asked for.

        At level 1 all APIs of the dialogue are described. At levels 2 and 3 only the search for APIs is, but for
        replies of level 2. They stand in the order of the registry.
        """
        asked = self._dialogue(task) if isinstance(task, Sample) else self._requirement(task)
        return Message(role="system", content=self.instruction(task)), Message(role="user", content=asked)

    def instruction(self, task: Task) -> str:
        """The instruction: the words or the call to be written, in which form, and the APIs."""
        told = _REPLY if not task.is_call else _CALL + self._form()
        year = [_YEAR] if isinstance(task, Sample) else []
        form = "Answer with the words of the assistant only." if not task.is_call else "Answer with the request only."
        return "\n".join([told, *year, _GIVEN, form, "", "API descriptions:", *self._described(task)])

    def live_instruction(self, task: Sample | Step) -> str:
        """The instruction of an assistant whose requests are really made: the job, the form, and the task's APIs."""
        year = [_YEAR] if isinstance(task, Sample) else []
        return "\n".join([f"{_LIVE} {self._form()}", *year, "", "API descriptions:", *self._described(task)])

    def result(self, task: Task, envelope: Mapping[str, Any]) -> str:
        """The result of a request, as conversations show it: at level 3 with all that belongs to it."""
        result = _shown(envelope) if isinstance(task, Sample) else envelope
        return str(result) if self._protocol == "text" else json.dumps(result, ensure_ascii=False, default=str)

    def _form(self) -> str:
        return f"It has this form:\n{_TEXT_FORM if self._protocol == 'text' else _NATIVE_FORM}"

    def _described(self, task: Task) -> list[str]:
        registry = DIALOGUE if isinstance(task, Sample) else PLANNING
        return [self._line(registry, name) for name in offered(task)]

    def function(self, registry: Registry, name: str) -> dict[str, Any]:
        """An API as a function for native tool calling."""
        return schema(registry.apis[name], self._told(registry, name))

    def _told(self, registry: Registry, name: str) -> Interface | None:
        return self._interfaces[registry.pool].get(name) or self._interfaces["level-1-2"].get(name)

    def _line(self, registry: Registry, name: str) -> str:
        shown: Mapping[str, Any] = self._told(registry, name) or interface(registry.apis[name])
        if self._protocol == "native":
            shown = {"type": "function", "function": self.function(registry, name)}
        elif registry is PLANNING:
            shown = _planning(dict(shown))
        return json.dumps(shown, ensure_ascii=False)

    def _dialogue(self, sample: Sample) -> str:
        what = "API Request" if sample.is_call else "AI Response"
        said = [self._turn(sample, turn) for turn in sample.history]
        return "\n".join([*said, f"Generate {what}:", ""])

    def _turn(self, sample: Sample, turn: Turn) -> str:
        if turn.role != "API":
            return f"{turn.role}: {turn.text}"
        return self._request(turn.api_name, turn.param_dict, self.result(sample, turn.result))

    def _requirement(self, task: Step | Reply) -> str:
        requests = [self._request(step.api, step.arguments, self.result(task, step.truth)) for step in task.before]
        what = "API Request" if task.is_call else "AI Response"
        return "\n".join([f"User: {task.requirement.strip()}", *requests, f"Generate {what}:", ""])

    def _request(self, name: str, arguments: Mapping[str, Any], result: str) -> str:
        if self._protocol == "text":
            return f"API-Request: {written(name, arguments)}->{result}"
        call = json.dumps({"name": name, "arguments": dict(arguments)}, ensure_ascii=False)
        return f"<tool_call>{call}</tool_call>->{result}"


def offered(task: Task) -> list[str]:
    """The APIs that a task's prompt describes, in the registry's order; see `Prompter.messages`."""
    if not isinstance(task, Sample) or (task.dialogue.level == "level-2" and task.is_call):
        return [_SEARCH]
    used = {turn.api_name for turn in task.dialogue.turns if turn.role == "API"}
    return [name for name in DIALOGUE.apis if name in used]


def _shown(envelope: Mapping[str, Any]) -> Any:
    """The part of a result that a dialogue shows: the output, or the exception where there is none."""
    output = envelope.get("output")
    return envelope.get("exception") if output is None else output


def written(name: str, arguments: Mapping[str, Any]) -> str:
    """A call as text."""
    return f"[{name}({', '.join(f'{key}={_quoted(value)}' for key, value in arguments.items())})]"


def _quoted(value: Any) -> str:
    return f"'{value}'"


def _planning(told: Interface) -> dict[str, Any]:
    """An interface under the keys of the published prompts of level 3."""
    return {
        "apiCode": told["name"], "description": told["description"], "parameters": told["input_parameters"],
        "response": told["output_parameters"],
    }  # fmt: skip
