"""The benchmark as a task of Inspect: `inspect eval apigap/novelapi`, with the prompts and verdicts of `apigap run`.

Only Inspect itself, or who has it already, imports this module.
"""

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.novelapi.task_environments import homes_at_hand
from apigap.evaluation.inspect_parts import answer, messages_of
from apigap.evaluation.item import Item
from apigap.experiments.sources import Source, read_source
from apigap.models.model_facts import decoding_within, reasons, room_for, window_of
from apigap.models.outputs import answer_of
from apigap.records.configuration import GenerationSettings, load_settings
from apigap.records.errors import InfrastructureError
from apigap.records.progress import Advance
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.starter.files import tasks_path


@task
def novelapi(
    tasks: str = "starter",
    condition: str = "baseline",
    layout: str = "instructed",
    knowledge: str | None = None,
    limit: int = 0,
    temperature: float = 0.0,
) -> InspectTask:
    """One condition of the oracle delivery; the arguments are those of `apigap run`.

    Args:
        tasks: A tasks file, `starter` or `starter/LIBRARY`.
        condition: The knowledge that is shown, or `baseline`.
        layout: The prompt's layout.
        knowledge: A file of bundles; by default those of the starter benchmark.
        limit: At most so many tasks, spread over libraries (0: all).
        temperature: 0 for greedy answers; give `--epochs` with a higher one.
    """
    settings = load_settings(overrides=[f"generation.layout={layout}", f"generation.temperature={temperature}"])
    source = read_source(tasks_path(Path(tasks)), [Path(knowledge)] if knowledge else (), limit)
    bundles = {bundle.api_name: bundle for bundle in source.bundles}
    shown = partial(Prompter, settings.generation, condition, from_bundles(bundles, condition))
    prompter = shown(None)
    samples = [_sample(prompter, one, settings.generation) for one in source.tasks if prompter.applies(one)]
    return InspectTask(
        dataset=MemoryDataset(samples, name=f"novelapi-{condition}"),
        solver=[
            fitted(shown, source.tasks, settings.generation),
            answer(
                partial(decoding_within, max_tokens=settings.generation.max_tokens),
                settings.generation.temperature,
                settings.generation.seed,
            ),
        ],
        scorer=harness(source),
        name=f"novelapi_{condition}",
        metadata={"condition": condition, "layout": layout},
    )


@solver
def fitted(shown: Callable[[int | None], Prompter], tasks: Sequence[Task], settings: GenerationSettings) -> Solver:
    """The prompt cut to the window of the model that is asked, as a run of our own cuts it; `cut` then says by what."""
    by_id = {one.task_id: one for one in tasks}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        name, one = str(state.model), by_id[str(state.sample_id)]
        prompter = shown(room_for(window_of(name), decoding_within(name, settings.max_tokens).max_tokens))
        cut = prompter.cut(one)
        if cut:
            request = prompter.request(one, prompter.condition, 1, settings.temperature, settings.seed)
            state.messages, state.metadata["cut"] = messages_of(request), cut
        return state

    return solve


def _sample(prompter: Prompter, one: Task, settings: GenerationSettings) -> Sample:
    request = prompter.request(one, prompter.condition, 1, settings.temperature, settings.seed)
    parts = {"library": one.library, "api": one.api_name, "difficulty": one.difficulty, "change": one.change}
    told = {**parts, "key": request.key, "begin": request.begin}
    return Sample(input=messages_of(request), target=one.masked_region, id=one.task_id, metadata=told)


@scorer(metrics=[accuracy(), stderr(cluster="api")])
def harness(source: Source) -> Scorer:
    """The verdict of the sandbox; an answer that could not be judged is an error of the sample, never a fail."""
    by_id = {one.task_id: one for one in source.tasks}
    judge = _Judge(source.tasks)

    async def score(state: TaskState, target: Target) -> Score:
        del target
        one, number = by_id[str(state.sample_id)], state.epoch - 1
        text = answer_of(state.output, state.metadata["begin"], reasons(str(state.model))).text
        return _score(*await anyio.to_thread.run_sync(lambda: judge(one, text, number)))

    return score


class _Log:
    """What happens goes to the log, which Inspect shows."""

    def step(self, title: str) -> Advance:
        del title
        return lambda done, total: None

    def note(self, text: str) -> None:
        logging.getLogger(__name__).warning(text)


class _Judge:
    """Judges answers to `tasks`; its sandboxes are made for the first answer and end with the process."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._lock = threading.Lock()
        self._adapter: NovelApi | None = None

    def __call__(self, one: Task, text: str, number: int) -> tuple[Result, str]:
        """The verdict, and the code that it is about."""
        with self._lock:
            adapter = self._adapter = self._adapter or self._make()
        artifact = adapter.parse(text, one)
        return adapter.score_all([Item(one, number, artifact)])[0], artifact.code

    def _make(self) -> NovelApi:
        settings = load_settings()
        engine = Engine.of(settings.execution)
        atexit.register(engine.close)
        verdicts = VerdictCache(engine) if settings.execution.cache else None
        return NovelApi(engine, homes_at_hand(self._tasks, engine, _Log()), {}, settings.generation, verdicts=verdicts)


def _score(result: Result, code: str) -> Score:
    if result.outcome == "infra":
        raise InfrastructureError(f"{result.task_id} could not be judged: {result.detail.get('reason')}")
    metadata: dict[str, Any] = {"outcome": result.outcome, "label": result.label, "evaluator": result.evaluator}
    why = str(result.detail.get("why") or result.detail.get("reason") or result.outcome)
    return Score(value=CORRECT if result.passed else INCORRECT, answer=code, explanation=why, metadata=metadata)
