"""A run in several steps: the functions that a model called one after the other, and how it ended.

It is written in both generations of ToolBench's format, which `trees` reads back; there a function that the query does
not offer has the name that ToolBench's runner gives to all of them.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from apigap.benchmarks.toolllm.answers import FINISH
from apigap.benchmarks.toolllm.prompts import native_functions
from apigap.benchmarks.toolllm.queries import Query
from apigap.records.base import Record
from apigap.records.parsing.json_shapes import is_object

ANSWERED = "give_answer"
HALLUCINATED = "invalid_hallucination_function_name"
METHOD = "CoT"
"""One path without going back, in ToolBench's words."""
_TOLD, _ENDED, _FAILED = 0, 3, 1
"""The runner's codes beside an observation: a response, the end, an unknown function."""
MOST_STEPS = 50
"""Calls of one run, so that its tree is not deeper than what is read of any answer."""


class Step(Record):
    """One call: what the model wrote before it, the function, its arguments and the server's answer as JSON texts.

    `offered` says whether the query offers a function of that name.
    """

    thought: str = ""
    name: str
    arguments: str
    response: str
    offered: bool


class Run(Record):
    """The steps of one query. `finish` are the arguments of `Finish` as a JSON text, None where it was not called;
    `said` is what was written last, with it or without a further call.
    """

    task_id: str
    question: str
    steps: tuple[Step, ...] = Field(default=(), max_length=MOST_STEPS)
    finish: str | None = None
    said: str = ""

    @property
    def answered(self) -> bool:
        """True if `Finish` was called with an answer."""
        return self._finished().get("return_type") == ANSWERED

    @property
    def answer(self) -> str:
        """The answer that `Finish` was given; empty where it was given none."""
        text = self._finished().get("final_answer", "")
        return text if isinstance(text, str) else json.dumps(text)

    def _finished(self) -> dict[str, object]:
        try:
            value = json.loads(self.finish or "{}")
        except ValueError:
            return {}
        return dict(value) if is_object(value) else {}


def runner_tree(run: Run, query: Query) -> dict[str, Any]:
    """A run as ToolBench's runner writes it: thoughts, actions and their inputs as nodes below each other."""
    return {
        "win": run.answered,
        "tree": {"tree": _below(list(_nodes(run)))},
        "answer_generation": {
            "valid_data": run.answered,
            "query": run.question,
            "final_answer": run.finish or "",
            "finish_type": ANSWERED if run.answered else "give_up",
            "function": native_functions(query),
            "chain": [step.name if step.offered else HALLUCINATED for step in run.steps],
        },
    }


def converted_run(run: Run, query: Query) -> dict[str, Any]:
    """A run as ToolBench's evaluation takes it: messages by role below each other."""
    messages = list(_messages(run))
    details: list[dict[str, Any]] = []
    for role, message in reversed(messages):
        details = [{"role": role, "message": message, "next": details}]
    return {
        "query": query.text,
        "available_tools": native_functions(query),
        "answer": {
            "method": METHOD,
            "total_steps": str(len(messages)),
            "final_answer": run.finish or "",
            "answer_details": details,
        },
    }


def _nodes(run: Run) -> Iterator[dict[str, Any]]:
    yield _node("Action Input", "")
    for step in run.steps:
        if step.thought:
            yield _node("Thought", step.thought)
        yield _node("Action", _name(step))
        code = _TOLD if step.offered else _FAILED
        yield {**_node("Action Input", step.arguments), "observation": step.response, "observation_code": code}
    if run.said:
        yield _node("Thought", run.said)
    if run.finish is not None:
        yield _node("Action", FINISH)
        ended = {"observation": "", "observation_code": _ENDED, "is_terminal": True, "finished": True}
        yield {**_node("Action Input", run.finish), **ended}


def _node(kind: str, description: str) -> dict[str, Any]:
    return {"is_terminal": False, "pruned": False, "finished": False, "node_type": kind, "description": description}


def _below(nodes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The first node, each further one as the only child of the one before."""
    below: list[dict[str, Any]] = []
    for node in reversed(nodes):
        below = [{**node, "children": below}]
    return below[0]


def _messages(run: Run) -> Iterator[tuple[str, str]]:
    yield "system", ""
    yield "user", run.question
    for step in run.steps:
        if step.thought:
            yield "assistant", step.thought
        yield "tool", _tool_message(_name(step), step.arguments, step.response)
    if run.said:
        yield "assistant", run.said
    if run.finish is not None:
        yield "tool", _tool_message(FINISH, run.finish, "")


def _tool_message(name: str, arguments: str, response: str) -> str:
    """The published text of a tool's node, which is how Python writes a mapping."""
    return str({"name": name, "arguments": arguments, "response": response})


def _name(step: Step) -> str:
    return step.name if step.offered else HALLUCINATED
