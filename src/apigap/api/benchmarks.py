"""The verbs of every benchmark: `apigap.load_benchmark`, `predict`, `score` and `calibrate`."""

from functools import partial
from pathlib import Path
from typing import Any

from apigap.api import DEFAULT_MODEL
from apigap.api.session import Display, FilePath, in_force, shown
from apigap.benchmarks.base import Benchmark, find_benchmark
from apigap.evaluation import calibrate as calibration
from apigap.evaluation import predict as prediction
from apigap.evaluation import score as scoring
from apigap.models.generate import Generator
from apigap.records.configuration import Settings


def load_benchmark(name: str, *, settings: Settings | None = None, **options: Any) -> Benchmark[Any, Any]:
    """A benchmark with its options set; its tasks are read when they are asked for.

    Args:
        name: `novelapi`, `novelapi-release`, `items`, `apibank`, `toolllm`, `calls`, or one that an installed package
            registers.
        settings: See `load_settings`.
        options: Those that `apigap predict NAME --help` and `apigap score NAME --help` list, with `_` for `-`; one that
            may be repeated takes a sequence.

    Returns:
        The benchmark: `load` gives its tasks, `prompt` the question about one, `gold` an answer that must pass.

    Raises:
        UsageError: For an unknown name (the nearest ones are in the message) or option, or a value that it cannot have.
        InfrastructureError: When the package that registers it cannot be imported.
    """
    kind = find_benchmark(name)
    return kind.of(kind.options_type.of(**options), in_force(settings))


def predict(
    benchmark: Benchmark[Any, Any],
    *,
    out: FilePath,
    model: str = DEFAULT_MODEL,
    limit: int = 0,
    samples: int = 1,
    temperature: float = 0.0,
    seed: int = 0,
    connections: int | None = None,
    progress: Display = "stderr",
) -> prediction.Predicted:
    """Ask a model about the tasks of a benchmark; what `out` holds already is not asked again.

    Args:
        benchmark: See `load_benchmark`.
        out: A JSONL file for the answers, one `Prediction` per line; what they are made of is put beside it.
        model: A local model (`gguf/NAME`) or any Inspect model (`openai/...`); by default a small local one.
        limit: At most so many tasks, spread over all (0: all).
        samples: Answers per task; more than one need a temperature above 0.
        temperature: 0 is greedy.
        seed: Of the answers drawn at a temperature above 0.
        connections: Requests at a time, or servers of a local model; by default what the machine carries.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The number of answers, and of those whose prompt was longer than the model's window.

    Raises:
        CheckFailed: When the scorer gives a known answer another verdict than it must; no model was asked then.
        UsageError: When `out` holds answers to other prompts or of another model, or no task is chosen.
        ModelUnavailable: When the model cannot be loaded or reached; what was answered before is kept.
    """
    asking = prediction.Asking(model, limit, samples, temperature, seed)
    in_force(benchmark.settings)
    with shown(progress) as display:
        return prediction.predict(benchmark, Path(out), asking, display, partial(Generator, connections=connections))


def score(
    benchmark: Benchmark[Any, Any],
    *,
    predictions: FilePath,
    out: FilePath,
    answered_only: bool = False,
    progress: Display = "stderr",
) -> scoring.Scored:
    """Judge predictions from any source; what `out` holds already is not judged again.

    Args:
        benchmark: See `load_benchmark`.
        predictions: A JSONL file with one `Prediction` per line, or another file that the benchmark itself knows.
        out: A JSONL file for the results, one `Result` per sample; a summary and a manifest are put beside it.
        answered_only: Leave out tasks without an answer, which else count as wrong.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The results, their summary, and the number of samples without a verdict by reason (`no_verdict`): they are no
        fails, and the same call tries them again.

    Raises:
        CorruptRecord: When a prediction is of an unknown task, or two are of one.
        UsageError: When `out` was made from something else.
        InfrastructureError: When generated code cannot be isolated here.
    """
    in_force(benchmark.settings)
    with shown(progress) as display:
        return scoring.score(benchmark, Path(predictions), Path(out), display, answered_only=answered_only)


def calibrate(benchmark: Benchmark[Any, Any], *, progress: Display = "stderr") -> calibration.Calibration:
    """Prove a scorer before any model is asked: gold answers pass, and answers that must fail do.

    Args:
        benchmark: See `load_benchmark`.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The number of probes, those that got another verdict than they must (`wrong`), and the tasks that cannot tell a
        right answer from a wrong one (`weak`).

    Raises:
        CorruptRecord: When a task cannot be scored.
        InfrastructureError: When generated code cannot be isolated here.
    """
    in_force(benchmark.settings)
    with shown(progress) as display:
        return calibration.calibrate(benchmark, display)
