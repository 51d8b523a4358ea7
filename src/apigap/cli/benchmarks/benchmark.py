"""Scoring and calibration of a tasks file: `apigap score`, `apigap calibrate`."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli.benchmarks import toolllm
from apigap.cli.benchmarks.apibank import calibrate_apibank, score_apibank
from apigap.cli.options import (
    ConfigOption,
    JsonOption,
    SetOption,
    TasksOption,
    UnsafeOption,
    WorkersOption,
    settings_of,
)

if TYPE_CHECKING:
    from apigap.benchmarks.novelapi.judging import Judge
    from apigap.benchmarks.novelapi_release.score import ReleaseSource

VersionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--versions",
        help="For the release: library==version, or the folder of its library configurations; may be repeated.",
    ),
]
MoreVersions = Annotated[list[str] | None, typer.Argument(hidden=True, help="Further versions after --versions.")]
InstanceOption = Annotated[
    Path | None, typer.Option("--instance", help="For the release: only the tasks whose ids this file lists.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    score = typer.Typer(help="Judge predictions from any source.", no_args_is_help=True)
    score.command("novelapi")(score_novelapi)
    score.command("toolllm")(toolllm.score_toolllm)
    score.command("apibank")(score_apibank)
    app.add_typer(score, name="score")
    calibrate = typer.Typer(help="Prove a scorer before any model is asked.", no_args_is_help=True)
    calibrate.command("novelapi")(calibrate_novelapi)
    calibrate.command("toolllm")(toolllm.calibrate_toolllm)
    calibrate.command("apibank")(calibrate_apibank)
    app.add_typer(calibrate, name="calibrate")
    toolllm.register(app)


def score_novelapi(
    tasks: TasksOption,
    predictions: Annotated[Path, typer.Option("--predictions", help='JSONL of {"task_id", "samples"}.')],
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the results.")],
    versions: VersionsOption = None,
    more_versions: MoreVersions = None,
    instance: InstanceOption = None,
    workers: WorkersOption = None,
    cold: Annotated[bool, typer.Option("--cold", help="A new interpreter for every program; same verdicts.")] = False,
    judge: Annotated[
        str | None, typer.Option("--judge", help="A model to ask why answers failed; results stay as they are.")
    ] = None,
    mock_llm: Annotated[
        Path | None,
        typer.Option("--mock-llm", help="Transcripts of such a judge: they are replayed, and no model is asked."),
    ] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Judge the answers in PREDICTIONS to the tasks in TASKS."""
    from apigap.benchmarks.novelapi.judging import judge_file
    from apigap.benchmarks.novelapi.score import score_file
    from apigap.benchmarks.novelapi_release.score import score_release
    from apigap.cli.console import Console, print_json
    from apigap.cli.wanting import demand_verdicts
    from apigap.sandbox.engine import Engine

    release = _release(tasks, instance, versions, more_versions)
    execution = settings_of(config, set_, workers=workers).execution
    asked = _judge(judge, mock_llm, release is not None)
    summary: dict[str, Any]
    with Console() as console, Engine.of(execution, unsafe_local, cold) as engine:
        if release is not None:
            summary = score_release(release, predictions, out, engine, console)
        else:
            summary = score_file(tasks, predictions, out, engine, console, execution.cache)
    if asked is not None:
        summary = {**summary, "judge": judge_file(tasks, predictions, out, asked)}
    if json_:
        print_json(summary)
    else:
        _show(summary, release is not None)
    demand_verdicts(summary["no_verdict"], sum(summary["outcomes"].values()))


def _show(summary: dict[str, Any], release: bool) -> None:
    """The numbers of a scored file in words."""
    passed = "-" if summary["pass_at_1"] is None else f"{summary['pass_at_1']:.1%}"
    print(f"pass@1 {passed} over {summary['n_tasks']} tasks; outcomes {summary['outcomes']}")
    if summary["no_verdict"]:
        print(f"with those without a verdict (infra) as failed: {summary['pass_at_1_infra_as_fail']:.1%}")
    if summary["missing"]:
        print(f"{len(summary['missing'])} more tasks have no answer and are not in pass@1: {summary['missing'][:5]}")
        if summary.get("pass_at_1_of_all") is not None:
            print(f"with these as failed: {summary['pass_at_1_of_all']:.1%}")
    if "judge" in summary:
        print(_told(summary["judge"]))
    if release:
        print(f"trust: {summary['trust']} (each test ran in the process of the answer, which could forge it)")


def calibrate_novelapi(
    tasks: TasksOption,
    versions: VersionsOption = None,
    more_versions: MoreVersions = None,
    instance: InstanceOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Check that the reference of every task passes, and that nothing, a no-op and an early exit do not."""
    from apigap.benchmarks.novelapi.score import calibrate_file
    from apigap.benchmarks.novelapi_release.score import calibrate_release
    from apigap.cli.console import Console, print_json
    from apigap.cli.wanting import demand_verdicts
    from apigap.records.errors import CheckFailed
    from apigap.sandbox.engine import Engine

    release = _release(tasks, instance, versions, more_versions)
    weak: list[dict[str, str]] = []
    with Console() as console, Engine.of(settings_of(config, set_).execution, unsafe_local) as engine:
        if release is not None:
            wrong, probes, weak = calibrate_release(release, engine, console)
        else:
            wrong, probes = calibrate_file(tasks, engine, console)
    if json_:
        print_json({"probes": probes, "wrong": wrong, **({"weak": weak} if release is not None else {})})
    else:
        print(f"{probes - len(wrong)} of {probes} probes got the score that they must")
        for found in weak:
            print(f"weak: {found['task_id']}: {found['weakness']}")
    decided = [found for found in wrong if found["outcome"] != "infra"]
    if decided:
        raise CheckFailed(f"{len(decided)} of {probes} probes got another score than they must, first: {decided[0]}")
    demand_verdicts(Counter(found["reason"] for found in wrong), probes, "probes")


def _judge(model: str | None, recorded: Path | None, release: bool) -> "Judge | None":
    """The judge that is asked for.

    Raises:
        UsageError: for one of the release's tasks, and for transcripts without the model that they are of.
    """
    from apigap.benchmarks.novelapi.judging import Judge
    from apigap.records.errors import UsageError

    if model is None:
        if recorded is not None:
            raise UsageError("--mock-llm replays what a judge said: name it by --judge, as when it was recorded")
        return None
    if release:
        raise UsageError("--judge reads tasks of our own; those of the NovelAPIBench release have no observations")
    return Judge(model, recorded)


def _told(judged: dict[str, Any]) -> str:
    """What a judge's summary comes to, in one line."""
    kappa = "-" if judged["kappa"] is None else f"{judged['kappa']:.2f}"
    read = judged["failures"] - judged["unreadable"]
    return f"{judged['model']} on {read} of {judged['failures']} failures: kappa {kappa} with the rules' labels"


def _release(
    tasks: Path, instance: Path | None, versions: list[str] | None, more: list[str] | None
) -> "ReleaseSource | None":
    """The public release, where that is what `tasks` holds.

    Raises:
        UsageError: for options of the release with tasks of our own, which name their version.
    """
    from apigap.benchmarks.novelapi_release.files import is_release
    from apigap.benchmarks.novelapi_release.score import ReleaseSource
    from apigap.records.errors import UsageError

    given = (*(versions or ()), *(more or ()))
    if is_release(tasks):
        return ReleaseSource(tasks, instance, given)
    if given or instance is not None:
        raise UsageError(
            f"{tasks} does not hold tasks of the NovelAPIBench release, so it takes neither --versions nor --instance"
        )
    return None
