"""API-Bank as a task of Inspect: `inspect eval apigap/apibank`, with the prompts and verdicts of `apigap apibank`.

Only Inspect itself, or who has it already, imports this module.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from apigap.benchmarks.apibank.adapter import ApiBank, Mode, load_bank
from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.dialogues import Level, Task, data_folder
from apigap.benchmarks.apibank.inspect.messages import functions_of, messages_with_calls
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.predict import Selection, chosen_tasks, decoding_for, request_of
from apigap.benchmarks.apibank.prompts import Prompter, Protocol
from apigap.benchmarks.apibank.score import LEVELS
from apigap.evaluation.inspect_parts import answer, answer_text, decoded, messages_of, offered_tool
from apigap.records.errors import UsageError

TOOLS = "tools"
"""The protocol in which calls are the provider's own: functions beside the prompt, calls beside the answer."""
PROTOCOLS: tuple[str, ...] = (*get_args(Protocol), TOOLS)


@task
def apibank(
    data: str = "own",
    level: int = 0,
    kind: str = "calls",
    protocol: str = "text",
    mode: str = "released",
    search: str = RECORDED,
    limit: int = 0,
    temperature: float = 0.0,
    seed: int = 0,
) -> InspectTask:
    """The next call, or the next reply, of every dialogue; the arguments are those of `apigap apibank predict`.

    Args:
        data: The folder of API-Bank's data, or `own`.
        level: 1, 2 or 3 (0: all).
        kind: `calls` (right or wrong) or `replies` (ROUGE-L).
        protocol: `text` or `native`, or `tools`: functions and calls as the provider takes and gives them.
        mode: `released` or `corrected` verdicts.
        search: What ToolSearcher finds with, see `apigap score apibank --search`.
        limit: At most so many per level, spread over it (0: all).
        temperature: 0 for greedy answers; give `--epochs` with a higher one.
        seed: Of the answers drawn at a temperature above 0.
    """
    if kind not in ("calls", "replies"):
        raise UsageError(f"kind {kind!r} is none of calls, replies; ask for both in two runs")
    folder = Path(data)
    tasks = chosen_tasks(folder, Selection(levels_of(level), kind == "calls", kind == "replies", limit))
    judge = adapter_for(folder, mode, protocol, search)
    prompter = Prompter(load_interfaces(data_folder(folder)), told_protocol(protocol))
    with_tools = protocol == TOOLS
    return InspectTask(
        dataset=MemoryDataset([_sample(prompter, one, protocol) for one in tasks], name=f"apibank-{kind}"),
        solver=answer_with_tools(temperature, seed) if with_tools else answer(decoding_for, temperature, seed),
        scorer=verdict(judge, tasks),
        name=f"apibank_{kind}_{protocol}",
        metadata={"mode": mode, "protocol": protocol, "kind": kind, **judge.plan.described},
    )


def levels_of(number: int) -> tuple[Level, ...]:
    """The levels that a number means; 0: all.

    Raises:
        UsageError: when there is no such level.
    """
    if number not in range(len(LEVELS) + 1):
        raise UsageError(f"no level {number}; the levels are 1, 2 and 3, and 0 for all")
    return (LEVELS[number - 1],) if number else LEVELS


def adapter_for(data: Path, mode: str, protocol: str, search: str) -> ApiBank:
    """The adapter by the names of mode and protocol.

    Raises:
        UsageError: when there is no such mode, protocol or search.
    """
    modes: tuple[Mode, ...] = get_args(Mode)
    if mode not in modes:
        raise UsageError(f"no mode is named {mode!r}; the modes are {', '.join(modes)}")
    return ApiBank(load_bank(data), modes[modes.index(mode)], told_protocol(protocol), search)


def told_protocol(name: str) -> Protocol:
    """How calls are written in prompts and read in answers; a provider's own calls are read as native ones.

    Raises:
        UsageError: when there is no such protocol.
    """
    if name not in PROTOCOLS:
        raise UsageError(f"no protocol is named {name!r}; the protocols are {', '.join(PROTOCOLS)}")
    return "text" if name == "text" else "native"


def _sample(prompter: Prompter, one: Task, protocol: str) -> InspectSample:
    shown = messages_with_calls(prompter, one) if protocol == TOOLS else messages_of(request_of(prompter, one))
    about = {"key": one.task_id, "dialogue": one.api_name}
    offered = {"functions": functions_of(prompter, one), "call": one.is_call} if protocol == TOOLS else {}
    return InspectSample(input=shown, id=one.task_id, metadata={**about, **offered})


@solver
def answer_with_tools(temperature: float, seed: int) -> Solver:
    """One answer of a model that has the APIs as its tools; none of them is run."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.tools = [offered_tool(function) for function in state.metadata["functions"]]
        state.tool_choice = "auto" if state.metadata["call"] else "none"
        config = decoded(state, decoding_for, temperature, seed)
        return await generate(state, tool_calls="none", **config.model_dump(exclude_none=True))

    return solve


@scorer(metrics=[mean(), stderr(cluster="dialogue")])
def verdict(judge: ApiBank, tasks: Sequence[Task]) -> Scorer:
    """1 for a right call and 0 for a wrong one; ROUGE-L for a reply."""
    by_id = {one.task_id: one for one in tasks}

    async def score(state: TaskState, target: Target) -> Score:
        del target
        text = answer_text(state.output)
        result = judge.score(by_id[str(state.sample_id)], text, state.epoch - 1)
        why = str(result.detail.get("category") or result.outcome)
        metadata = {"detail": result.detail, "label": result.label, "evaluator": result.evaluator}
        return Score(value=result.score, answer=text, explanation=why, metadata=metadata)

    return score
