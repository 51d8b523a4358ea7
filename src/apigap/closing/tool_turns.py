"""The MCP server in use: a model may call its tools for some turns, and then answers; nothing is asked twice."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apigap.benchmarks.calls.reading import read_answer
from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.benchmarks.novelapi.prompting import Prompter
from apigap.closing.asker import CellAsker
from apigap.closing.mcp_client import McpClient
from apigap.evaluation.answers import collect
from apigap.models.request import GenerationRequest, Message, OfferedTool, ToolCall
from apigap.records.base import content_hash
from apigap.records.manifest import Stage
from apigap.records.result import Prediction
from apigap.records.store import write_records
from apigap.records.task import Task

TURNS = "turns.jsonl"
_MOST_CALLS = 4
"""Of one turn; further ones are not made."""
_LONGEST = 6_000
"""Characters of a result that a model is shown."""
_RULES = (
    "You write Python code that goes on from code that has already run. Libraries may have changed since you learned "
    "them: the tools below know the releases that are installed here. You may call tools in at most {turns} turns; "
    "then, or as soon as you know enough, write the code: only the lines that come next, in one code block."
)
_TEXT = (
    "\n\nThe tools, a JSON object on each line:\n<tools>\n{tools}\n</tools>\n\nTo call one, write nothing else than\n"
    '<tool_call>\n{{"name": "tool_name", "arguments": {{"parameter": "value"}}}}\n</tool_call>\n'
    "and its result comes back."
)
_LAST = "No turn is left for tools: write the code now, in one code block."


@dataclass
class _Talk:
    """The conversation on one task so far."""

    task: Task
    messages: list[Message]
    answer: str = ""
    ending: str = "stop"
    calls: int = 0
    read: list[int] = field(default_factory=list[int])
    wrote: list[int] = field(default_factory=list[int])
    done: bool = False


class ToolTurns:
    """Asks about tasks with the pages of a folder served; the answers go to `folder` as those of any cell.

    With `native` the tools are offered in the provider's own way, else as JSON in the prompt with calls in tags.
    """

    def __init__(self, asker: CellAsker, client: McpClient, folder: Path, turns: int, native: bool) -> None:
        self._asker = asker
        self._client = client
        self._folder = folder
        self._turns = turns
        self._native = native
        self._longest = min(_LONGEST, asker.room // (turns + 2)) if asker.room else _LONGEST
        self._plain = Prompter(
            asker.settings.generation.model_copy(update={"begin_answer": False}), "mcp", lambda task: None, asker.room
        )

    def answer(self, tasks: Sequence[Task], texts: Any) -> None:
        """Ask turn by turn; every turn of all tasks together.

        Raises:
            AnswersAwaited: when the model is a folder that lacks answers.
            ModelUnavailable: when it cannot be asked.
            InfrastructureError: when the MCP server cannot be reached.
        """
        made_from = {**self._asker.made_from(texts), "turns": self._turns, "native": self._native}
        stage = Stage(
            self._folder / "predictions.manifest.json", "predictions", made_from, files=(self._folder / PREDICTIONS,)
        )
        about = content_hash([task.task_id for task in tasks])
        if stage.complete and stage.manifest.counts.get("tasks") == about:
            return
        tools = self._client.tools()
        talks = [_Talk(task, self._begun(task, tools)) for task in tasks]
        for turn in range(self._turns + 1):
            self._turn(turn, [talk for talk in talks if not talk.done], tools)
        write_records(self._folder / PREDICTIONS, [_prediction(talk) for talk in talks])
        stage.finish({"tasks": about, "predictions": len(talks), "calls": sum(talk.calls for talk in talks)})

    def _begun(self, task: Task, tools: Sequence[OfferedTool]) -> list[Message]:
        rules = _RULES.format(turns=self._turns)
        listed = "\n".join(json.dumps(tool.model_dump(mode="json"), ensure_ascii=False) for tool in tools)
        own = rules if self._native else rules + _TEXT.format(tools=listed)
        system, user = Message(role="system", content=own), self._plain.prompt(task)
        return [system, *(message for message in user if message.role != "system")]

    def _turn(self, turn: int, talks: Sequence[_Talk], tools: Sequence[OfferedTool]) -> None:
        """One answer of each conversation that goes on, and the results of its calls."""
        last = turn == self._turns
        requests = [self._request(talk, turn, () if last else tools) for talk in talks]
        if not requests:
            return
        progress = self._asker.progress.step(f"answers with the MCP server, turn {turn + 1}")
        done = collect({self._folder / TURNS: requests}, self._asker.ask, {}, progress, shared=True)
        waiting: list[tuple[_Talk, list[ToolCall]]] = []
        for talk, request in zip(talks, requests, strict=True):
            calls = _heard(talk, done[request.key], {tool.name for tool in tools}, turn)
            talk.messages.append(_said(talk.answer, calls if self._native and not last else ()))
            talk.done = last or not calls
            if not talk.done:
                waiting.append((talk, calls))
        results = iter(self._client.results([call for _, calls in waiting for call in calls]))
        for talk, calls in waiting:
            talk.calls += len(calls)
            told = [(call, next(results)[: self._longest]) for call in calls]
            left = self._turns - turn - 1
            talk.messages += self._told(told, f"You may call tools in {left} more turns." if left else _LAST)

    def _told(self, results: Sequence[tuple[ToolCall, str]], note: str) -> list[Message]:
        """The results of calls, and what is left: messages of tools where these are the provider's own."""
        if not self._native:
            told = [f"Result of {call.name}:\n{result}" for call, result in results]
            return [Message(role="user", content="\n\n".join([*told, note]))]
        own = [Message(role="tool", content=result, call_id=call.id) for call, result in results]
        return [*own, Message(role="user", content=note)]

    def _request(self, talk: _Talk, turn: int, tools: Sequence[OfferedTool]) -> GenerationRequest:
        settings = self._asker.settings.generation
        return GenerationRequest(
            key=f"{talk.task.task_id}/mcp/{turn}",
            prompt=tuple(talk.messages),
            shared=len(talk.messages[0].content),
            temperature=settings.temperature,
            seed=settings.seed,
            tools=tuple(tools) if self._native else (),
        )


def _heard(talk: _Talk, prediction: Prediction, offered: set[str], turn: int) -> list[ToolCall]:
    """The calls of an answer, which is kept; of calls that no tool is offered for, none."""
    extra = prediction.model_extra or {}
    talk.answer, talk.ending = prediction.samples[0], prediction.endings[0]
    talk.read += extra.get("input_tokens") or ()
    talk.wrote += extra.get("output_tokens") or ()
    calls = [call for call in read_answer(talk.answer, offered).calls if call.name in offered][:_MOST_CALLS]
    return [
        ToolCall(id=f"call-{turn}-{number}", name=call.name, arguments=dict(call.arguments))
        for number, call in enumerate(calls)
    ]


def _said(answer: str, calls: Sequence[ToolCall]) -> Message:
    """The model's turn; calls in the provider's own way stand apart from its words."""
    if not calls:
        return Message(role="assistant", content=answer)
    try:
        words = json.loads(answer)["content"]
    except (ValueError, KeyError, TypeError):
        words = ""
    return Message(role="assistant", content=str(words), calls=tuple(calls))


def _prediction(talk: _Talk) -> Prediction:
    return Prediction.model_validate(
        {
            "task_id": talk.task.task_id,
            "samples": (talk.answer,),
            "key": f"{talk.task.task_id}/mcp",
            "prompt": "\n\n".join(message.content for message in talk.messages[:-1]),
            "stop_reasons": [talk.ending],
            "input_tokens": [sum(talk.read)],
            "output_tokens": [sum(talk.wrote)],
            "calls": talk.calls,
        }
    )
