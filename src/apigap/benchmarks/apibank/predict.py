"""API-Bank asked of a model: one greedy answer per call and reply, in a file that `apigap score apibank` takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from apigap.benchmarks.apibank.adapter import load_bank
from apigap.benchmarks.apibank.dialogues import Level, Task, data_folder
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.prompts import Prompter, Protocol
from apigap.evaluation.answers import OnAnswer, collect
from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import decoding_within, reasons
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress

T = TypeVar("T")
MAX_TOKENS = 256
STOP = ("\nUser:", "\nGenerate ", "->")
"""Where a model goes on with the conversation by itself, or makes up the result of its request, nothing is read."""


@dataclass(frozen=True)
class Selection:
    """Which tasks: of these levels, calls or replies or both, and at most `limit` of each kind and level (0: all)."""

    levels: tuple[Level, ...] = ("level-1", "level-2", "level-3")
    calls: bool = True
    replies: bool = True
    limit: int = 0

    def of(self, tasks: Sequence[Task]) -> list[Task]:
        """The chosen ones of a level; with a limit they are spread evenly over the files."""
        chosen: list[Task] = []
        for wanted, is_call in ((self.calls, True), (self.replies, False)):
            kind = [task for task in tasks if task.is_call == is_call] if wanted else []
            chosen += spread(kind, self.limit)
        order = {task.task_id: place for place, task in enumerate(tasks)}
        return sorted(chosen, key=lambda task: order[task.task_id])


def spread(tasks: Sequence[T], limit: int) -> list[T]:
    """At most `limit` of them (0: all), at even distances."""
    if not limit or limit >= len(tasks):
        return list(tasks)
    return [tasks[place * len(tasks) // limit] for place in range(limit)]


def chosen_tasks(data: Path, selection: Selection) -> list[Task]:
    """The tasks of a selection, in the order of the files.

    Raises:
        UsageError: when there are none.
    """
    bank = load_bank(data)
    tasks = [task for level in selection.levels for task in selection.of(bank.tasks(level))]
    if not tasks:
        raise UsageError(f"{data} has no task of {', '.join(selection.levels)} to ask; choose other levels")
    return tasks


@dataclass(frozen=True)
class Drawing:
    """How each task is answered; several samples need a temperature above 0."""

    samples: int = 1
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = MAX_TOKENS


def requests_for(
    data: Path, tasks: Sequence[Task], protocol: Protocol, drawing: Drawing = Drawing()
) -> list[GenerationRequest]:
    """The prompts as requests under the ids of the tasks; those of a dialogue share their first message."""
    prompter = Prompter(load_interfaces(data_folder(data)), protocol)
    return [request_of(prompter, task, drawing) for task in tasks]


def request_of(prompter: Prompter, task: Task, drawing: Drawing = Drawing()) -> GenerationRequest:
    """What is asked about one task."""
    messages = prompter.messages(task)
    return GenerationRequest(
        key=task.task_id,
        prompt=messages,
        shared=len(messages[0].content),
        samples=drawing.samples,
        temperature=drawing.temperature,
        seed=drawing.seed,
    )


def decoding_for(model: str, max_tokens: int = MAX_TOKENS) -> Decoding:
    """How `model` answers; the trace of a reasoning model is neither bounded by an answer's length nor cut."""
    stop = () if reasons(model) else STOP
    return decoding_within(model, max_tokens).model_copy(update={"stop": stop})


def predict_apibank(
    data: Path,
    model: str,
    out: Path,
    selection: Selection,
    progress: Progress,
    protocol: Protocol = "text",
    drawing: Drawing = Drawing(),
    make: MakeGenerator = Generator,
) -> dict[str, Any]:
    """Ask `model` for everything chosen; what is in `out` already is not asked again.

    Returns:
        How many answers the file holds, and how many prompts did not fit the model's window (their answer is empty).

    Raises:
        UsageError: when `out` holds answers to other prompts, or of another model.
    """
    requests = requests_for(data, chosen_tasks(data, selection), protocol, drawing)
    decoding = decoding_for(model, drawing.max_tokens)
    made_from = {"model": describe(model, decoding), "protocol": protocol}
    stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "apibank predict", made_from)

    def ask(waiting: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        with make(model, decoding) as generator:
            generator.generate(waiting, on_answer)

    done = collect({out: requests}, ask, {}, progress.step("answers"), shared=True)
    answers = [done[request.key] for request in requests]
    too_long = sum(1 for answer in answers if "context" in ((answer.model_extra or {}).get("stop_reasons") or ()))
    stage.finish({"answers": len(answers), "too_long": too_long})
    return {"answers": len(answers), "too_long": too_long, "file": str(out)}
