"""API selection in several steps as a task of Inspect: `inspect eval apigap/toolllm_steps`.

The model calls functions, a simulated server answers from recorded responses, until it calls `Finish`. What it called
is exported as a tree of ToolBench's and scored as such. Only Inspect itself, or who has it already, imports this.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageTool, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall as NativeCall

from apigap.benchmarks.toolllm.answers import FINISH
from apigap.benchmarks.toolllm.benchmark import ToolLlm, ToolLlmOptions
from apigap.benchmarks.toolllm.prompts import native_functions
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.runs import METHOD, MOST_STEPS, Run, Step, converted_run, runner_tree
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.server import ToolServer
from apigap.benchmarks.toolllm.steps import ToolCall, calls_in, step_messages, tagged_response, thought_of
from apigap.benchmarks.toolllm.trees import tree_text
from apigap.benchmarks.toolllm.verdict import verdict
from apigap.evaluation.inspect_parts import count_without_network, offered_tool
from apigap.evaluation.options import paths
from apigap.evaluation.predict import prove
from apigap.models.outputs import chat_message
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.names import path_part
from apigap.records.progress import Unseen
from apigap.records.store import write_text

NATIVE = "native"
TAGS = "functions"
FORMS = (NATIVE, TAGS)
_RUN = "run"
_CLUSTERED = [mean(), stderr(cluster="tools")]


@task
def toolllm_steps(queries: str = "own", form: str = NATIVE, limit: int = 0, turns: int = 8, out: str = "") -> Task:
    """The choice of a model that calls the offered APIs until it is done; the labels and the scorer are checked first.

    Args:
        queries: Query files of ToolBench or StableToolBench with commas between, or `own`.
        form: `native`: functions as the provider takes them; `functions`: in the prompt, called in `<tool_call>` tags.
        limit: At most so many queries, drawn by hash (0: all).
        turns: At most so many answers of the model per query.
        out: A folder that gets the runs in ToolBench's formats.
    """
    if form not in FORMS:
        raise UsageError(f"no form is named {form!r}; they are {', '.join(FORMS)}")
    benchmark = ToolLlm(ToolLlmOptions.of(queries=paths(queries)), load_settings())
    every = benchmark.load()
    prove(benchmark, every, Unseen())
    rows = benchmark.select(every, limit)
    return Task(
        dataset=MemoryDataset([_sample(query, form) for query in rows], name=f"toolllm-steps-{form}"),
        solver=call_tools(rows, form, turns),
        scorer=called_apis(rows, RunFolder(Path(out), rows) if out else None),
        name=f"toolllm_steps_{form}",
    )


def _sample(query: Query, form: str) -> Sample:
    shown: list[ChatMessage] = [chat_message(message) for message in step_messages(query, tags=form == TAGS)]
    metadata = {"tools": query.tools, "set": query.set_name, "trivial": query.is_trivial}
    return Sample(input=shown, target=sorted(query.expected), id=query.task_id, metadata=metadata)


@solver
def call_tools(queries: Sequence[Query], form: str = NATIVE, turns: int = 8) -> Solver:
    """Let the model call functions, answered by a simulated server, until it calls `Finish` or none, or at most `turns`
    times; the run is kept in the sample's store.
    """
    by_id = {query.task_id: query for query in queries}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        query = by_id[str(state.sample_id)]
        conversation = _Conversation(query)
        if form == NATIVE:
            state.tools = [offered_tool(function) for function in native_functions(query)]
        count_without_network()
        for _ in range(turns):
            state = await generate(state, tool_calls="none", temperature=0.0)
            replies = conversation.replies(state.output, tags=form == TAGS)
            if not replies:
                break
            state.messages += replies
        state.store.set(_RUN, conversation.run.model_dump(mode="json"))
        return state

    return solve


class _Conversation:
    """The run of one query as it grows."""

    def __init__(self, query: Query) -> None:
        self._server = ToolServer(query)
        self.run = Run(task_id=query.task_id, question=query.question)

    def replies(self, output: ModelOutput, *, tags: bool) -> list[ChatMessage]:
        """The replies to one answer of the model; nothing where the run has ended with it."""
        text = output.completion
        if tags:
            responses = self._responses(thought_of(text), calls_in(text))
            return [ChatMessageUser(content=tagged_response(responses))] if self._goes_on(text, responses) else []
        calls = (output.choices[0].message.tool_calls or []) if output.choices else []
        responses = self._responses(text, [_plain(call) for call in calls])
        if not self._goes_on(text, responses):
            return []
        return [
            ChatMessageTool(content=response, tool_call_id=call.id, function=call.function)
            for call, response in zip(calls, responses, strict=True)
        ]

    def _responses(self, thought: str, calls: Sequence[ToolCall]) -> list[str]:
        """The server's answers to `calls`, up to `Finish`."""
        responses: list[str] = []
        for number, call in enumerate(calls):
            arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
            if call.name == FINISH:
                self._add(finish=arguments, said="" if number else thought)
                break
            if len(self.run.steps) == MOST_STEPS:
                break
            told = self._server.answer(call.name, call.arguments)
            step = Step(
                thought="" if number else thought, name=call.name, arguments=arguments, response=told.text,
                offered=told.offered,
            )  # fmt: skip
            self._add(steps=(*self.run.steps, step))
            responses.append(told.text)
        return responses

    def _goes_on(self, text: str, responses: Sequence[str]) -> bool:
        if self.run.finish is None and not responses:
            self._add(said=text)
        return self.run.finish is None and bool(responses) and len(self.run.steps) < MOST_STEPS

    def _add(self, **more: object) -> None:
        self.run = self.run.model_copy(update=more)


def _plain(call: NativeCall) -> ToolCall:
    """A provider's call; arguments that were no JSON stay a text, which no API takes."""
    return ToolCall(call.function, call.arguments if call.parse_error is None else call.parse_error)


class RunFolder:
    """A folder that gets, for each set, `SET/QUERY_ID_CoT@1.json` per run as ToolBench's runner writes it, and
    `SET.json` with all of them as its evaluation takes them, which `apigap score toolllm --predictions` reads.
    """

    def __init__(self, folder: Path, queries: Sequence[Query]) -> None:
        self._folder = folder
        self._queries = {query.task_id: query for query in queries}
        self._converted: dict[str, dict[str, Any]] = {}

    def keep(self, run: Run) -> None:
        """Write one run; a second one of the same query takes the place of the first.

        Raises:
            InfrastructureError: when the folder cannot be written.
        """
        query = self._queries[run.task_id]
        name = path_part(f"{query.task_id}_{METHOD}@1.json", "a query")
        write_text(
            self._folder / path_part(query.set_name, "a set of queries") / name,
            json.dumps(runner_tree(run, query), indent=1) + "\n",
        )
        kept = self._converted.setdefault(query.set_name, {})
        kept[run.task_id] = converted_run(run, query)
        in_order = {key: kept[key] for key in self._queries if key in kept}
        write_text(self._folder / f"{query.set_name}.json", json.dumps(in_order, indent=1) + "\n")


@scorer(
    metrics={
        "recall": _CLUSTERED, "precision": _CLUSTERED, "resolved": _CLUSTERED, "answered": _CLUSTERED,
        "calls": _CLUSTERED,
    }
)  # fmt: skip
def called_apis(queries: Sequence[Query], folder: RunFolder | None = None) -> Scorer:
    """Recall, precision (0 where nothing is called) and whether the choice is resolved, of the run's tree; whether it
    was ended with an answer, and how many calls it took.
    """
    by_id = {query.task_id: query for query in queries}

    async def score(state: TaskState, target: Target) -> Score:
        del target
        query, run = by_id[str(state.sample_id)], Run.model_validate(state.store.get(_RUN))
        if folder is not None:
            folder.keep(run)
        result = verdict(query, select(tree_text(runner_tree(run, query)), query), state.epoch - 1)
        value: Mapping[str, float | bool | None] = {
            "recall": result.score,
            "precision": result.detail["precision"] or 0.0,
            "resolved": result.passed,
            "answered": run.answered,
            "calls": len(run.steps),
        }
        metadata = {**result.detail, "label": result.label, "evaluator": result.evaluator, _RUN: run.model_dump()}
        return Score(value=value, answer=run.answer, explanation=", ".join(result.detail["chosen"]), metadata=metadata)

    return score
