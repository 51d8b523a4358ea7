"""Commands that every benchmark has: `apigap predict`, `score`, `calibrate`, `validate` and `evaluator`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli.benchmarks.verbs import register_verb
from apigap.cli.completion import values
from apigap.cli.console import demand_verdicts, next_command, print_json, print_result, print_tables
from apigap.cli.option_groups import commands
from apigap.cli.options import (
    DEFAULT_MODEL,
    ConnectionsOption,
    JsonOption,
    MaxDollarsOption,
    MaxMinutesOption,
    MaxTokensOption,
    MockOption,
    ModelOption,
    PriceOption,
    limit_spending,
)
from apigap.cli.stages.validate import validate as validate_tasks
from apigap.records.errors import CheckFailed

if TYPE_CHECKING:
    from apigap.evaluation.benchmark import Benchmark
    from apigap.evaluation.calibrate import Calibration

PredictionsOption = Annotated[
    Path,
    typer.Option(
        "--predictions", help='JSONL of {"task_id", "samples"}, or another file that the benchmark itself knows.'
    ),
]
_SHOWN = 10


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    register_verb(app, predict)
    register_verb(app, score)
    register_verb(app, calibrate)
    register_verb(app, validate, default="novelapi", novelapi=validate_tasks)
    commands(evaluator)(app)


def predict(
    benchmark: "Benchmark[Any, Any]",
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the answers; the same command goes on in it.")],
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="At most so many tasks of each part that the data has (0: all).")
    ] = 0,
    model: ModelOption = DEFAULT_MODEL,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Answers per task.")] = 1,
    temperature: Annotated[float, typer.Option("--temperature", min=0, help="0: greedy, one answer per task.")] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the answers drawn at a temperature above 0.")] = 0,
    connections: ConnectionsOption = None,
    mock_llm: MockOption = False,
    max_dollars: MaxDollarsOption = None,
    max_tokens: MaxTokensOption = None,
    max_minutes: MaxMinutesOption = None,
    price: PriceOption = None,
    json_: JsonOption = False,
) -> None:
    """Ask a model about the tasks of a benchmark; what was answered before is not asked again."""
    from apigap.api.benchmarks import predict
    from apigap.evaluation.summary import cost_table
    from apigap.models.generate import MOCK_MODEL

    limit_spending(max_dollars, max_tokens, max_minutes, price)
    found = predict(
        benchmark,
        out=out,
        model=MOCK_MODEL if mock_llm else model,
        limit=limit,
        samples=samples,
        temperature=temperature,
        seed=seed,
        connections=connections,
    )
    words = ["score", benchmark.name, *benchmark.options.arguments("score"), "--predictions", out]
    following = next_command(*words, "--out", out.with_name(f"{out.stem}.results.jsonl"), "--answered-only")
    lines = [f"answers: {found.answers}, in {out}"]
    if found.too_long:
        lines.append(f"{found.too_long} prompts are longer than the model's window; their answers are empty")
    if not json_:
        print_tables(cost_table("model", [(MOCK_MODEL if mock_llm else model, found.cost)]))
    told = {**asdict(found), "cost": found.cost.model_dump(mode="json"), "next": following.removeprefix("next: ")}
    print_result(json_, told, *lines, following)


def score(
    benchmark: "Benchmark[Any, Any]",
    predictions: PredictionsOption,
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the results; the same command goes on in it.")],
    answered_only: Annotated[
        bool, typer.Option("--answered-only", help="Leave out what has no answer, which else counts as wrong.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Judge predictions from any source."""
    from apigap.api.benchmarks import score
    from apigap.evaluation.summary import cost_table
    from apigap.records.store import existing_file

    existing_file(predictions, "the file that `apigap predict` wrote, or one of yours")
    found = score(benchmark, predictions=predictions, out=out, answered_only=answered_only)
    if json_:
        print_json(found.summary.model_dump(mode="json"))
    else:
        print_tables([*found.summary.tables(), *cost_table("what", [("all answers", found.summary.cost)])])
        cut = ", ".join(f"{count} {reason}" for reason, count in found.cut.items())
        told = f"answers that were cut before they were whole, and count as not given: {cut}"
        notes = [told] if found.cut and not benchmark.counts_cut else []
        notes += ["what has no answer is left out of all figures (--answered-only)"] if answered_only else []
        print("\n".join([*found.summary.notes(), *notes, next_command("report", out)]))
    demand_verdicts(found.no_verdict, len(found.results))


def calibrate(benchmark: "Benchmark[Any, Any]", json_: JsonOption = False) -> None:
    """Prove a scorer before any model is asked: gold answers pass, and answers that must fail do."""
    _demand_right_probes(_calibrated(benchmark, json_))


def validate(benchmark: "Benchmark[Any, Any]", json_: JsonOption = False) -> None:
    """Check that tasks are sound: as `calibrate`, and no task may be one that its own tests cannot tell."""
    found = _calibrated(benchmark, json_)
    _demand_right_probes(found)
    if found.weak:
        first = found.weak[0]
        raise CheckFailed(f"{len(found.weak)} tasks are weak, first {first.task_id}: {first.weakness}")


def _calibrated(benchmark: "Benchmark[Any, Any]", as_json: bool) -> "Calibration":
    from apigap.api.benchmarks import calibrate

    found = calibrate(benchmark)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return found
    print(f"{found.probes - len(found.wrong)} of {found.probes} probes got the verdict that they must")
    for weak in found.weak[:_SHOWN]:
        print(f"weak: {weak.task_id}: {weak.weakness}")
    if len(found.weak) > _SHOWN:
        print(f"and {len(found.weak) - _SHOWN} more weak tasks; all of them with --json")
    return found


def _demand_right_probes(found: "Calibration") -> None:
    if found.decided:
        raise CheckFailed(
            f"{len(found.decided)} of {found.probes} probes got another verdict than they must, "
            f"first: {found.decided[0]}"
        )
    demand_verdicts(found.undecided, found.probes, "probes")


def evaluator(
    benchmark: Annotated[str, typer.Argument(autocompletion=values.benchmarks, help="The name of a benchmark.")],
    json_: JsonOption = False,
) -> None:
    """Print the modules that decide what is judged, the verdict and its label, and the hash over exactly these."""
    from apigap.benchmarks.base import find_benchmark

    identity = find_benchmark(benchmark).evaluator
    modules = identity.modules()
    print_result(
        json_,
        {"benchmark": benchmark, "evaluator": identity.digest, "modules": modules},
        *(f"{digest}  {name}" for name, digest in modules.items()),
        f"{identity.digest}  evaluator of {benchmark}: {len(modules)} modules",
    )
