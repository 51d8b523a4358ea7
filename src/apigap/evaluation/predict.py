"""Answers of a model to a benchmark's tasks. What can be checked is checked before the first one is paid for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.evaluation.answers import OnAnswer, Request, answered, ask_all, collect
from apigap.evaluation.benchmark import Benchmark
from apigap.evaluation.calibrate import calibrate
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.paths import manifest_path
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import room_for, window_of
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.spending.cell_cost import CellCost, cost_of, read_times
from apigap.models.trial import try_models
from apigap.records.errors import CheckFailed, UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.result import Prediction


@dataclass(frozen=True)
class Asking:
    """The model, how many tasks it is asked (`limit` 0: all), and how each is answered.

    Several samples need a temperature above 0.
    """

    model: str
    limit: int = 0
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0
    decoding: Decoding | None = None
    """Instead of the benchmark's own."""


@dataclass(frozen=True)
class Predicted:
    """The answers to what was asked, and what they took; the prompts of `too_long` do not fit the model's window."""

    answers: int
    too_long: int
    file: str
    cost: CellCost


def predict(
    benchmark: Benchmark[Any, Any], out: Path, asking: Asking, progress: Progress, make: MakeGenerator = Generator
) -> Predicted:
    """Ask a model about the tasks of `benchmark`; what is in `out` already is not asked again.

    Raises:
        CheckFailed: when the scorer has not proved itself.
        ModelUnavailable: when the model cannot be asked, which is tried before anything else.
        UsageError: when `out` holds answers to other prompts or of another model, or no task is chosen.
    """
    benchmark = benchmark.for_model(asking.model)
    tasks = benchmark.load()
    chosen = benchmark.select(tasks, asking.limit)
    if not chosen:
        raise UsageError(f"{benchmark.name} has no task to ask with these options; choose others, or give other files")
    if benchmark.functions(chosen[0]) and not getattr(benchmark.prompt(chosen[0]), "tools", ()):
        raise UsageError(
            f"functions beside the prompt can be given by Inspect alone; run: inspect eval apigap/{benchmark.name}"
        )
    decoding = asking.decoding or benchmark.decoding(asking.model)
    room = room_for(window_of(asking.model), decoding.max_tokens)
    requests = [request_of(benchmark, task, asking, room) for task in chosen]
    known = answered(out)
    if any(request.key not in known for request in requests):
        try_models([(asking.model, decoding.max_tokens)], progress)
    prove(benchmark, tasks, progress)
    made_from = {**benchmark.asked_with(), "model": describe(asking.model, decoding)}
    stage = Stage(manifest_path(out), f"predict {benchmark.name}", made_from)

    def ask(waiting: Sequence[Request], on_answer: OnAnswer) -> None:
        with make(asking.model, decoding) as generator:
            ask_all(generator, waiting, on_answer)

    done = collect({out: requests}, ask, {}, progress.step("answers"), shared=True)
    too_long = sum(_did_not_fit(done[request.key]) for request in requests)
    stage.finish({"answers": len(requests), "too_long": too_long})
    cost = cost_of([done[request.key] for request in requests], read_times(out), asking.model)
    return Predicted(len(requests), too_long, str(out), cost)


def request_of(benchmark: Benchmark[Any, Any], task: Any, asking: Asking, room: int | None) -> Request:
    """The request about one task; the likelihood of options is one number, whatever is drawn."""
    request = benchmark.prompt(task, room)
    if not isinstance(request, GenerationRequest):
        return request
    most = benchmark.most_tokens(task, asking.model)
    drawn = {"samples": asking.samples, "temperature": asking.temperature, "seed": asking.seed}
    return request.model_copy(update={**drawn, "most_tokens": most})


def prove(benchmark: Benchmark[Any, Any], tasks: Sequence[Any], progress: Progress) -> None:
    """Calibrate the scorer on `tasks`, where that is quick.

    Raises:
        CheckFailed: when a probe gets another verdict than it must.
    """
    first = benchmark.proved_first(tasks)
    if first:
        found = calibrate(benchmark, progress, first)
        if found.wrong:
            raise CheckFailed(
                f"{len(found.wrong)} of {found.probes} probes got another verdict than they must, so no model is "
                f"asked; look at them with: apigap calibrate {benchmark.name}. The first: {found.wrong[0]}"
            )


def _did_not_fit(prediction: Prediction) -> bool:
    return "context" in ((prediction.model_extra or {}).get("stop_reasons") or ())
