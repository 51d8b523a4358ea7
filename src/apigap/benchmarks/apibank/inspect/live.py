"""Dialogues of API-Bank from end to end with Inspect: `inspect eval apigap/apibank_live`. The APIs really answer.

Only Inspect itself, or who has it already, imports this module.
"""

from pathlib import Path
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageTool, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall

from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.benchmark import TOOLS, decoding_for
from apigap.benchmarks.apibank.dialogues import LEVELS, Level, data_folder, load_bank
from apigap.benchmarks.apibank.inspect.messages import SYSTEM, functions
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.ending import Ending, ending_of
from apigap.benchmarks.apibank.live.goals import NoGoal, goal_of
from apigap.benchmarks.apibank.live.play import Play
from apigap.benchmarks.apibank.live.scripts import Script, scripts
from apigap.benchmarks.apibank.prompts import Prompter, Protocol
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.evaluation.benchmark import evenly
from apigap.evaluation.inspect_parts import count_without_network, decoded, offered_tool
from apigap.records.base import Record
from apigap.records.errors import UsageError

PROTOCOLS = ("text", "native", TOOLS)
_STORE, _ENDING = "calls", "ending"
_CLUSTERED = [mean(), stderr(cluster="dialogue")]


@task
def apibank_live(
    data: str = "own",
    level: int = 0,
    protocol: str = "text",
    search: str = RECORDED,
    limit: int = 0,
    temperature: float = 0.0,
    seed: int = 0,
) -> InspectTask:
    """Whole dialogues: the user says what is recorded, the model calls APIs of a system of its own and answers.

    Args:
        data: The folder of API-Bank's data, or `own`.
        level: 1, 2 or 3 (0: all).
        protocol: `text`, `native` or `tools`, see `apibank`.
        search: What ToolSearcher finds with, see `apigap score apibank --search`.
        limit: At most so many dialogues per level, spread over it (0: all).
        temperature: 0 for greedy answers; give `--epochs` with a higher one.
        seed: Of the answers drawn at a temperature above 0.
    """
    written = _protocol(protocol)
    judge = ApiBankJudge(load_bank(Path(data)), "corrected", written, search)
    prompter = Prompter(load_interfaces(data_folder(Path(data))), written)
    chosen = [script for one in _levels(level) for script in evenly(scripts(judge.bank, one), limit)]
    return InspectTask(
        dataset=MemoryDataset([_sample(prompter, script, protocol) for script in chosen], name="apibank-live"),
        solver=converse(chosen, judge, prompter, protocol, temperature, seed),
        scorer=[made(), goal()],
        name=f"apibank_live_{protocol}",
        metadata={"protocol": protocol, **judge.plan.described},
    )


def _levels(number: int) -> tuple[Level, ...]:
    """The levels that a number means; 0: all."""
    if number not in range(len(LEVELS) + 1):
        raise UsageError(f"no level {number}; the levels are 1, 2 and 3, and 0 for all")
    return (LEVELS[number - 1],) if number else LEVELS


def _protocol(name: str) -> Protocol:
    """The form of calls in prompts and answers; a provider's own calls are read as native ones."""
    if name not in PROTOCOLS:
        raise UsageError(f"no protocol is named {name!r}; the protocols are {', '.join(PROTOCOLS)}")
    return "text" if name == "text" else "native"


def _sample(prompter: Prompter, script: Script, protocol: str) -> InspectSample:
    told = SYSTEM if protocol == TOOLS else prompter.live_instruction(script.first)
    begin: list[ChatMessage] = [ChatMessageSystem(content=told), ChatMessageUser(content=script.said[0])]
    wanted = [turn.api_name for turn in script.calls]
    return InspectSample(
        input=begin, target=wanted, id=script.name, metadata={"key": script.name, "dialogue": script.name}
    )


@solver
def converse(
    chosen: list[Script], judge: ApiBankJudge, prompter: Prompter, protocol: str, temperature: float, seed: int
) -> Solver:
    """The whole dialogue: after each text of the user as many calls as the model asks for, up to a bound."""
    by_name = {script.name: script for script in chosen}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script = by_name[str(state.sample_id)]
        wanted = goal_of(script, judge)
        play = Play(script, judge, None if isinstance(wanted, NoGoal) else wanted)
        turns = _Turns(script, play, judge, prompter, with_tools=protocol == TOOLS)
        config = decoded(state, decoding_for, temperature, seed).model_dump(exclude_none=True)
        count_without_network()
        for number, text in enumerate(script.said):
            if number:
                state.messages.append(ChatMessageUser(content=text))
            for _ in range(script.most_calls):
                state.tools = turns.tools()
                state = await generate(state, tool_calls="none", **config)
                results = turns.results(state)
                if not results:
                    break
                state.messages += results
        state.store.set(_STORE, turns.calls_made().model_dump(mode="json"))
        end = wanted.reason if isinstance(wanted, NoGoal) else ending_of(play).model_dump(mode="json")
        state.store.set(_ENDING, end)
        return state

    return solve


class CallsMade(Record):
    """The number of recorded calls, how many of them were made (`right`), of all calls, and the APIs of the others."""

    calls: int
    right: int
    made: int
    missing: tuple[str, ...]

    def __str__(self) -> str:
        """One line for people."""
        missing = f"; missing: {', '.join(self.missing)}" if self.missing else ""
        return f"{self.right} of {self.calls} recorded calls among {self.made}{missing}"


class _Turns:
    """One dialogue between Inspect's messages and the APIs."""

    def __init__(self, script: Script, play: Play, judge: ApiBankJudge, prompter: Prompter, with_tools: bool) -> None:
        self._script = script
        self._play = play
        self._judge = judge
        self._prompter = prompter
        self._with_tools = with_tools

    def tools(self) -> list[Any]:
        """The APIs as tools: those that are described at first, and those that were found since."""
        names = self._play.offered if self._with_tools else ()
        return [offered_tool(function) for function in functions(self._prompter, self._script.first, names)]

    def results(self, state: TaskState) -> list[ChatMessage]:
        """The results of the last answer's calls; nothing where it makes none."""
        if self._with_tools:
            return [self._answered(call) for call in state.output.message.tool_calls or ()]
        asked = self._judge.read(state.output.completion)
        return [ChatMessageUser(content=f"->{self._made(asked[0])}")] if asked else []

    def calls_made(self) -> CallsMade:
        """The calls of the whole dialogue."""
        missing, calls = self._play.missing, len(self._script.calls)
        return CallsMade(calls=calls, right=calls - len(missing), made=self._play.made, missing=missing)

    def _answered(self, call: ToolCall) -> ChatMessage:
        shown = call.parse_error or self._made(Read(call.function, call.arguments))
        return ChatMessageTool(content=shown, tool_call_id=call.id, function=call.function)

    def _made(self, asked: Read) -> str:
        return self._prompter.result(self._script.first, self._play.call(asked))


@scorer(metrics={"calls": _CLUSTERED, "whole": _CLUSTERED})
def made() -> Scorer:
    """The share of the recorded calls that were made, and whether all of them were."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        found = CallsMade.model_validate(state.store.get(_STORE))
        value = {"calls": found.right / found.calls, "whole": float(not found.missing)}
        return Score(value=value, explanation=str(found), metadata=found.model_dump(mode="json"))

    return score


@scorer(metrics=_CLUSTERED)
def goal() -> Scorer:
    """The state of the databases at the end, right or wrong; no score where the recording is wrong."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        found = state.store.get(_ENDING)
        if isinstance(found, str):
            return Score.unscored(explanation=found)
        end = Ending.model_validate(found)
        return Score(value=float(end.reached), explanation=str(end), metadata=end.model_dump(mode="json"))

    return score
