"""Every benchmark as a task of Inspect: `inspect eval apigap/NAME`, with the prompts and verdicts of `apigap`.

Only Inspect itself, or who has it already, imports this module.
"""

import atexit
import inspect
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, cast, get_origin

import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from apigap.evaluation.benchmark import Benchmark, Judging
from apigap.evaluation.cut_answers import settled
from apigap.evaluation.inspect_parts import (
    answer_text,
    count_without_network,
    decoded,
    messages_of,
    offered_tool,
    without_sharing,
)
from apigap.evaluation.item import Item
from apigap.evaluation.options import Options
from apigap.evaluation.predict import prove
from apigap.models.model_facts import room_for, window_of
from apigap.models.options import OptionRequest
from apigap.models.outputs import ending_of
from apigap.models.request import Prompted
from apigap.records.configuration import load_settings
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.progress import Advance
from apigap.records.result import Result

_CLUSTERED = [mean(), stderr(cluster="about")]
_OWN = {"limit": 0, "temperature": 0.0, "seed": 0}
"""Arguments that every task has beside its benchmark's options."""


def inspect_task(name: str, find: Callable[[str], type[Benchmark[Any, Any]]]) -> Callable[..., InspectTask]:
    """The task of the benchmark `name`, which is imported by `find` when a sample is wanted.

    Its arguments are the benchmark's options, several values with commas between them; `limit`, at most so many tasks
    (0: all); `temperature`, 0 for greedy answers; and `seed`, of the answers that are drawn.
    """

    def made(limit: int = 0, temperature: float = 0.0, seed: int = 0, **options: Any) -> InspectTask:
        kind = find(name)
        settings = load_settings()
        benchmark = kind.of(options_of(kind.options_type, options), settings)
        return task_of(benchmark, limit, temperature, seed)

    made.__name__ = name.replace("-", "_")
    made.__doc__ = f"The benchmark {name}; see `inspect_task` for the arguments."
    made.__signature__ = _signature(find(name).options_type)  # type: ignore[attr-defined]
    return cast("Callable[..., InspectTask]", task(name=made.__name__)(made))


def _signature(options: type[Options]) -> inspect.Signature:
    def parameter(name: str, default: object) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)

    fields = options.model_fields.items()
    named = [parameter(name, inspect.Parameter.empty if info.is_required() else info.default) for name, info in fields]
    return inspect.Signature([*named, *(parameter(name, default) for name, default in _OWN.items())])


def options_of(kind: type[Options], given: Mapping[str, Any]) -> Options:
    """Options from a task's arguments: several values are a text with commas between them, or one value.

    Raises:
        UsageError: for a value that an option cannot have, or an option that there is not.
    """

    def several(name: str, value: Any) -> Any:
        field = kind.model_fields.get(name)
        if field is None or get_origin(field.annotation) is not tuple or isinstance(value, (list, tuple)):
            return cast(Any, value)
        return tuple(value.split(",")) if isinstance(value, str) else (value,)

    return kind.of(**{name: several(name, value) for name, value in given.items()})


def task_of(benchmark: Benchmark[Any, Any], limit: int = 0, temperature: float = 0.0, seed: int = 0) -> InspectTask:
    """A benchmark as a task; where its scorer is quick it proves itself before a model is asked.

    Raises:
        CheckFailed: when it does not.
        UsageError: when no task is chosen, or one wants the likelihood of options.
    """
    log = Log()
    tasks = benchmark.load()
    prove(benchmark, tasks, log)
    chosen = benchmark.select(tasks, limit)
    if not chosen:
        raise UsageError(f"{benchmark.name} has no task to ask with these options; choose others, or give other files")
    by_id = {one.task_id: one for one in chosen}
    if any(isinstance(benchmark.prompt(one), OptionRequest) for one in chosen):
        raise UsageError(
            f"Inspect asks for text, not how likely options are: give -T way=letters, or run "
            f"`apigap predict {benchmark.name}`"
        )
    variant = benchmark.prompt(chosen[0]).key.split("/")[1:]
    return InspectTask(
        dataset=MemoryDataset([_sample(benchmark, one) for one in chosen], name=benchmark.name),
        solver=ask(benchmark, by_id, temperature, seed),
        scorer=verdict(benchmark, by_id, OneByOne(benchmark, chosen)),
        name="_".join([benchmark.name.replace("-", "_"), *variant[:1]]),
        metadata={**benchmark.asked_with(), **benchmark.judged_with()},
    )


def _sample(benchmark: Benchmark[Any, Any], one: Any) -> Sample:
    request = benchmark.prompt(one)
    messages = benchmark.conversation(one)
    metadata = {"key": request.key, "begin": request.begin, "about": one.api_name}
    shown = messages_of(request) if messages is None else list(messages)
    return Sample(input=shown, target=benchmark.gold(one), id=one.task_id, metadata=metadata)


@solver
def ask(benchmark: Benchmark[Any, Any], by_id: Mapping[str, Any], temperature: float, seed: int) -> Solver:
    """One answer, decoded as a run of our own decodes it; a prompt is cut to the window of the model that is asked,
    and `cut` in the sample's metadata then says to how many characters, and of how many.

    Functions that a benchmark offers are given to the model; none of them is run.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, one = str(state.model), by_id[str(state.sample_id)]
        request = benchmark.prompt(one, room_for(window_of(name), benchmark.decoding(name).max_tokens))
        if benchmark.conversation(one) is None and request != benchmark.prompt(one):
            state.messages = messages_of(request)
            state.metadata["cut"] = [_characters(prompt) for prompt in (request, benchmark.prompt(one))]
        functions = benchmark.functions(one)
        if functions:
            state.tools = [offered_tool(function) for function in functions]
            state.tool_choice = "auto" if benchmark.may_call(one) else "none"
        without_sharing(state)
        count_without_network()
        config = decoded(state, benchmark.decoding, temperature, seed, benchmark.most_tokens(one, name))
        state = await generate(state, tool_calls="none", **config.model_dump(exclude_none=True))
        if state.output.stop_reason == "unknown" and ending_of(state.output, config.max_tokens) == "length":
            state.output.choices[0].stop_reason = "max_tokens"
        return state

    return solve


@scorer(metrics={"*": _CLUSTERED})
def verdict(benchmark: Benchmark[Any, Any], by_id: Mapping[str, Any], judge: "OneByOne") -> Scorer:
    """The benchmark's measures; an answer that could not be judged is an error of the sample, never a fail.

    An answer that was ended before it was whole has no score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        del target
        text = answer_text(state.output, str(state.metadata["begin"]), str(state.model))
        result = await judge(by_id[str(state.sample_id)], text, state.epoch - 1, ending_of(state.output))
        if result.outcome == "infra":
            raise InfrastructureError(f"{result.task_id} could not be judged: {result.detail.get('reason')}")
        facts = {"outcome": result.outcome, "label": result.label, "evaluator": result.evaluator, **result.detail}
        if not result.has_verdict:
            reason = str(result.detail.get("reason"))
            return Score.unscored(reason=result.outcome, answer=text, explanation=reason, metadata=facts)
        why = result.detail.get("why") or result.detail.get("reason") or result.label or result.outcome
        return Score(
            value=dict(benchmark.measures(result)),
            answer=str(result.judged) if result.judged else text,
            explanation=str(why),
            metadata=facts,
        )

    return score


def _characters(request: Prompted) -> int:
    """The length of a prompt in characters."""
    return sum(len(message.content) for message in request.messages())


class OneByOne:
    """Judges answers one by one; what it holds is made for the first answer and ends with the process."""

    def __init__(self, benchmark: Benchmark[Any, Any], tasks: list[Any]) -> None:
        self._benchmark = benchmark
        self._tasks = tasks
        self._lock = threading.Lock()
        self._judging: Judging[Any, Any] | None = None

    async def __call__(self, one: Any, text: str, number: int, ended: str) -> Result:
        """The verdict on one answer, which was `ended` by the model or by something else."""
        return await anyio.to_thread.run_sync(lambda: self._judge(one, text, number, ended))

    def _judge(self, one: Any, text: str, number: int, ended: str) -> Result:
        with self._lock:
            judging = self._judging = self._judging or self._begin()
            if not self._benchmark.judges_at_once:
                return self._result(judging, one, text, number, ended)
        return self._result(judging, one, text, number, ended)

    def _result(self, judging: Judging[Any, Any], one: Any, text: str, number: int, ended: str) -> Result:
        results: list[Result] = []
        item = Item(one, number, self._benchmark.parse(text, one), ended)
        judging.judge([item], results.append)
        return settled(results[0], item)

    def _begin(self) -> Judging[Any, Any]:
        stack = ExitStack()
        atexit.register(stack.close)
        return stack.enter_context(self._benchmark.judging(self._tasks, Log()))


class Log:
    """Progress that goes to the log, which Inspect shows."""

    def step(self, title: str) -> Advance:
        """A step that is not shown."""
        del title
        return lambda done, total: None

    def note(self, text: str) -> None:
        """Put it into the log."""
        logging.getLogger(__name__).warning(text)
