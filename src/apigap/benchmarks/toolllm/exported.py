"""Runs in ToolBench's format, in both of its generations; `trees` reads them back.

A function that the query does not offer is written under the name that ToolBench's runner gives to all of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from apigap.benchmarks.toolllm.answers import FINISH
from apigap.benchmarks.toolllm.prompts import native_functions
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.runs import ANSWERED, Run, Step

HALLUCINATED = "invalid_hallucination_function_name"
METHOD = "CoT"
"""One path without going back, in ToolBench's words."""
_TOLD, _ENDED, _FAILED = 0, 3, 1
"""The runner's codes beside an observation: a response, the end, an unknown function."""


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
