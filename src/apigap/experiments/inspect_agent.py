"""Agents as a task of Inspect: `inspect eval apigap/agent`. Tools, words, budget and verdicts are those of a run.

Only Inspect itself, or who has it already, imports this module.
"""

import atexit
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageTool, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall

from apigap.agent.evidence import evidence_of
from apigap.agent.protocol import protocol_for
from apigap.agent.run import answer_step
from apigap.agent.session import Session, Terms
from apigap.agent.tools import make_call
from apigap.agent.workplace import Workplace
from apigap.benchmarks.novelapi.benchmark import NovelApi, NovelApiOptions
from apigap.cluster.engines import engine_of
from apigap.evaluation.inspect_parts import count_without_network, decoded, offered_tool
from apigap.evaluation.inspect_tasks import Log, OneByOne, verdict
from apigap.models.fences import fenced
from apigap.models.outputs import answer_of, chat_message
from apigap.models.request import GenerationRequest, Message
from apigap.models.spending.budget import purse
from apigap.records.configuration import AgentBudget, Settings, load_settings
from apigap.records.errors import UsageError
from apigap.records.experiment import TOOL_SETS, ToolSet
from apigap.records.task import Task

_STORE = "agent"


@task
def agent(
    tasks: str = "starter",
    tools: str = "all",
    protocol: str = "auto",
    calls: int = -1,
    rounds: int = 0,
    tokens: int = 0,
    limit: int = 0,
    temperature: float = 0.0,
    seed: int = 0,
) -> InspectTask:
    """A model with tools that finds out by itself; see docs/agent.md.

    Args:
        tasks: A tasks file, `starter`, `starter/EDITION` or `starter/LIBRARY`.
        tools: none, docs, source, interpreter or all.
        protocol: auto, native or text.
        calls: At most so many calls of tools (-1: as the settings say).
        rounds: At most so many answers of the model (0: as the settings say).
        tokens: At most so many tokens, read and written (0: as the settings say).
        limit: At most so many tasks, spread over libraries (0: all).
        temperature: 0 for greedy answers; give `--epochs` with a higher one.
        seed: Of the answers drawn at a temperature above 0.
    """
    if tools not in TOOL_SETS:
        raise UsageError(f"no set of tools is named {tools!r}; they are {', '.join(TOOL_SETS)}")
    settings = load_settings()
    given = {"calls": None if calls < 0 else calls, "rounds": rounds or None, "tokens": tokens or None}
    changed = {name: value for name, value in given.items() if value is not None}
    budget = AgentBudget.model_validate({**settings.agent.budget(tools).model_dump(), **changed})
    benchmark = NovelApi(NovelApiOptions(tasks=Path(tasks)), settings)
    chosen = benchmark.select(benchmark.load(), limit)
    terms = _Terms(tools, protocol, budget, temperature, seed)
    by_id = {one.task_id: one for one in chosen}
    return InspectTask(
        dataset=MemoryDataset([_sample(one, terms) for one in chosen], name=f"agent-{tools}"),
        solver=work(by_id, terms, _Place(chosen, settings), benchmark),
        scorer=verdict(benchmark, by_id, OneByOne(benchmark, chosen)),
        name=f"agent_{tools}",
        metadata={"tools": tools, "budget": terms.budget.model_dump(), **benchmark.judged_with()},
    )


class _Terms:
    """The terms of a task of Inspect, before its model is known."""

    def __init__(self, tools: ToolSet, protocol: str, budget: AgentBudget, temperature: float, seed: int) -> None:
        self.tools: ToolSet = tools
        self.budget = budget
        self.temperature = temperature
        self.seed = seed
        self._protocol = protocol

    def of(self, model: str, longest: int) -> Terms:
        """The terms for a model, whose answers have at most so many tokens."""
        price = purse().price(model)
        protocol = protocol_for(model, self._protocol)
        return Terms(self.tools, protocol, self.budget, price, longest, self.temperature, self.seed)


class _Place:
    """The workplace, made with the first call that needs one; it ends with the process."""

    def __init__(self, tasks: Sequence[Task], settings: Settings) -> None:
        self._tasks = tasks
        self._settings = settings
        self._lock = threading.Lock()
        self._made: Workplace | None = None

    def get(self) -> Workplace:
        """The workplace."""
        with self._lock:
            if self._made is None:
                stack = ExitStack()
                atexit.register(stack.close)
                engine = stack.enter_context(engine_of(self._settings.execution, packages=self._settings.packages))
                self._made = Workplace(self._tasks, engine, self._settings.agent, Log())
            return self._made


def _sample(one: Task, terms: _Terms) -> Sample:
    opened = Session(one, 0, terms.of("mockllm/model", 1)).messages
    metadata = {"key": f"{one.task_id}/agent.{terms.tools}", "begin": "", "about": one.api_name}
    return Sample(input=[*map(chat_message, opened)], target=one.masked_region, id=one.task_id, metadata=metadata)


@solver
def work(by_id: Mapping[str, Task], terms: _Terms, place: _Place, benchmark: NovelApi) -> Solver:
    """Let the model work until it hands in or its budget is used up; the output is then the code that counts."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, one = str(state.model), by_id[str(state.sample_id)]
        session = Session(one, state.epoch - 1, terms.of(name, benchmark.decoding(name).max_tokens))
        state.messages = [*map(chat_message, session.messages)]
        count_without_network()
        while (request := session.request()) is not None:
            state.tools = [offered_tool(tool.model_dump()) for tool in request.tools]
            told = len(session.messages)
            state = await _answer(state, generate, session, request, benchmark)
            while (asked := session.next_call) is not None:
                workplace = None if terms.tools == "none" else await anyio.to_thread.run_sync(place.get)
                session.take(await anyio.to_thread.run_sync(make_call, session, asked, workplace))
            state.messages += _results(state, session.messages[told + 1 :])
        state.store.set(_STORE, _told(session))
        state.output = ModelOutput.from_content(name, fenced(session.code) if session.code else "")
        return state

    return solve


async def _answer(
    state: TaskState, generate: Generate, session: Session, request: GenerationRequest, benchmark: NovelApi
) -> TaskState:
    terms = session.terms
    config = decoded(state, benchmark.decoding, terms.temperature, terms.seed, request.most_tokens)
    state = await generate(state, tool_calls="none", **config.model_dump(exclude_none=True))
    answer = answer_of(state.output, "", most=config.max_tokens, offered=bool(request.tools))
    session.take(answer_step(session, request, answer))
    return state


def _results(state: TaskState, told: Sequence[Message]) -> list[ChatMessage]:
    """Messages that follow an answer: results under the ids that its provider gave the calls, or words of the user."""
    calls: list[ToolCall] = list(state.output.message.tool_calls or ()) if state.output.choices else []
    results = [message for message in told if message.role == "tool"]
    if not results:
        return [chat_message(message) for message in told]
    texts = [*(message.content for message in results), *("It was not made." for _ in calls[len(results) :])]
    return [
        ChatMessageTool(content=text, tool_call_id=call.id, function=call.function)
        for text, call in zip(texts, calls, strict=True)
    ]


def _told(session: Session) -> dict[str, Any]:
    """The facts of a sample for its log."""
    spent, found = session.spent, evidence_of(session.task, session.steps)
    return {
        "ended": session.over, "calls": spent.calls, "rounds": spent.rounds, "tokens": spent.tokens,
        "seconds": round(spent.seconds, 3), "dollars": spent.dollars,
        "known": [one.model_dump(mode="json") for one in found],
    }  # fmt: skip
