"""API selection as a task of Inspect: `inspect eval apigap/toolllm`, with the prompts and scores of `apigap toolllm`.

Only Inspect itself, or who has it already, imports this module.
"""

from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.predict import preflight
from apigap.benchmarks.toolllm.prompts import FORMS, NATIVE_SYSTEM, native_functions, selection_messages
from apigap.benchmarks.toolllm.queries import Query, drawn, queries_path
from apigap.evaluation.inspect_parts import answer_text, offered_tool
from apigap.models.outputs import chat_message
from apigap.models.request import Message
from apigap.records.errors import UsageError

NATIVE = "native"
_CLUSTERED = [mean(), stderr(cluster="tools")]


@task
def toolllm(queries: str = "own", form: str = "text", limit: int = 0) -> Task:
    """Which of the offered APIs a model chooses; the labels and the scorer are checked first.

    Args:
        queries: Query files of ToolBench or StableToolBench with commas between, or `own`.
        form: `text` or `functions` (see `apigap toolllm predict`), or `native`: functions as the provider takes them.
        limit: At most so many queries, drawn by hash (0: all).
    """
    if form not in (*FORMS, NATIVE):
        raise UsageError(f"no form is named {form!r}; they are {', '.join((*FORMS, NATIVE))}")
    rows = drawn(preflight(ToolLlm.load(*(queries_path(Path(name)) for name in queries.split(",")))), limit)
    return Task(
        dataset=MemoryDataset([_sample(query, form) for query in rows], name=f"toolllm-{form}"),
        solver=choose(rows) if form == NATIVE else generate(temperature=0.0),
        scorer=selection(rows),
        name=f"toolllm_{form}",
    )


def _sample(query: Query, form: str) -> Sample:
    known = FORMS[FORMS.index(form)] if form in FORMS else None
    messages = selection_messages(query, known) if known else _native_messages(query)
    shown: list[ChatMessage] = [chat_message(message) for message in messages]
    metadata = {"tools": query.tools, "set": query.set_name, "trivial": query.is_trivial}
    return Sample(input=shown, target=sorted(query.expected), id=query.task_id, metadata=metadata)


def _native_messages(query: Query) -> tuple[Message, ...]:
    return Message(role="system", content=NATIVE_SYSTEM), Message(role="user", content=query.question)


@solver
def choose(queries: Sequence[Query]) -> Solver:
    """One answer of a model that has the row's functions as its tools; none of them is run."""
    by_id = {query.task_id: query for query in queries}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.tools = [offered_tool(function) for function in native_functions(by_id[str(state.sample_id)])]
        return await generate(state, tool_calls="none", temperature=0.0)

    return solve


@scorer(metrics={"recall": _CLUSTERED, "precision": _CLUSTERED, "resolved": _CLUSTERED})
def selection(queries: Sequence[Query]) -> Scorer:
    """Recall, precision (0 where nothing is chosen) and whether the choice is resolved."""
    by_id = {query.task_id: query for query in queries}

    async def score(state: TaskState, target: Target) -> Score:
        del target
        query, text = by_id[str(state.sample_id)], answer_text(state.output)
        result = ToolLlm.score(query, ToolLlm.parse(text, query), state.epoch - 1)
        value = {"recall": result.score, "precision": result.detail["precision"] or 0.0, "resolved": result.passed}
        chosen = ", ".join(result.detail["chosen"])
        metadata = {**result.detail, "label": result.label, "evaluator": result.evaluator}
        return Score(value=value, answer=chosen, explanation=f"read as {result.detail['mode']}", metadata=metadata)

    return score
